"""Install the built zip into a clean Blender profile, enable it, disable it, enable it again."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from workshop.places import PROJECT

INSIDE_BLENDER = Path(__file__).with_name("install_in_blender.py")


def run_in_blender(profile: Path, *arguments: str) -> dict[str, Any]:
    """Run the installing script in a Blender of its own with this profile."""
    report = profile / "report.json"
    report.unlink(missing_ok=True)
    done = subprocess.run(
        [sys.executable, str(INSIDE_BLENDER), str(report), *arguments],
        env={**os.environ, "BLENDER_USER_RESOURCES": str(profile)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert report.exists(), f"Blender ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return json.loads(report.read_text())


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Blender profile that nobody has used before."""
    return tmp_path_factory.mktemp("profile")


@pytest.fixture(scope="module")
def installed(profile: Path, built_zip: Path) -> dict[str, Any]:
    """What the first Blender reports, which installs the zip."""
    return run_in_blender(profile, "--install", str(built_zip))


def test_installs_and_enables(installed: dict[str, Any]) -> None:
    assert installed["error"] is None
    assert installed["enabled"] == [True, False, True]


def test_registers_its_operators(installed: dict[str, Any]) -> None:
    added = {name for name in installed["added"] if name.startswith("operator ")}
    assert "operator motion_editing.load_sample_motion" in added


def test_disabling_leaves_nothing_behind(installed: dict[str, Any]) -> None:
    assert installed["left_behind"] == []


def test_enabling_again_brings_everything_back(installed: dict[str, Any]) -> None:
    assert installed["missing_after_second_enable"] == []


def test_enabling_does_without_scipy(installed: dict[str, Any]) -> None:
    assert "scipy" not in installed["imported_by_enabling"]


def computes(name: str) -> bool:
    """Whether a module of core imports NumPy when it is loaded."""
    path = PROJECT.joinpath("core", *name.split("."))
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    imports = [node for node in ast.parse(source.read_text(encoding="utf-8")).body if isinstance(node, ast.Import)]
    return any(alias.name == "numpy" for node in imports for alias in node.names)


def test_enabling_leaves_the_algorithms_for_their_first_use(installed: dict[str, Any]) -> None:
    """This keeps enabling quick; what it takes is measured in benchmarks/addon/bench_enabling.py."""
    loaded = {name.partition(".motion_editing.core.")[2] for name in installed["imported_by_enabling"]} - {""}
    assert "wording" in loaded
    assert [name for name in sorted(loaded) if computes(name)] == [], "doors, words and options of tools alone"

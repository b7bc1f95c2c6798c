"""Play every scenario in a real Blender window, each in a Blender of its own.

The extension is installed from the built zip into a profile that nobody has used. Screenshots
and Blender's output are kept in test_results/gui/ for a person to look at.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from workshop import window_blender
from workshop.cache import SetupError
from workshop.places import PROJECT, cache_folder, clips_folder
from workshop.processes import TIMED_OUT, run_to_end

HERE = Path(__file__).resolve().parent
# Those that take the manual's pictures show what others test; they are played when pictures are asked for.
PICTURES = "MOTION_EDITING_PICTURES" in os.environ
SCENARIOS = [
    path for path in sorted((HERE / "scenarios").glob("*/*.py")) if path.stem.startswith("docs_pictures") == PICTURES
]
TIMEOUT = 600  # seconds; the longest scenario takes about two minutes on an idle machine


@pytest.fixture(scope="session")
def blender() -> window_blender.WindowBlender:
    """A Blender with a window, skipped with the reason where there is none."""
    try:
        return window_blender.ensure()
    except SetupError as error:
        pytest.skip(f"GUI tests did not run: {error}")


@pytest.fixture(scope="session")
def home() -> Path:
    """A home folder that is kept: the shader cache in it saves ten seconds at each start."""
    folder = cache_folder() / "window-home"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(
    scenario: Path,
    blender: window_blender.WindowBlender,
    built_zip: Path,
    home: Path,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """A scenario that fails is played once more: where much else runs, Blender misses a click now and then.

    The summary names those that passed only then; pictures of both times are kept.
    """

    def played(name: str) -> dict[str, Any]:
        results, profile = PROJECT / "test_results" / "gui" / name, tmp_path / name
        shutil.rmtree(results, ignore_errors=True)
        results.mkdir(parents=True)
        profile.mkdir()
        return play(scenario, blender, built_zip, home, results, profile)

    report = played(scenario.stem)
    if report["failure"]:
        record_property("first_failure", f"{scenario.stem}: {report['failure']}")
        report = played(f"{scenario.stem}-again")
    for name in ("blender", "python", "numpy"):
        record_property(name, report[name])
    if report["failure"]:
        pytest.fail(report["failure"], pytrace=False)


def play(
    scenario: Path, blender: window_blender.WindowBlender, archive: Path, home: Path, results: Path, profile: Path
) -> dict[str, Any]:
    """Play a scenario in a Blender with an empty profile; gives what it reports."""
    script = [str(HERE / "run_scenario.py"), "--", str(scenario), str(archive), str(results)]
    options = ["--factory-startup", "--enable-event-simulate", "--window-geometry", "0", "0", "1600", "900"]
    folders = [PROJECT, archive.parent, home, results, profile, clips_folder()]
    code = run_to_end(
        blender.command([*options, "--python", *script], [folder for folder in folders if folder.is_dir()]),
        timeout=TIMEOUT,
        variables={
            "HOME": str(home),
            "BLENDER_USER_RESOURCES": str(profile),
            "MOTION_EDITING_CLIPS": str(clips_folder()),
        },
        output=results / "output.txt",
    )
    return read_report(results, code)


def read_report(results: Path, code: int) -> dict[str, Any]:
    """Give the scenario's own report; without one, Blender's last words are the failure."""
    report = results / "report.json"
    if report.exists():
        return json.loads(report.read_text())
    last_lines = "\n".join((results / "output.txt").read_text(errors="replace").splitlines()[-30:])
    reason = f"did not end within {TIMEOUT} s" if code == TIMED_OUT else f"ended with {code}"
    failure = f"Blender {reason} before the scenario did:\n{last_lines}"
    return {"failure": failure, "blender": "-", "python": "-", "numpy": "-"}

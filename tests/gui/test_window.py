"""Play every scenario in a real Blender window, each in a Blender of its own.

The extension is installed from the built zip into a profile that nobody has used. Screenshots
and Blender's output are kept in test_results/gui/ for a person to look at.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import build
import pytest
import window_blender
from cache import SetupError
from places import PROJECT, cache_folder, clips_folder

HERE = Path(__file__).resolve().parent
SCENARIOS = sorted((HERE / "scenarios").glob("*.py"))


@pytest.fixture(scope="session")
def blender() -> window_blender.WindowBlender:
    """A Blender with a window, skipped with the reason where there is none."""
    try:
        return window_blender.ensure()
    except SetupError as error:
        pytest.skip(f"GUI tests did not run: {error}")


@pytest.fixture(scope="session")
def built_zip() -> Path:
    """The extension as a user gets it: $MOTION_EDITING_ZIP, or built now."""
    given = os.environ.get("MOTION_EDITING_ZIP")
    return Path(given) if given else build.build()


@pytest.fixture(scope="session")
def home() -> Path:
    """A home folder that is kept: the shader cache in it saves ten seconds at each start."""
    folder = cache_folder() / "window-home"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def results(scenario: Path) -> Path:
    """An empty folder for this scenario's screenshots."""
    folder = PROJECT / "test_results" / "gui" / scenario.stem
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(
    scenario: Path,
    blender: window_blender.WindowBlender,
    built_zip: Path,
    home: Path,
    results: Path,
    tmp_path: Path,
) -> None:
    script = [str(HERE / "run_scenario.py"), "--", str(scenario), str(built_zip), str(results)]
    geometry = ["--window-geometry", "0", "0", "1600", "900"]
    clips = clips_folder()
    folders = [PROJECT, built_zip.parent, home, results, tmp_path]
    try:
        done = blender.run(
            ["--factory-startup", "--enable-event-simulate", *geometry, "--python", *script],
            folders=[*folders, clips] if clips.is_dir() else folders,
            variables={
                "HOME": str(home),
                "BLENDER_USER_RESOURCES": str(tmp_path),
                "MOTION_EDITING_CLIPS": str(clips),
            },
            timeout=120,
        )
    except subprocess.TimeoutExpired as expired:
        (results / "output.txt").write_bytes(expired.stdout or b"")
        pytest.fail(f"the scenario did not end within {expired.timeout:g} s; see {results}")
    (results / "output.txt").write_text(done.stdout)
    assert_passed(results, done)


def assert_passed(results: Path, done: subprocess.CompletedProcess[str]) -> None:
    """Fail with the scenario's own words."""
    report = results / "report.json"
    if not report.exists():
        last_lines = "\n".join(done.stdout.splitlines()[-30:])
        pytest.fail(f"Blender ended with {done.returncode} before the scenario did:\n{last_lines}")
    failure = json.loads(report.read_text())["failure"]
    if failure:
        pytest.fail(failure, pytrace=False)

"""Started by Blender with --python: installs the extension, plays one scenario, reports.

Usage: blender ... --python run_scenario.py -- SCENARIO.py EXTENSION.zip RESULTS_FOLDER
"""

from __future__ import annotations

import importlib.util
import json
import platform
import sys
import traceback
from pathlib import Path

import bpy
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent / "window"))
import harness
from window_input import REDRAW_PAUSE, Steps

SCENARIO, ARCHIVE, RESULTS = (Path(argument) for argument in sys.argv[sys.argv.index("--") + 1 :])


def load_scenario(path: Path) -> Steps:
    """Import a scenario file and start its `scenario` generator."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.scenario(WINDOW)


def install_extension() -> None:
    """Install and enable the extension as a person would from the zip."""
    bpy.ops.extensions.package_install_files(filepath=str(ARCHIVE), repo="user_default", enable_on_install=True)
    enabled = [addon.module for addon in bpy.context.preferences.addons]
    harness.check(
        "bl_ext.user_default.motion_editing" in enabled,
        f"the extension should be enabled from {ARCHIVE.name}; enabled are {enabled}",
    )


def whole_run() -> Steps:
    """Prepare Blender and play the scenario."""
    yield REDRAW_PAUSE
    install_extension()
    # Without this step the first Ctrl+Z would jump to before the preparation.
    bpy.ops.ed.undo_push(message="Preparation")
    yield REDRAW_PAUSE
    yield from load_scenario(SCENARIO)


def finish(failure: str | None) -> None:
    """Write the report, with a picture of what failed, and leave Blender."""
    if failure:
        WINDOW.take_screenshot("failed")
    report = {
        "failure": failure,
        "screenshots": WINDOW.screenshots,
        "blender": bpy.app.version_string,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
    }
    (RESULTS / "report.json").write_text(json.dumps(report, indent=1))
    sys.stdout.flush()
    harness.leave(1 if failure else 0)


def advance() -> float | None:
    """Go on with the scenario until it waits; Blender's timer calls this."""
    try:
        return next(STEPS)
    except StopIteration:
        finish(None)
    except harness.ScenarioError as failed:
        where = traceback.extract_tb(failed.__traceback__)
        lines = [f"{frame.filename}:{frame.lineno}" for frame in where if frame.filename == str(SCENARIO)]
        finish(f"{failed}\n  at {lines[-1] if lines else SCENARIO}\n  screenshots in {RESULTS}")
    except BaseException:
        finish(traceback.format_exc())
    return None


WINDOW = harness.Window(RESULTS)
STEPS = whole_run()
bpy.context.preferences.view.show_splash = False
if "picture" not in SCENARIO.stem:
    # Each of the eight passes that smooth edges takes as long as a whole redraw where no graphics card helps.
    bpy.context.preferences.system.viewport_aa = "OFF"
bpy.app.timers.register(advance, first_interval=0.5, persistent=True)  # scenarios may open other files

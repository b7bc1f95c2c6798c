"""The Flamenco job type: compiled as a Manager does it, and its tasks done as Workers do them.

Without a Manager, and where there is Node: the script sees nothing but what a Manager gives it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import bpy
import pytest
from motion_editing.motion_editing_addon.batch.command import _parser
from workshop import places

# A Manager gives to job types these names and no others.
MANAGER = """
const tasks = [];
const author = {
  Task: (name, type) => ({ name, type, commands: [], dependencies: [],
    addCommand(command) { this.commands.push(command); },
    addDependency(task) { this.dependencies.push(task.name); } }),
  Command: (name, parameters) => ({ name, parameters }),
};
const job = { settings: SETTINGS, addTask(task) { tasks.push(task); } };
const program = "'use strict';" + SCRIPT + "; compileJob(job); JOB_TYPE";
const type = require("vm").runInNewContext(program, { author, job });
console.log(JSON.stringify({ tasks, type }));
"""
# What the interface of the Manager says about settings of job types.
NAMES = {"key", "type", "subtype", "choices", "description", "default", "visible", "required", "editable", "label"}
TYPES = {"string": str, "int32": int, "float": float, "bool": bool}
SUBTYPES = {"file_path", "dir_path", "file_name", "hashed_file_path"}
VISIBILITIES = {"visible", "hidden", "submission", "web"}
SETTINGS = {
    "recipe": "clean_and_reduce",
    "input": "/farm/in put",
    "output": "/farm/out",
    "format": "glb",
    "strict": False,
    "tasks": 3,
    "blender": "{blender}",
}


def compiled_with(settings: dict) -> dict:
    node = shutil.which("node")
    if node is None:
        pytest.skip("compiling the job type needs Node")
    script = (places.PROJECT / "flamenco" / "motion_edit.js").read_text(encoding="utf-8")
    program = MANAGER.replace("SETTINGS", json.dumps(settings), 1).replace("SCRIPT", json.dumps(script), 1)
    done = subprocess.run([node, "-e", program], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.fixture
def compiled() -> dict:
    return compiled_with(SETTINGS)


def test_the_settings_are_such_as_a_manager_takes(compiled):
    for setting in compiled["type"]["settings"]:
        assert set(setting) <= NAMES
        assert isinstance(setting.get("default", TYPES[setting["type"]]()), TYPES[setting["type"]])
        assert setting.get("subtype", "file_path") in SUBTYPES
        assert setting.get("visible", "visible") in VISIBILITIES
        assert setting.get("required") or "default" in setting
        assert setting.get("default", "") in setting.get("choices", [setting.get("default", "")])


def test_every_share_is_a_task_and_the_report_waits_for_all(compiled):
    *clips, report = compiled["tasks"]
    assert [task["name"] for task in clips] == ["clips-1-of-3", "clips-2-of-3", "clips-3-of-3"]
    assert report["dependencies"] == [task["name"] for task in clips]
    assert {setting["key"] for setting in compiled["type"]["settings"]} == set(SETTINGS)


def test_our_command_line_takes_what_the_tasks_say(compiled):
    shares = []
    for task in compiled["tasks"]:
        (command,) = task["commands"]
        assert command["name"] == "exec"
        assert command["parameters"]["exe"] == "{blender}"
        blender, name, *words = command["parameters"]["args"]
        assert (blender, name) == ("--command", "motion_edit")
        options = _parser().parse_args(words)
        if words[0] == "run":
            shares.append(options.part)
            assert options.resume
            assert options.accept_failures
            assert str(options.inputs[0]) == "/farm/in put"
    assert shares == [(1, 3), (2, 3), (3, 3)]


def test_strict_tasks_fail_with_their_clips():
    *clips, _report = compiled_with({**SETTINGS, "strict": True})["tasks"]
    assert not any("--accept-failures" in task["commands"][0]["parameters"]["args"] for task in clips)


def test_done_one_after_the_other_the_tasks_edit_every_clip_and_write_the_report(tmp_path):
    (tmp_path / "in put").mkdir()
    for name in ("a.bvh", "b ü.bvh", "c.bvh"):
        bpy.ops.motion_editing.load_sample_motion(rate=12.0)
        bpy.ops.motion_editing.export_bvh(filepath=str(tmp_path / "in put" / name))
    # One clip that fails does not keep the report from being written.
    (tmp_path / "in put" / "broken.bvh").write_text("HIERARCHY")
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('[[step]]\nedit = "smooth"\n')
    settings = {**SETTINGS, "recipe": recipe, "input": tmp_path / "in put", "output": tmp_path / "out"}
    settings |= {"tasks": 2, "format": "", "blender": sys.executable}
    plain = {key: value if isinstance(value, (int, bool)) else str(value) for key, value in settings.items()}
    for task in compiled_with(plain)["tasks"]:
        (command,) = task["commands"]
        # As a Worker: the program with its arguments; here the script stands for Blender's own command.
        _command, _name, *words = command["parameters"]["args"]
        script = str(places.PROJECT / "scripts" / "motion_edit.py")
        subprocess.run([command["parameters"]["exe"], script, *words], check=True, capture_output=True)
    assert sorted(path.name for path in (tmp_path / "out").glob("[!.]*.*")) == [
        "a.bvh",
        "b ü.bvh",
        "c.bvh",
        "report.html",
    ]
    assert "broken.bvh" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")

"""The Flamenco job type, compiled as a Manager does it; without a Manager, and where there is Node."""

from __future__ import annotations

import json
import shutil
import subprocess

import places
import pytest
from motion_editing.motion_editing_addon.batch.command import _parser

# What a Manager gives to job types.
MANAGER = """
const tasks = [];
const author = {
  Task: (name, type) => ({ name, type, commands: [], dependencies: [],
    addCommand(command) { this.commands.push(command); },
    addDependency(task) { this.dependencies.push(task.name); } }),
  Command: (name, parameters) => ({ name, parameters }),
};
const job = { settings: SETTINGS, addTask(task) { tasks.push(task); } };
SCRIPT
compileJob(job);
console.log(JSON.stringify({ tasks, settings: JOB_TYPE.settings.map((each) => each.key) }));
"""
SETTINGS = {
    "recipe": "clean_and_reduce",
    "input": "/farm/in put",
    "output": "/farm/out",
    "format": "glb",
    "tasks": 3,
    "blender": "{blender}",
}


@pytest.fixture
def compiled() -> dict:
    node = shutil.which("node")
    if node is None:
        pytest.skip("compiling the job type needs Node")
    script = (places.PROJECT / "flamenco" / "motion_edit.js").read_text(encoding="utf-8")
    program = MANAGER.replace("SETTINGS", json.dumps(SETTINGS), 1).replace("SCRIPT", script)
    done = subprocess.run([node, "-e", program], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_every_share_is_a_task_and_the_report_waits_for_all(compiled):
    *clips, report = compiled["tasks"]
    assert [task["name"] for task in clips] == ["clips-1-of-3", "clips-2-of-3", "clips-3-of-3"]
    assert report["dependencies"] == [task["name"] for task in clips]
    assert set(compiled["settings"]) == set(SETTINGS)


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
            assert str(options.inputs[0]) == "/farm/in put"
    assert shares == [(1, 3), (2, 3), (3, 3)]

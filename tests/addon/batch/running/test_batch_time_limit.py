"""A clip that takes too long is given up with its worker, and stops no other."""

from __future__ import annotations

import subprocess
import sys

import bpy
import pytest
from motion_editing.motion_editing_addon.batch.running.pool import Pool
from workshop import places

COMMAND = (sys.executable, str(places.PROJECT / "scripts" / "motion_edit.py"))
# Answers questions with themselves; to one it does not: it stops, as a process that hangs.
STOPPING = """
import json, os, signal, sys
print('motion_edit:{"ready": 1}', flush=True)
for line in sys.stdin:
    if json.loads(line)["name"] == "stops":
        print('motion_edit:{"clip": "Walk"}', flush=True)
        os.kill(os.getpid(), signal.SIGSTOP)
    print("motion_edit:" + line, end="", flush=True)
"""
# Takes eight seconds for its answer, and says every second that it has begun another clip.
SLOW = """
import sys, time
for line in sys.stdin:
    for clip in range(8):
        time.sleep(1.0)
        print('motion_edit:{"clip": "Walk"}', flush=True)
    print("motion_edit:" + line, end="", flush=True)
"""


def motion_edit(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no processes")
@pytest.mark.parametrize("start", [(sys.executable, "-c", STOPPING), ("/bin/sh", "-c", '"$1" -c "$2"; exit', "sh")])
def test_a_worker_that_stops_is_replaced_and_its_clip_has_failed(start):
    """Also where a script has started it."""
    start = start if start[0] == sys.executable else (*start, sys.executable, STOPPING)
    questions = [{"name": name} for name in ("first", "stops", "last")]
    answers = dict(Pool(start, questions, jobs=1, limit=6.0).answers())
    failure = {"error": "action 'Walk' took longer than the time limit of 6 s"}
    assert answers == {0: questions[0], 1: failure, 2: questions[2]}


def test_a_clip_that_takes_too_long_is_named_and_resume_does_it_again(tmp_path):
    """Not even Blender starts in such a time."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.motion_editing.load_sample_motion(rate=12.0)
    for name in ("in/a.bvh", "in/b.bvh"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        bpy.ops.motion_editing.export_bvh(filepath=str(tmp_path / name))
    (tmp_path / "recipe.toml").write_text('[[step]]\nedit = "smooth"\n')
    arguments = ("run", tmp_path / "recipe.toml", tmp_path / "in", "--out", tmp_path / "out", "--no-pictures")
    done = motion_edit(*arguments, "--time-limit", 0.01)
    assert done.returncode == 1
    failures = [line for line in done.stderr.splitlines() if line.startswith("failed: ")]
    assert failures == [f"failed: {name}: took longer than the time limit of 0.01 s" for name in ("a.bvh", "b.bvh")]
    assert not list((tmp_path / "out").glob("*.bvh"))
    again = motion_edit(*arguments, "--resume")
    assert (again.returncode, "2 edited in " in again.stdout) == (0, True)


def test_every_clip_of_a_file_has_the_time_for_itself():
    question = {"name": "slow"}
    assert dict(Pool((sys.executable, "-c", SLOW), [question], jobs=1, limit=6.0).answers()) == {0: question}

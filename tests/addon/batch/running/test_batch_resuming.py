"""--resume within a file: clips with results of their own are kept, and the end is that of one whole run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import bpy
import pytest
from direct_crew import Direct
from motion_editing.motion_editing_addon.batch.formats.file_replacement import PRIVATE
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs
from motion_editing.motion_editing_addon.batch.running.run import Summary, run, unfinished
from rigs import chain_armature

RECIPE = '[[step]]\nedit = "warp_time"\nwith = { length = 0.5 }\n'
# Names that become the same in files, so that numbers tell them apart.
ACTIONS, BROKEN = ("a:b", "a/b", "Walk"), "Broken"
DIVIDED = pytest.mark.parametrize("suffix", [".bvh", ".glb", ".gltf", ".fbx"])


@pytest.fixture
def source(empty_scene, tmp_path) -> Path:
    """A Blender file with three actions of two rates, and one that has too few frames for the recipe."""
    armature = chain_armature(3)
    for number, name in enumerate((*ACTIONS, BROKEN)):
        armature.animation_data_create().action = None
        for frame in range(1, 2 if name == BROKEN else 20):
            for bone in armature.pose.bones:
                bone.rotation_quaternion = (1.0, 0.0, 0.02 * frame, 0.1 * number)
                bone.keyframe_insert("rotation_quaternion", frame=frame)
        action = armature.animation_data.action
        action.name, action.use_fake_user = name, True
        action.motion_editing.source_rate, action.motion_editing.examined = 30.0 + 10 * number, True
    path = tmp_path / "clips.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def ran(source: Path, out: Path, suffix: str, *, actions=(), resume: bool = False, text: str = RECIPE):
    """A run; gives the actions that it kept, and how it went."""
    path = source.with_name("recipe.toml")
    path.write_text(text)
    recipe = read_recipe(path)
    jobs = plan_jobs([source], out, suffix=suffix, actions=actions, pictures=False)
    left = unfinished(jobs, recipe, out) if resume else jobs
    crew = Direct(left, recipe)
    summary = run(left, recipe, out, crew)
    return [action for job in crew.jobs for action in job.kept], summary


def written(out: Path) -> dict[str, tuple[int, bytes]]:
    """Contents of the results, with the time at which they were written, in nanoseconds."""
    files = [path for path in out.iterdir() if path.is_file()]
    return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def record_path(out: Path) -> Path:
    (path,) = (out / PRIVATE / "records").iterdir()
    return path


def record_in(out: Path) -> dict:
    record = json.loads(record_path(out).read_text(encoding="utf-8"))
    record["outputs"].sort(key=lambda output: output["file"])
    for output in record["outputs"]:
        if output["file"].endswith(".fbx"):
            output.pop("key")  # it holds the time at which it was written
    return {name: value for name, value in record.items() if name != "seconds"}


def counts(summary: Summary) -> tuple[int, int, int]:
    return summary.done, summary.partly, summary.failed


def fail_by_hand(out: Path, action: str) -> None:
    """Let the record of a run say that an action failed."""
    record = json.loads(record_path(out).read_text(encoding="utf-8"))
    (clip,) = (clip for clip in record["clips"] if clip["action"] == action)
    record["pictures"].pop(record["clips"].index(clip))
    record["clips"].remove(clip)
    record["outputs"] = [output for output in record["outputs"] if output["file"] not in clip["files"]]
    record["failures"].append({"action": action, "error": "out of memory"})
    for name in clip["files"]:
        (out / name).unlink()
    record_path(out).write_text(json.dumps(record), encoding="utf-8")


@DIVIDED
@pytest.mark.parametrize("action", ACTIONS)
def test_only_the_action_that_failed_is_done_again(source, tmp_path, suffix, action):
    out = tmp_path / "out"
    assert counts(ran(source, out, suffix, actions=ACTIONS)[1]) == (1, 0, 0)
    whole, record = written(out), record_in(out)
    fail_by_hand(out, action)
    kept, summary = ran(source, out, suffix, actions=ACTIONS, resume=True)
    assert sorted(kept) == sorted({*ACTIONS} - {action})
    assert counts(summary) == (1, 0, 0)
    assert record_in(out) == record
    after = written(out)
    assert after.keys() == whole.keys()
    again = {name for name in whole if after[name][0] != whole[name][0]}
    assert len(again) == (2 if suffix == ".gltf" else 1)
    # An FBX file holds the time at which it was written.
    assert all(after[name][1] == whole[name][1] for name in whole if suffix != ".fbx" or name not in again)
    assert ran(source, out, suffix, actions=ACTIONS, resume=True)[1].text().startswith("0 edited in ")


@DIVIDED
def test_a_result_that_is_gone_is_made_again_and_the_others_are_kept(source, tmp_path, suffix):
    out = tmp_path / "out"
    ran(source, out, suffix, actions=ACTIONS)
    whole, record = written(out), record_in(out)
    (out / f"clips - Walk{suffix}").unlink()
    kept, _summary = ran(source, out, suffix, actions=ACTIONS, resume=True)
    assert sorted(kept) == ["a/b", "a:b"]
    assert record_in(out) == record
    assert written(out).keys() == whole.keys()


def test_an_action_that_fails_again_leaves_the_others_as_they_are(source, tmp_path, capsys):
    out = tmp_path / "out"
    assert counts(ran(source, out, ".bvh")[1]) == (0, 1, 0)
    whole, record = written(out), record_in(out)
    capsys.readouterr()
    kept, summary = ran(source, out, ".bvh", resume=True)
    assert sorted(kept) == sorted(ACTIONS)
    assert counts(summary) == (0, 1, 0)
    assert (written(out), record_in(out)) == (whole, record)
    (failure,) = (line for line in capsys.readouterr().err.splitlines() if line.startswith("failed: "))
    assert failure.startswith(f"failed: clips.bvh: action '{BROKEN}': step 1 (warp_time): ")
    assert "of an earlier run" not in failure


def test_clips_that_share_a_file_are_done_again_together(source, tmp_path):
    out = tmp_path / "out"
    ran(source, out, ".blend")
    assert ran(source, out, ".blend", resume=True)[0] == []


def test_all_is_done_again_where_a_step_needs_another_clip_of_the_file(source, tmp_path):
    """It was taken as the steps had left it."""
    out = tmp_path / "out"
    text = f'{RECIPE}[[step]]\nedit = "blend_action"\nwith = {{ action = "{ACTIONS[0]}" }}\n'
    assert ran(source, out, ".bvh", text=text)[1].partly == 1
    assert ran(source, out, ".bvh", text=text, resume=True)[0] == []


def damage(path: Path, *, later: float) -> None:
    """Take out a thousand bytes and leave the size; the file is written some seconds later than it was."""
    written_at = path.stat().st_mtime + later
    with path.open("rb+") as file:
        file.seek(200)
        file.write(bytes(1000))
    os.utime(path, (written_at, written_at))


def without_keys(out: Path) -> None:
    """As an earlier version has written the record, which knew sizes alone; its time stays."""
    path = record_path(out)
    record, written_at = json.loads(path.read_text(encoding="utf-8")), path.stat().st_mtime
    for output in record["outputs"]:
        del output["key"]
    path.write_text(json.dumps(record), encoding="utf-8")
    os.utime(path, (written_at, written_at))


def test_a_result_that_was_damaged_is_made_again_and_the_others_are_kept(source, tmp_path):
    """Its size and its time are what they were."""
    out = tmp_path / "out"
    ran(source, out, ".bvh", actions=ACTIONS)
    whole = written(out)
    damage(out / "clips - Walk.bvh", later=0.0)
    kept, summary = ran(source, out, ".bvh", actions=ACTIONS, resume=True)
    assert (sorted(kept), counts(summary)) == (["a/b", "a:b"], (1, 0, 0))
    assert {name: data for name, (_time, data) in written(out).items()} == {n: data for n, (_t, data) in whole.items()}
    assert ran(source, out, ".bvh", actions=ACTIONS, resume=True)[1].text().startswith("0 edited in ")


def test_a_record_of_sizes_alone_is_believed_unless_the_result_was_written_later(source, tmp_path):
    out = tmp_path / "out"
    ran(source, out, ".bvh", actions=ACTIONS)
    without_keys(out)
    assert ran(source, out, ".bvh", actions=ACTIONS, resume=True)[1].text().startswith("0 edited in ")
    damage(out / "clips - Walk.bvh", later=60.0)
    kept, summary = ran(source, out, ".bvh", actions=ACTIONS, resume=True)
    assert (sorted(kept), counts(summary)) == (["a/b", "a:b"], (1, 0, 0))

"""Files with several clips: all are saved, and one that cannot be edited is named and left out."""

from __future__ import annotations

import re
from pathlib import Path

import bpy
import pytest
from direct_crew import Direct
from motion_editing.core.files.bvh import read_bvh
from motion_editing.motion_editing_addon.batch.formats import clip_files
from motion_editing.motion_editing_addon.batch.info import facts_of_file
from motion_editing.motion_editing_addon.batch.recipes.recipe import Recipe, read_recipe
from motion_editing.motion_editing_addon.batch.report.page import page
from motion_editing.motion_editing_addon.batch.running.job import run_job
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs
from motion_editing.motion_editing_addon.batch.running.records import Records
from motion_editing.motion_editing_addon.batch.running.run import run, unfinished

# The first step still works on a clip of one frame, so that it is half edited when the second fails.
RECIPE = '[[step]]\nedit = "convert_keys"\n[[step]]\nedit = "warp_time"\nwith = { length = 0.5 }\n'
BROKEN = "Broken"


@pytest.fixture
def several(tmp_path) -> Path:
    """A Blender file with the actions Amble, Broken, which has one frame, and Walk."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.motion_editing.load_sample_motion(rate=20.0)
    walk = bpy.context.object.animation_data.action
    walk.name = "Walk"
    for name in ("Amble", BROKEN):
        action = walk.copy()
        action.name, action.use_fake_user = name, True
    for curve in action.layers[0].strips[0].channelbags[0].fcurves:
        curve.keyframe_points.clear()
        curve.keyframe_points.insert(1, 0.0)
    path = tmp_path / "in" / "several.blend"
    path.parent.mkdir()
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def recipe_of(folder: Path, text: str = RECIPE) -> Recipe:
    path = folder / "recipe.toml"
    path.write_text(text, encoding="utf-8")
    return read_recipe(path)


def edited(source: Path, out: Path, **options) -> dict:
    (job,) = plan_jobs([source], out, pictures=False, **options)
    return run_job(job, recipe_of(source.parent))


def ran(source: Path, out: Path, text: str = RECIPE, **options):
    recipe = recipe_of(source.parent, text)
    jobs = plan_jobs([source], out, pictures=False, **options)
    return run(jobs, recipe, out, Direct(jobs, recipe))


def rows_of(path: Path) -> dict[str, dict]:
    return {row["action"]: row for row in facts_of_file(path)}


def test_the_failed_action_is_named_and_left_out_of_a_blend_file(several, tmp_path):
    record = edited(several, tmp_path / "out")
    assert [clip["action"] for clip in record["clips"]] == ["Amble", "Walk"]
    (failure,) = record["failures"]
    assert failure["action"] == BROKEN
    assert re.match(r"step 2 \(warp_time\): ", failure["error"])
    before, after = rows_of(several), rows_of(tmp_path / "out" / "several.blend")
    assert sorted(after) == ["Amble", "Walk"]
    for name in after:
        assert after[name]["frames"] == pytest.approx(before[name]["frames"] / 2, abs=1.5)


def test_the_armature_plays_what_it_played_and_no_clip_is_lost(several, tmp_path):
    """Walk has no user but the armature, and Amble is edited before it."""
    edited(several, tmp_path / "out", actions=["Amble", "Walk"])
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out" / "several.blend"))
    assert bpy.context.object.animation_data.action.name == "Walk"
    assert not bpy.data.actions["Walk"].use_fake_user
    assert {"Amble", BROKEN, "Walk"} <= set(bpy.data.actions.keys())


def test_a_file_saved_while_a_strip_was_tweaked_or_nothing_was_played_is_edited(several, tmp_path):
    bpy.ops.wm.open_mainfile(filepath=str(several))
    armature = bpy.context.object
    other = bpy.data.objects.new("Idle", armature.data)
    bpy.context.collection.objects.link(other)
    other.animation_data_create().action = bpy.data.actions.new("Empty")
    data = armature.animation_data
    strip = data.nla_tracks.new().strips.new("Walk", 1, bpy.data.actions["Walk"])
    data.action, strip.select = None, True
    data.nla_tracks.active = data.nla_tracks[0]
    data.use_tweak_mode = True
    assert data.use_tweak_mode
    bpy.ops.wm.save_mainfile()
    record = edited(several, tmp_path / "out", actions=["Amble"])
    assert [clip["action"] for clip in record["clips"]] == ["Amble"]
    assert {"Amble", "Walk"} <= set(rows_of(tmp_path / "out" / "several.blend"))


@pytest.mark.parametrize("suffix", [".glb", ".fbx"])
def test_exporters_write_no_failed_action(several, tmp_path, suffix):
    record = edited(several, tmp_path / "out", suffix=suffix)
    assert len(record["failures"]) == 1
    assert [name.rpartition("|")[2] for name in sorted(rows_of(tmp_path / "out" / f"several{suffix}"))] == [
        "Amble",
        "Walk",
    ]


def test_the_others_are_as_if_the_failed_one_had_not_been_asked_for(several, tmp_path):
    edited(several, tmp_path / "all", suffix=".bvh")
    edited(several, tmp_path / "chosen", suffix=".bvh", actions=["Amble", "Walk"])
    names = ["several - Amble.bvh", "several - Walk.bvh"]
    for folder in ("all", "chosen"):
        assert sorted(path.name for path in (tmp_path / folder).glob("*.bvh")) == names
    for name in names:
        assert (tmp_path / "all" / name).read_bytes() == (tmp_path / "chosen" / name).read_bytes()


def test_the_one_that_is_left_keeps_the_name_of_a_part(several, tmp_path):
    record = edited(several, tmp_path / "out", suffix=".bvh", actions=[BROKEN, "Walk"])
    assert [output["file"] for output in record["outputs"]] == ["several - Walk.bvh"]


def test_a_target_gets_only_what_could_be_put_on_it(several, tmp_path):
    target = tmp_path / "in" / "target.bvh"
    clip_files.start_empty()
    bpy.ops.motion_editing.load_sample_motion(rate=20.0)
    bpy.ops.motion_editing.export_bvh(filepath=str(target))
    text = f'[target]\nfile = "{target.name}"\n{RECIPE}[[step]]\nedit = "retarget_motion"\n'
    summary = ran(several, tmp_path / "out", text)
    assert (summary.done, summary.partly, summary.failed) == (0, 1, 0)
    assert sorted(rows_of(tmp_path / "out" / "several.blend")) == ["Amble", "Walk"]


def test_a_file_in_part_counts_as_such_and_resume_does_it_again(several, tmp_path, capsys):
    summary = ran(several, tmp_path / "out")
    assert summary.text().startswith("0 edited, 1 edited in part in ")
    failures = [line for line in capsys.readouterr().err.splitlines() if line.startswith("failed: ")]
    assert len(failures) == 1
    assert failures[0].startswith("failed: several.blend: action 'Broken': step 2 (warp_time): ")
    jobs = plan_jobs([several], tmp_path / "out")
    assert unfinished(jobs, recipe_of(several.parent), tmp_path / "out") == jobs
    text = page(list(Records(tmp_path / "out").all()), title="x")
    assert "<b>several.blend: Broken</b>: step 2 (warp_time): " in text
    assert "<b>1</b>failed" in text
    assert "<b>2</b>clips" in text


def test_where_every_action_fails_the_file_fails_and_an_older_result_is_said_to_be_there(several, tmp_path, capsys):
    ran(several, tmp_path / "out", suffix=".bvh", actions=["Amble", "Walk"])
    text = '[[step]]\nedit = "blend_action"\nwith = { action = "Nobody" }\n'
    summary = ran(several, tmp_path / "out", text, suffix=".bvh", actions=["Amble", "Walk"])
    assert (summary.done, summary.partly, summary.failed) == (0, 0, 1)
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("failed: several.bvh: all 2 actions: step 1 (blend_action): ")
    assert said.endswith("of an earlier run there is still several - Amble.bvh, several - Walk.bvh")
    jobs = plan_jobs([several], tmp_path / "out", suffix=".bvh", actions=["Amble", "Walk"])
    assert unfinished(jobs, recipe_of(several.parent, text), tmp_path / "out") == jobs


def test_actions_whose_names_become_the_same_have_files_of_their_own(several, tmp_path):
    bpy.ops.wm.open_mainfile(filepath=str(several))
    bpy.data.actions["Amble"].name = "a/b"
    bpy.data.actions["Walk"].name = "A:B"
    bpy.data.actions.remove(bpy.data.actions[BROKEN])
    bpy.ops.wm.save_mainfile()
    record = edited(several, tmp_path / "out", suffix=".bvh")
    names = [output["file"] for output in record["outputs"]]
    assert sorted(name.lower() for name in names) == ["several - a_b 2.bvh", "several - a_b.bvh"]
    assert all(len(read_bvh(tmp_path / "out" / name).values) > 50 for name in names)


def test_info_says_what_it_can_of_a_file(several, capfd):
    from motion_editing.motion_editing_addon.batch.info import print_info

    bpy.ops.wm.open_mainfile(filepath=str(several))
    bag = bpy.data.actions[BROKEN].layers[0].strips[0].channelbags[0]
    for curve in list(bag.fcurves):
        curve.keyframe_points.clear()
    bpy.ops.wm.save_mainfile()
    assert not print_info([several], [], as_json=False)
    printed = capfd.readouterr()
    assert [line.split()[1] for line in printed.out.splitlines()[-2:]] == ["Amble", "Walk"]
    assert printed.err.splitlines()[-1].startswith(f"error: {several}: action 'Broken': ")

"""The rate of imported files, and of actions, where jumps speak against it, for it, or not at all."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from motion_editing.core.body.bvh_axes import to_file_axes
from motion_editing.core.files.bvh import write_bvh
from motion_editing.core.motion.motion import Motion
from motion_editing.core.sample_motion import sample_events, sample_motion
from motion_editing.motion_editing_addon.batch.formats import clip_files
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.running.job import run_job
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope


def jumps_that_say(path: Path, rate: float, *, jumps: int) -> Path:
    """A file of a figure that jumps some times, captured at 60 samples a second, which says another rate."""
    motion = sample_motion(rate=60)
    first, last = sample_events().flight
    frames = np.flatnonzero((motion.times > first - 0.6) & (motion.times < last + 0.6))
    chosen = np.concatenate([np.arange(frames[0]), *[frames] * jumps])
    repeated = Motion.build(motion.skeleton, motion.rotations[chosen], rate=rate, locations=motion.locations[chosen])
    write_bvh(path, to_file_axes(repeated))
    return path


def test_a_rate_with_which_people_fall_too_fast_is_not_believed(tmp_path, capfd):
    path = jumps_that_say(tmp_path / "jumps.bvh", 120.0, jumps=3)
    bpy.context.scene.render.fps = 24
    assert bpy.ops.motion_editing.import_bvh(filepath=str(path)) == {"FINISHED"}
    settings = bpy.context.object.animation_data.action.motion_editing
    assert settings.source_rate == pytest.approx(60.0, rel=1e-4)
    why = "Free fall in 3 jumps or strides shows about 65 samples a second, not the 120 that the file says"
    assert settings.source_rate_reason == why
    assert f"Warning: jumps.bvh: 60 samples a second: {why}" in capfd.readouterr().out
    assert bpy.ops.motion_editing.guess_source_rate() == {"FINISHED"}
    assert (settings.source_rate, settings.source_rate_reason) == (pytest.approx(60.0, rel=1e-4), why)


def test_one_jump_overrules_no_file(tmp_path, capfd):
    path = jumps_that_say(tmp_path / "jump.bvh", 120.0, jumps=1)
    bpy.ops.motion_editing.import_bvh(filepath=str(path))
    settings = bpy.context.object.animation_data.action.motion_editing
    assert settings.source_rate == pytest.approx(120.0, rel=1e-4)
    why = "As the file says, but free fall in a jump shows about 65 samples a second"
    assert settings.source_rate_reason == why
    assert f"Warning: jump.bvh: 120 samples a second: {why}" in capfd.readouterr().out


def test_a_rate_is_believed_where_nobody_is_to_check_it(tmp_path):
    path = jumps_that_say(tmp_path / "jumps.bvh", 120.0, jumps=3)
    bpy.ops.motion_editing.import_bvh(filepath=str(path), check_rate=False)
    settings = bpy.context.object.animation_data.action.motion_editing
    assert (settings.source_rate, settings.source_rate_reason) == (pytest.approx(120.0, rel=1e-4), "Stated by the file")


@pytest.mark.parametrize("fps", [24, 60])
def test_a_rate_that_nothing_shows_stays_as_it_was(fps, capfd):
    """The scene's is no answer."""
    bpy.ops.motion_editing.load_sample_motion(rate=60)
    armature = bpy.context.object
    for curve in action_io.channelbag(armature).fcurves:
        for point in reversed(curve.keyframe_points):
            if point.co[0] > 200:
                curve.keyframe_points.remove(point, fast=True)
        curve.update()
    bpy.context.scene.render.fps = fps
    settings = armature.animation_data.action.motion_editing
    settings.source_rate, settings.source_rate_reason = 0.0, ""
    assert bpy.ops.motion_editing.guess_source_rate() == {"FINISHED"}
    assert (settings.source_rate, settings.source_rate_reason) == (0.0, "")
    assert "Info: Unknown: there is no jump or stride in which a person falls freely" in capfd.readouterr().out


@pytest.mark.parametrize("suffix", [".bvh", ".glb"])
def test_a_batch_edits_at_the_rate_that_jumps_show_and_keeps_the_seconds_of_the_file(tmp_path, suffix):
    jumps_that_say(tmp_path / "jumps.bvh", 120.0, jumps=3)
    (tmp_path / "recipe.toml").write_text('[[step]]\nedit = "smooth"\n')
    (job,) = plan_jobs([tmp_path / "jumps.bvh"], tmp_path / "out", suffix=suffix, pictures=False)
    record = run_job(job, read_recipe(tmp_path / "recipe.toml"))
    said = "action 'jumps' seems to have 60 frames a second; the result plays 120, as its file"
    assert record["warnings"] == [said]
    clip_files.start_empty()
    clip_files.load(tmp_path / "out" / f"jumps{suffix}")
    assert scope.scene_rate(bpy.context) == pytest.approx(120.0, rel=1e-4)


@pytest.mark.clips
def test_captured_jumps_of_a_file_that_says_twice_their_rate(clips_folder):
    bpy.ops.motion_editing.import_bvh(filepath=str(clips_folder / "corpus" / "cmu_87_05.bvh"))
    assert bpy.context.object.animation_data.action.motion_editing.source_rate == pytest.approx(60.0, rel=1e-4)


@pytest.mark.parametrize("size", [1.0, 30.0])
def test_the_rate_of_a_giant_is_unknown(clips_folder, capfd, size):
    """It moves slowly, as people do who are seen at a higher rate."""
    bpy.ops.import_scene.gltf(filepath=str(clips_folder / "characters/kaiju-animations.glb"))
    giant = next(thing for thing in bpy.data.objects if scope.is_armature(thing))
    giant.scale = [size] * 3
    bpy.context.view_layer.objects.active = giant
    for name in ("Walk", "Walk RM", "Attack", "Death"):
        giant.animation_data.action = action = bpy.data.actions[name]
        giant.animation_data.action_slot = action.slots[0]
        capfd.readouterr()
        assert bpy.ops.motion_editing.guess_source_rate() == {"FINISHED"}
        assert action.motion_editing.source_rate == 0.0
        assert "Info: Unknown: " in capfd.readouterr().out

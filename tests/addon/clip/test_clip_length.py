"""Trim, split and conform: parts of a motion, and the motion at the scene's rate."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from rigs import chain_armature, key_bones
from timed_sample import load_timed_sample


@pytest.fixture
def sample(empty_scene):
    return load_timed_sample()


def motion_of(armature):
    return scope.read_clip(bpy.context, armature).motion


def ends(armature):
    return tuple(round(float(frame)) for frame in action_io.key_ends(armature))


@pytest.mark.parametrize(("part", "kept"), [("FROM", (100, 355)), ("UNTIL", (1, 100))])
def test_a_take_is_cut_at_the_playhead(sample, part, kept):
    before = motion_of(sample)
    bpy.context.scene.frame_set(100)
    assert bpy.ops.motion_editing.trim_clip(part=part) == {"FINISHED"}
    assert ends(sample) == kept
    after = motion_of(sample)
    rows = slice(kept[0] - 1, kept[1])
    np.testing.assert_allclose(after.rotations, before.rotations[rows], atol=1e-6)


def test_the_preview_range_is_kept_and_moved_to_the_start(sample):
    scene, before = bpy.context.scene, motion_of(sample)
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 50, 149
    assert bpy.ops.motion_editing.trim_clip(part="RANGE", to_start=True) == {"FINISHED"}
    assert ends(sample) == (1, 100)
    np.testing.assert_allclose(motion_of(sample).rotations, before.rotations[49:149], atol=1e-6)


def test_nothing_left_is_refused(sample):
    bpy.context.scene.frame_set(900)
    with pytest.raises(RuntimeError, match="Nothing would be left"):
        bpy.ops.motion_editing.trim_clip(part="FROM")
    assert ends(sample) == (1, 355)


def test_few_keys_stay_few_and_the_curve_keeps_its_shape(empty_scene):
    armature = chain_armature(3)
    key_bones(armature, [1, 20, 40, 60])
    before = [[curve.evaluate(frame) for frame in range(30, 51)] for curve in action_io.channelbag(armature).fcurves]
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 30, 50
    bpy.ops.motion_editing.trim_clip(part="RANGE")
    for curve, values in zip(action_io.channelbag(armature).fcurves, before, strict=True):
        assert [key.co.x for key in curve.keyframe_points] == [30.0, 40.0, 50.0]
        np.testing.assert_allclose([curve.evaluate(frame) for frame in range(30, 51)], values, atol=1e-3)


def test_trimming_is_an_edit_of_the_stack(sample):
    bpy.context.scene.frame_set(100)
    bpy.ops.motion_editing.trim_clip(part="FROM")
    entry = scope.action_of(sample).motion_editing_stack.entries[-1]
    assert entry.tool == "trim_clip"
    entry.is_muted = True
    assert ends(sample) == (1, 355)
    entry.is_muted = False
    assert ends(sample) == (100, 355)


@pytest.mark.parametrize("of_scene", [True, False])
def test_markers_split_a_motion_into_actions(sample, of_scene):
    action = scope.action_of(sample)
    markers = bpy.context.scene.timeline_markers if of_scene else action.pose_markers
    for frame in (100, 220):
        markers.new(f"at {frame}").frame = frame
    before = motion_of(sample)
    assert bpy.ops.motion_editing.split_clip(to_start=True) == {"FINISHED"}
    assert scope.action_of(sample) == action
    assert ends(sample) == (1, 355)
    parts = [bpy.data.actions[f"{action.name} {number}"] for number in (1, 2, 3)]
    assert [tuple(part.frame_range) for part in parts] == [(1, 100), (1, 121), (1, 136)]
    sample.animation_data.action = parts[1]
    sample.animation_data.action_slot = parts[1].slots[0]
    np.testing.assert_allclose(motion_of(sample).rotations, before.rotations[99:220], atol=1e-6)


def test_pauses_split_a_motion(sample):
    action, motion = scope.action_of(sample), motion_of(sample)
    rows = np.concatenate([np.arange(100), np.full(60, 100), np.arange(100, 355)])
    for curve in action.layers[0].strips[0].channelbags[0].fcurves:
        values = np.array([curve.evaluate(frame + 1) for frame in rows])
        curve.keyframe_points.clear()
        curve.keyframe_points.add(len(values))
        curve.keyframe_points.foreach_set("co", np.column_stack([np.arange(len(values)) + 1, values]).ravel())
        curve.update()
    assert len(motion_of(sample)) == len(motion) + 60
    assert bpy.ops.motion_editing.split_clip(by="IDLE") == {"FINISHED"}
    starts = [bpy.data.actions[f"{action.name} {number}"].frame_range[0] for number in (1, 2, 3)]
    assert any(100 < start < 165 for start in starts)


def test_a_motion_without_markers_is_not_split(sample):
    count = len(bpy.data.actions)
    with pytest.raises(RuntimeError, match="no markers within"):
        bpy.ops.motion_editing.split_clip()
    assert len(bpy.data.actions) == count


def test_a_capture_is_conformed_to_the_scene_in_real_time(empty_scene):
    scene = bpy.context.scene
    scene.render.fps = 24
    bpy.ops.motion_editing.load_sample_motion(rate=120.0)
    armature = bpy.context.object
    action = scope.action_of(armature)
    action.motion_editing.source_rate = 120.0
    before = motion_of(armature)
    assert before.rate == 120.0
    assert bpy.ops.motion_editing.conform_rate() == {"FINISHED"}
    after = motion_of(armature)
    assert after.rate == 24.0
    assert np.ptp(after.times) == pytest.approx(np.ptp(before.times), abs=1.0 / 24.0)
    shown = before.at(before.times[0] + after.times - after.times[0])
    off = np.linalg.norm(shown.poses.positions - after.poses.positions, axis=-1)
    assert np.median(off) < 0.005
    with pytest.raises(RuntimeError, match="24 frames a second already"):
        bpy.ops.motion_editing.conform_rate()


def test_trembling_is_averaged_when_a_rate_is_conformed(empty_scene):
    scene = bpy.context.scene
    scene.render.fps = 30
    armature = chain_armature(1)
    key_bones(armature, [1.0, 2.0])
    curve = action_io.channelbag(armature).fcurves[0]
    for each in list(action_io.channelbag(armature).fcurves)[1:]:
        action_io.channelbag(armature).fcurves.remove(each)
    curve.keyframe_points.clear()
    for frame in range(1, 242):
        curve.keyframe_points.insert(frame, 0.3 * (-1.0) ** frame)
    scope.action_of(armature).motion_editing.source_rate = 120.0
    bpy.ops.motion_editing.conform_rate()
    values = [key.co.y for key in curve.keyframe_points]
    assert len(values) == 61
    assert np.abs(values[2:-2]).max() < 0.1

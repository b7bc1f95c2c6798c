"""Tools with sliders where there is no window, and what smoothing writes."""

import bpy
import numpy as np
import pytest
from motion_editing.core.motion.smoothing import smooth
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.compatibility import select
from rigs import ROTATION_MODES, all_keys, chain_armature, key_bones

EVERY_FRAME = list(range(1, 41))


def rig(mode="QUATERNION", frames=EVERY_FRAME):
    armature = chain_armature(3, connected=False)
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    key_bones(armature, frames)
    return armature


def motion_of(armature):
    return action_io.read(armature, rate=24.0).motion


@pytest.mark.parametrize("mode", ROTATION_MODES)
@pytest.mark.parametrize("call", ["EXEC_DEFAULT", "INVOKE_DEFAULT"])
def test_without_a_window_both_ways_of_calling_give_what_core_gives(mode, call):
    armature = rig(mode)
    expected = smooth(motion_of(armature), radius=0.15, strength=0.7)
    assert bpy.ops.motion_editing.smooth(call, radius=0.15, strength=0.7) == {"FINISHED"}
    found = motion_of(armature)
    assert quaternion.angle_between(found.rotations, expected.rotations).max() < 2e-6
    np.testing.assert_allclose(found.locations, expected.locations, atol=1e-6)
    np.testing.assert_allclose(found.scales, expected.scales, atol=1e-6)


def test_strength_zero_changes_no_key():
    armature = rig()
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.smooth(radius=0.5, strength=0.0)
    assert all_keys(armature.animation_data.action) == before


def test_only_selected_bones_and_the_range_change():
    armature = rig()
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "bone1")
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 10, 20
    before, motion = all_keys(armature.animation_data.action), motion_of(armature)
    bpy.ops.motion_editing.smooth(radius=0.2, range="SCENE")
    after = all_keys(armature.animation_data.action)
    assert {key[1].split('"')[1] for key in after if after[key] != before[key]} == {"bone1"}
    frames = np.flatnonzero((motion_of(armature).locations != motion.locations).any(axis=(1, 2))) + 1
    assert frames.tolist() == list(range(11, 20))


def test_sparse_keys_stay_sparse():
    armature = rig(frames=[1, 5, 9, 13, 40])
    bpy.ops.motion_editing.smooth(radius=0.3)
    counts = {len(curve.keyframe_points) for curve in action_io.channelbag(armature).fcurves}
    assert counts == {5}


def test_several_armatures_are_smoothed_together():
    first, second = rig(), rig()
    for armature in (first, second):
        armature.select_set(True)
    bpy.ops.object.mode_set(mode="POSE")
    before = [motion_of(armature).locations for armature in (first, second)]
    bpy.ops.motion_editing.smooth(radius=0.2)
    for armature, locations in zip((first, second), before, strict=True):
        assert np.abs(motion_of(armature).locations - locations).max() > 0.01


def test_undo_brings_everything_back():
    armature = rig()
    bpy.ops.ed.undo_push(message="set up")
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.smooth(radius=0.3)
    bpy.ops.ed.undo_push(message="edit")
    assert all_keys(bpy.data.objects["Rig"].animation_data.action) != before
    bpy.ops.ed.undo()
    assert all_keys(bpy.data.objects["Rig"].animation_data.action) == before


def test_the_tool_starts_as_a_slider_and_blocks_other_tools():
    options = bpy.ops.motion_editing.smooth.bl_options
    assert {"REGISTER", "UNDO", "BLOCKING", "GRAB_CURSOR_X"} <= options

"""Ease Pose, Set Tangents and Detail Strength on hand-keyed motion: handles of the animator's own keys."""

from functools import partial

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.action_io.curves.handles import with_scaled_slopes
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.staggered import refit
from motion_editing.motion_editing_addon.staggered.edits.poses_run import Target
from motion_editing.motion_editing_addon.staggered.keyed import keyed_handles
from rigs import all_keys
from staggered_motions import keyed_pose_by_pose, motion_of, poses_of

POSE = 2


@pytest.fixture
def armature(empty_scene):
    return keyed_pose_by_pose()


def points(armature):
    """Frames and values of all keys, which no easing may change."""
    return {identity: keys["co"] for identity, keys in all_keys(armature.animation_data.action).items()}


def turning_speed(armature, joint=1):
    motion = motion_of(armature)
    return np.linalg.norm(np.diff(motion.rotations[:, joint], axis=0), axis=1)


@pytest.mark.parametrize("staggered", [False, True])
@pytest.mark.parametrize(
    ("operator", "properties"),
    [("ease_pose", {}), ("set_tangents", {}), ("set_tangents", {"shape": "FLAT"}), ("ease_pose", {"arriving": 2.0})],
)
def test_the_first_click_changes_the_ways_beside_the_pose_and_no_key(armature, operator, properties, staggered, capfd):
    if staggered:
        bpy.ops.motion_editing.succession(bone="bone0", offset=0.07, all_poses=True)
    keys, before = points(armature), motion_of(armature)
    timing = refit.require(bpy.context, armature, fresh=True).model.timing.extreme_times
    assert getattr(bpy.ops.motion_editing, operator)(pose=POSE, **properties) == {"FINISHED"}
    assert "bones over" in capfd.readouterr().out
    assert points(armature) == keys
    changed = (np.abs(motion_of(armature).rotations - before.rotations) > 1e-5).any(axis=2)
    joints = np.flatnonzero(changed.any(axis=0))
    assert len(joints) >= 3, "one of the four rests in the pose already"
    for joint in joints:
        times = motion_of(armature).times[changed[:, joint]] * 30.0 / 24.0
        assert times.min() > timing[POSE - 1, joint]
        assert times.max() < timing[POSE + 1, joint]


def test_a_smaller_factor_comes_in_and_goes_out_more_slowly(armature):
    row = 12 * POSE
    speeds = []
    for factor in (1.0, 0.5, 0.0):
        bpy.ops.motion_editing.ease_pose(pose=POSE, arriving=factor, leaving=factor)
        speeds.append(turning_speed(armature)[[row - 1, row]].max())
    assert speeds[0] > 1.3 * speeds[1] > 1.3 * speeds[2]


def test_both_sides_of_the_pose_are_eased_by_themselves(armature):
    before = motion_of(armature).rotations
    bpy.ops.motion_editing.ease_pose(pose=POSE, arriving=1.0, leaving=0.2)
    changed = (np.abs(motion_of(armature).rotations - before) > 1e-5).any(axis=(1, 2))
    rows = np.flatnonzero(changed)
    assert rows.min() > 12 * POSE
    assert rows.max() < 12 * (POSE + 1)


def test_auto_tangents_pass_with_one_velocity_and_straight_ones_point_at_the_poses_beside(armature):
    bpy.ops.motion_editing.set_tangents(pose=POSE, shape="AUTO")
    for curve in action_io.channelbag(armature).fcurves:
        before, key, after = curve.keyframe_points[POSE - 1 : POSE + 2]
        slope = (after.co[1] - before.co[1]) / (after.co[0] - before.co[0])
        for handle in (key.handle_left, key.handle_right):
            assert (handle[1] - key.co[1]) == pytest.approx(slope * (handle[0] - key.co[0]), abs=1e-5)
    bpy.ops.motion_editing.set_tangents(pose=POSE, shape="STRAIGHT", side="LEAVING")
    for curve in action_io.channelbag(armature).fcurves:
        key, after = curve.keyframe_points[POSE : POSE + 2]
        third = (after.co - key.co) / 3.0
        np.testing.assert_allclose(key.handle_right - key.co, third, atol=1e-5)


def test_only_selected_bones_are_eased(armature):
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "bone1")
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.ease_pose(pose=POSE)
    after = all_keys(armature.animation_data.action)
    changed = {identity[1].split('"')[1] for identity in after if after[identity] != before[identity]}
    assert changed == {"bone1"}


def test_straight_ways_become_curves_and_stepped_ones_stay(armature):
    curves = action_io.channelbag(armature).fcurves
    for number, curve in enumerate(curves):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR" if number % 2 else "CONSTANT"
    bpy.ops.motion_editing.rebuild_poses()
    bpy.ops.motion_editing.ease_pose(pose=POSE, arriving=0.0, leaving=0.0)
    for number, curve in enumerate(curves):
        kinds = [key.interpolation for key in curve.keyframe_points]
        straight = ["LINEAR", "BEZIER", "BEZIER", "LINEAR", "LINEAR"]
        assert kinds == (straight if number % 2 else ["CONSTANT"] * 5)


def test_stepped_poses_say_what_to_do(armature):
    for curve in action_io.channelbag(armature).fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "CONSTANT"
    bpy.ops.motion_editing.rebuild_poses()
    with pytest.raises(RuntimeError, match="set their interpolation to Bézier first"):
        bpy.ops.motion_editing.set_tangents(pose=POSE)


def test_while_the_mouse_moves_the_rig_shows_what_will_be_and_the_keys_stay(armature):
    saved = refit.require(bpy.context, armature, fresh=True)
    clip = scope.read_clip(bpy.context, armature)
    target = Target(armature, clip, saved, POSE, [POSE], np.ones(5, dtype=bool))
    before = all_keys(armature.animation_data.action)
    seen = keyed_handles.preview(bpy.context, target, partial(with_scaled_slopes, arriving=0.5, leaving=0.5))
    assert all_keys(armature.animation_data.action) == before
    bpy.ops.motion_editing.ease_pose(pose=POSE)
    np.testing.assert_array_equal(scope.read_clip(bpy.context, armature).motion.rotations, seen.rotations)


def test_the_poses_fit_afterwards_and_undo_brings_all_back(armature):
    bpy.ops.ed.undo_push(message="before")
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.ease_pose(pose=POSE)
    bpy.ops.ed.undo_push(message="eased")
    assert bpy.ops.motion_editing.exaggerate_pose(pose=POSE) == {"FINISHED"}
    bpy.ops.ed.undo()
    assert all_keys(bpy.data.objects["Rig"].animation_data.action) == before


def test_a_pose_without_keys_of_the_bone_says_what_to_do(armature):
    for curve in action_io.channelbag(armature).fcurves:
        if "bone1" in curve.data_path:
            curve.keyframe_points.remove(curve.keyframe_points[POSE])
    bpy.ops.motion_editing.rebuild_poses()
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "bone1")
    with pytest.raises(RuntimeError, match="no keys in this pose: pick another pose, or select other bones"):
        bpy.ops.motion_editing.ease_pose(pose=POSE)


def test_detail_needs_keys_between_the_poses(armature):
    assert not bpy.ops.motion_editing.detail_strength.poll()
    with pytest.raises(RuntimeError, match="lower Poses Shown first"):
        bpy.ops.motion_editing.detail_strength()
    poses_of(armature).share = 0.0
    assert len(poses_of(armature).poses) == 2
    before = points(armature)
    assert bpy.ops.motion_editing.detail_strength(pose=0, strength=0.0) == {"FINISHED"}
    changed = 0
    for identity, keys in points(armature).items():
        old, new = (np.frombuffer(each, dtype=np.float32).reshape(-1, 2) for each in (before[identity], keys))
        np.testing.assert_array_equal(old[:, 0], new[:, 0])
        np.testing.assert_array_equal(old[[0, -1]], new[[0, -1]])
        changed += (old[1:-1] != new[1:-1]).any()
    assert changed > 8
    poses_of(armature).share = 1.0
    assert not bpy.ops.motion_editing.detail_strength.poll()


def test_captured_motion_has_detail_in_any_case():
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    bpy.ops.motion_editing.extract_poses(share=0.4)
    assert bpy.ops.motion_editing.detail_strength.poll()

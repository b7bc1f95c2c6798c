"""Staggered poses made of keys, or key by key."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.compatibility import select
from rigs import chain_armature
from staggered_motions import keyed_chain, keyed_pose_by_pose, poses_of


def test_poses_from_keys_and_sparse_edits():
    armature = keyed_chain()
    assert bpy.ops.motion_editing.poses_from_keys() == {"FINISHED"}
    assert [round(pose.frame) for pose in poses_of(armature).poses] == pytest.approx([10, 30, 50], abs=2)
    bpy.ops.motion_editing.scale_stagger(factor=2.0, all_poses=True)
    frames = {
        curve.data_path.split('"')[1]: [round(key.co[0], 2) for key in curve.keyframe_points]
        for curve in action_io.channelbag(armature).fcurves
    }
    spread = frames["bone2"][1] - frames["bone0"][1]
    assert spread == pytest.approx(4.0, abs=0.01)
    assert all(len(each) == 3 for each in frames.values())


def test_an_edited_pose_of_keys_moves_the_keys_own_values():
    armature = keyed_chain()
    bpy.ops.motion_editing.poses_from_keys()
    bpy.ops.motion_editing.edit_staggered_pose(pose=1)
    bone = armature.pose.bones["bone1"]
    wanted = quaternion.from_axis_angle([0.0, 0.0, 1.0], 0.7)
    bone.rotation_quaternion = wanted
    bpy.ops.motion_editing.apply_staggered_pose()
    curves = [c for c in action_io.channelbag(armature).fcurves if "bone1" in c.data_path]
    assert all(len(curve.keyframe_points) == 3 for curve in curves)
    values = [curve.keyframe_points[1].co[1] for curve in sorted(curves, key=lambda c: c.array_index)]
    assert quaternion.angle_between(quaternion.normalize(values), wanted) < 1e-4


def test_motion_from_scratch():
    armature = chain_armature(2)
    for frame, turn in ((1, 0.0), (20, 0.8), (40, -0.3)):
        bpy.context.scene.frame_set(frame)
        for bone in armature.pose.bones:
            bone.rotation_quaternion = quaternion.from_axis_angle([1.0, 0, 0], turn)
        assert bpy.ops.motion_editing.key_staggered_pose() == {"FINISHED"}
    assert [round(pose.frame) for pose in poses_of(armature).poses] == [1, 20, 40]
    bpy.ops.motion_editing.succession(bone="bone0", offset=0.1, all_poses=True, whole_frames=False)
    frames = {c.data_path.split('"')[1]: c.keyframe_points[1].co[0] for c in action_io.channelbag(armature).fcurves}
    assert frames["bone1"] - frames["bone0"] == pytest.approx(2.4, abs=0.01)


def test_key_pose_still_remembers_the_stagger_that_was_taken_away():
    armature = keyed_chain()
    bpy.ops.motion_editing.poses_from_keys()
    before = [key[:2] for key in sorted(keys_of(armature)) if key[1] < 52]
    bpy.ops.motion_editing.unstagger(all_poses=True)
    bpy.context.scene.frame_set(70)
    assert bpy.ops.motion_editing.key_staggered_pose() == {"FINISHED"}
    assert len(poses_of(armature).poses) == 4
    assert bpy.ops.motion_editing.restagger(all_poses=True) == {"FINISHED"}
    after = [key[:2] for key in sorted(keys_of(armature)) if key[1] < 52]
    assert [name for name, _ in after] == [name for name, _ in before]
    np.testing.assert_allclose([frame for _, frame in after], [frame for _, frame in before], atol=0.01)


def keys_of(armature):
    """Bone and frame of every key of the first rotation channel."""
    return [
        (curve.data_path.split('"')[1], float(key.co[0]))
        for curve in action_io.channelbag(armature).fcurves
        if curve.data_path.endswith("rotation_quaternion") and curve.array_index == 0
        for key in curve.keyframe_points
    ]


def test_key_pose_leaves_the_times_of_the_poses_that_there_are():
    armature = keyed_pose_by_pose()
    bpy.ops.motion_editing.succession(bone="bone0", offset=0.08, all_poses=True)
    settings = poses_of(armature)
    settings.active = 1
    bpy.ops.motion_editing.pin_pose(pose=1)
    bpy.ops.motion_editing.delete_staggered_pose(pose=3)
    before = [(pose.frame, pytest.approx(pose.spread, abs=1e-5), pose.pinned) for pose in settings.poses]
    bpy.context.scene.frame_set(70)
    assert bpy.ops.motion_editing.key_staggered_pose() == {"FINISHED"}
    assert [(pose.frame, pose.spread, pose.pinned) for pose in settings.poses[:-1]] == before
    assert settings.poses[-1].frame == 70
    assert settings.active == len(settings.poses) - 1, "the pose that was keyed is picked"


def test_a_bone_keyed_at_a_pose_becomes_part_of_it():
    armature = keyed_chain()
    bpy.ops.motion_editing.poses_from_keys()
    frames = [pose.frame for pose in poses_of(armature).poses]
    curves = [curve for curve in action_io.channelbag(armature).fcurves if "bone2" in curve.data_path]
    for curve in curves:
        curve.keyframe_points.remove(curve.keyframe_points[1])
    bpy.ops.motion_editing.rebuild_poses()
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "bone2")
    bpy.context.scene.frame_set(33)
    assert bpy.ops.motion_editing.key_staggered_pose() == {"FINISHED"}
    assert [pose.frame for pose in poses_of(armature).poses] == frames
    assert poses_of(armature).poses[1].spread == pytest.approx(33 - 30, abs=0.01)


def test_the_root_of_hand_keyed_motion_is_un_staggered_in_place_and_turn():
    armature = keyed_chain()
    root = armature.pose.bones["bone0"]
    for frame, place in ((12, 0.0), (32, 0.5), (52, -0.2)):
        root.location = (place, 0.0, 0.0)
        root.keyframe_insert("location", frame=frame)
        root.keyframe_delete("rotation_quaternion", frame=frame - 2)
        root.keyframe_insert("rotation_quaternion", frame=frame)
    bpy.ops.motion_editing.poses_from_keys()
    values = [key.co[1] for key in place_curve(armature).keyframe_points]
    bpy.ops.motion_editing.unstagger(all_poses=True)
    bpy.ops.motion_editing.exaggerate_pose(pose=1, weight=0.0)
    frames = [pose.frame for pose in poses_of(armature).poses]
    np.testing.assert_allclose([key.co[0] for key in place_curve(armature).keyframe_points], frames, atol=1e-3)
    assert [key.co[1] for key in place_curve(armature).keyframe_points] == values


def place_curve(armature):
    return next(curve for curve in action_io.channelbag(armature).fcurves if curve.data_path.endswith("location"))

"""A full control rig: constraints, IK and drivers move what the channels alone do not tell."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.armature import why_sampled
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.character import joint_positions
from rigs import all_keys


@pytest.fixture(scope="module")
def rig_file(generated, tmp_path_factory):
    """A Rigify human with a few keyed controls, saved once for all tests."""
    rig = generated("human")
    controls = [rig.pose.bones[name] for name in ("torso", "hand_ik.L", "foot_ik.R", "chest")]
    for frame, lift in ((1, 0.0), (11, 0.15), (21, -0.05)):
        for bone in controls:
            bone.location = (0.1 * lift, lift, lift)
            bone.rotation_quaternion = quaternion.from_axis_angle([1.0, 0, 0], lift * 2)
            bone.rotation_euler = (lift, 0, 0)
            bone.keyframe_insert("location", frame=frame)
            bone.keyframe_insert("rotation_quaternion" if bone.rotation_mode == "QUATERNION" else "rotation_euler",
                                 frame=frame)  # fmt: skip
    path = tmp_path_factory.mktemp("rigify") / "rig.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


@pytest.fixture
def rig(rig_file, empty_scene):
    bpy.ops.wm.open_mainfile(filepath=str(rig_file))
    return bpy.data.objects["rig"]


def test_the_controls_are_read_and_written_sparse(rig):
    assert len(rig.pose.bones) > 500
    clip = action_io.read(rig, rate=24.0)
    hand = clip.motion.skeleton.index["hand_ik.L"]
    locations = np.array(clip.motion.locations)
    locations[:, hand] += (0.0, 0.0, 0.2)
    before = all_keys(rig.animation_data.action)
    report = action_io.write(clip, clip.motion.with_locations(locations))
    assert report.bones == 1
    after = all_keys(rig.animation_data.action)
    changed = {identity[1] for identity in after if after[identity] != before[identity]}
    assert changed == {'pose.bones["hand_ik.L"].location'}
    again = action_io.read(rig, rate=24.0).motion
    np.testing.assert_allclose(again.locations[:, hand], locations[:, hand], atol=1e-5)


@pytest.fixture
def odd_rig(rig):
    """The same with a constraint that core does not work out."""
    pivot = rig.pose.bones["head"].constraints.new("PIVOT")
    pivot.target, pivot.subtarget = rig, "torso"
    return rig


def test_positions_are_worked_out_for_all_frames_at_once(rig):
    joint_positions.forget()
    clip = scope.read_clip(bpy.context, rig)
    bpy.context.scene.frame_set(7)
    assert list(joint_positions.sample_in_steps(bpy.context, clip)) == []
    assert bpy.context.scene.frame_current == 7
    positions = joint_positions.positions_of(bpy.context, clip)
    for frame in (1, 6, 11, 17):
        bpy.context.scene.frame_set(frame)
        posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        expected = [posed.matrix_world @ bone.head for bone in posed.pose.bones]
        np.testing.assert_allclose(positions[frame - 1, 1:], np.array(expected), atol=2e-4)


def test_positions_are_sampled_from_blender_and_remembered(odd_rig):
    rig = odd_rig
    assert why_sampled(rig)
    joint_positions.forget()
    clip = scope.read_clip(bpy.context, rig)
    bpy.context.scene.frame_set(7)
    shares = list(joint_positions.sample_in_steps(bpy.context, clip))
    assert len(shares) == len(clip.frames)
    assert bpy.context.scene.frame_current == 7
    positions = joint_positions.positions_of(bpy.context, clip)
    assert list(joint_positions.sample_in_steps(bpy.context, clip)) == []
    frame = 11
    bpy.context.scene.frame_set(frame)
    posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    expected = [posed.matrix_world @ bone.head for bone in posed.pose.bones]
    np.testing.assert_allclose(positions[frame - 1, 1:], np.array(expected), atol=1e-5)
    forearm = clip.motion.skeleton.index["DEF-forearm.L"]
    assert np.ptp(positions[:, forearm], axis=0).max() > 0.02, "IK should move the arm"


def test_a_changed_key_asks_for_new_samples(rig):
    joint_positions.forget()
    clip = scope.read_clip(bpy.context, rig)
    joint_positions.positions_of(bpy.context, clip)
    assert joint_positions.is_at_hand(clip)
    curve = action_io.channelbag(rig).fcurves[0]
    curve.keyframe_points[1].co[1] += 0.1
    assert not joint_positions.is_at_hand(scope.read_clip(bpy.context, rig))


def test_stopping_early_restores_the_frame_and_remembers_nothing(odd_rig):
    joint_positions.forget()
    clip = scope.read_clip(bpy.context, odd_rig)
    bpy.context.scene.frame_set(5)
    steps = joint_positions.sample_in_steps(bpy.context, clip)
    next(steps)
    next(steps)
    steps.close()
    assert bpy.context.scene.frame_current == 5
    assert not joint_positions.is_at_hand(clip)


def test_staggered_poses_of_the_controls_keep_their_keys_sparse(rig):
    bpy.context.view_layer.objects.active = rig
    before = {(c.data_path, c.array_index): len(c.keyframe_points) for c in action_io.channelbag(rig).fcurves}
    assert bpy.ops.motion_editing.poses_from_keys() == {"FINISHED"}
    rows = rig.animation_data.action.motion_editing_staggered.poses
    assert [round(row.frame) for row in rows] == [1, 11, 21]
    assert bpy.ops.motion_editing.succession(bone="torso", offset=0.05, pose=1) == {"FINISHED"}
    curves = list(action_io.channelbag(rig).fcurves)
    assert {(c.data_path, c.array_index): len(c.keyframe_points) for c in curves} == before
    chest = [c for c in curves if '"chest"' in c.data_path]
    torso = [c for c in curves if '"torso"' in c.data_path]
    assert all(c.keyframe_points[1].co[0] == pytest.approx(11) for c in torso)
    assert all(c.keyframe_points[1].co[0] > 11.5 for c in chest)


def test_a_pose_tree_takes_a_keyed_space_switch_along(rig):
    bpy.context.view_layer.objects.active = rig
    torso = rig.pose.bones["torso"]
    for frame, parent in ((1, 1), (11, 0)):
        torso["torso_parent"] = parent
        torso.keyframe_insert('["torso_parent"]', frame=frame)
    operators, action = bpy.ops.motion_editing, rig.animation_data.action
    operators.add_pose_tree()
    operators.embed_action(action=action.name)
    bpy.context.scene.frame_set(1)
    operators.follow_tree_path()
    for frame, parent in ((1, 1), (10, 1), (11, 0), (21, 0)):
        bpy.context.scene.frame_set(frame)
        assert torso["torso_parent"] == parent
    operators.leave_tree_path()
    assert operators.add_tree_pose(name="Free") == {"FINISHED"}
    assert operators.bake_pose_tree(use_scene=False, first=1, last=21) == {"FINISHED"}

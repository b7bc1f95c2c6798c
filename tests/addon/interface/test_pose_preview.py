"""An edited motion on the rig: right in every rotation mode, at any frame, and gone without a trace."""

import bpy
import numpy as np
import pytest
from motion_editing.core.motion.motion import Motion
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.interface.operators.pose_preview import PosePreview, stop_all
from previewed_rig import changed, handlers_are_gone, rig
from rigs import ROTATION_MODES, all_keys, chain_armature, evaluated_matrices, key_bones


@pytest.fixture(autouse=True)
def no_handler_left():
    yield from handlers_are_gone()


CHANNELS = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")


def channels(armature):
    holders = (armature, *armature.pose.bones)
    return [[tuple(getattr(holder, name)) for name in CHANNELS] for holder in holders]


def matrices(armature):
    """World matrices of the bones as they are now, the frame left alone."""
    bpy.context.view_layer.update()
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([posed.matrix_world @ bone.matrix for bone in posed.pose.bones])


def test_no_key_changes_and_restoring_is_exact():
    armature, clip = rig()
    keys, pose, placed = all_keys(armature.animation_data.action), channels(armature), matrices(armature)
    preview = PosePreview(clip)
    assert channels(armature) == pose
    assert preview.show(changed(clip.motion, 2)) == 1
    assert channels(armature) != pose
    assert np.abs(matrices(armature) - placed).max() > 0.05
    preview.restore()
    assert channels(armature) == pose
    np.testing.assert_array_equal(matrices(armature), placed)
    assert all_keys(armature.animation_data.action) == keys


@pytest.mark.parametrize("mode", ROTATION_MODES)
def test_the_rig_stands_as_it_will_once_the_motion_is_written(mode):
    armature, clip = rig(mode=mode)
    motion = changed(clip.motion, 2)
    preview = PosePreview(clip)
    preview.show(motion)
    previewed = matrices(armature)
    preview.restore()
    action_io.write(clip, motion)
    np.testing.assert_allclose(previewed, evaluated_matrices(armature, 7), atol=2e-6)


def test_only_joints_that_differ_are_set():
    armature, clip = rig()
    pose = channels(armature)
    preview = PosePreview(clip)
    preview.show(changed(clip.motion, 2))
    assert [now != then for now, then in zip(channels(armature), pose, strict=True)] == [False, False, True, False]
    preview.show(changed(clip.motion, 3))
    assert [now != then for now, then in zip(channels(armature), pose, strict=True)] == [False, False, False, True]
    assert preview.show(clip.motion) == 0
    assert channels(armature) == pose
    preview.restore()


def test_the_object_itself_can_be_moved():
    armature, clip = rig()
    preview = PosePreview(clip)
    preview.show(changed(clip.motion, 0))
    assert armature.location[0] == pytest.approx(0.2)
    preview.restore()
    assert tuple(armature.location) == (0.0, 0.0, 0.0)


def test_pose_changes_that_are_not_keyed_come_back():
    armature, clip = rig()
    bone = armature.pose.bones["bone1"]
    bone.location = (9.0, 8.0, 7.0)
    pose = channels(armature)
    preview = PosePreview(clip)
    preview.show(changed(clip.motion, 2))
    assert bone.location[0] < 5.0
    preview.restore()
    assert channels(armature) == pose


def test_it_follows_the_frame_and_leaves_what_the_curves_give():
    armature, clip = rig()
    motion = changed(clip.motion, 2)
    preview = PosePreview(clip)
    preview.show(motion)
    bpy.context.scene.frame_set(12)
    np.testing.assert_allclose(armature.pose.bones["bone1"].location, motion.locations[11, 2], atol=1e-6)
    wanted = matrices(armature)
    preview.restore()
    action_io.write(clip, motion)
    np.testing.assert_allclose(wanted, evaluated_matrices(armature, 12), atol=2e-6)


def test_restoring_at_another_frame_gives_that_frame():
    armature, clip = rig()
    bpy.context.scene.frame_set(12)
    wanted = channels(armature)
    bpy.context.scene.frame_set(7)
    preview = PosePreview(clip)
    preview.show(changed(clip.motion, 2))
    bpy.context.scene.frame_set(12)
    preview.restore()
    assert channels(armature) == wanted


def test_channels_without_keys_come_back_after_frames_have_changed():
    armature, clip = rig()
    bag = action_io.channelbag(armature)
    for curve in list(bag.fcurves):
        if curve.data_path.endswith("location"):
            bag.fcurves.remove(curve)
    for bone in armature.pose.bones:
        bone.location = (1.0, 2.0, 3.0)
    clip = action_io.read(armature, rate=24.0)
    preview = PosePreview(clip)
    preview.show(changed(clip.motion, 2))
    bpy.context.scene.frame_set(12)
    bpy.context.scene.frame_set(13)
    assert armature.pose.bones["bone1"].location[0] == pytest.approx(1.2)
    preview.restore()
    assert [tuple(bone.location) for bone in armature.pose.bones] == [(1.0, 2.0, 3.0)] * 3


def test_curves_of_an_idle_rotation_mode_are_left_to_blender():
    armature, clip = rig()
    bag = action_io.channelbag(armature)
    curve = bag.fcurves.new('pose.bones["bone0"].rotation_euler', index=0)
    curve.keyframe_points.insert(1, 0.0)
    curve.keyframe_points.insert(31, 3.0)
    clip = action_io.read(armature, rate=24.0)
    preview = PosePreview(clip)
    preview.show(changed(clip.motion, 1))
    bpy.context.scene.frame_set(16)
    preview.restore()
    assert armature.pose.bones["bone0"].rotation_euler[0] == curve.evaluate(16) != 0.0


def test_frames_between_samples():
    armature, clip = rig()
    motion = changed(clip.motion, 2)
    preview = PosePreview(clip)
    bpy.context.scene.frame_set(7, subframe=0.25)
    preview.show(motion)
    expected = 0.75 * motion.locations[6, 2] + 0.25 * motion.locations[7, 2]
    np.testing.assert_allclose(armature.pose.bones["bone1"].location, expected, atol=1e-6)
    preview.restore()


def test_nla_tweak_mode_shows_the_action_at_the_strips_time():
    armature, _clip = rig()
    action = armature.animation_data.action
    strip = armature.animation_data.nla_tracks.new().strips.new("strip", 101, action)
    strip.action_slot = action.slots[0]
    armature.animation_data.action = None
    bpy.context.view_layer.objects.active = armature
    armature.animation_data.nla_tracks[0].select = strip.select = True
    armature.animation_data.use_tweak_mode = True
    bpy.context.scene.frame_set(107)
    clip = scope.read_clip(bpy.context, armature)
    scene_frames = scope.to_scene(armature, clip.frames)
    motion = changed(clip.motion, 2)
    preview = PosePreview(clip)
    preview.show(motion)
    sample = int(np.flatnonzero(scene_frames == 107)[0])
    np.testing.assert_allclose(armature.pose.bones["bone1"].location, motion.locations[sample, 2], atol=1e-6)
    preview.restore()


def test_outside_a_part_of_the_keys_nothing_shows():
    armature, _clip = rig()
    clip = action_io.read(armature, rate=24.0, start=10, end=20)
    preview, pose = PosePreview(clip), channels(armature)
    assert preview.show(changed(clip.motion, 2)) == 0
    assert channels(armature) == pose
    bpy.context.scene.frame_set(12)
    assert channels(armature)[2] != pose[2]
    preview.restore()


def test_beyond_the_last_key_its_pose_is_held():
    armature, clip = rig()
    bpy.context.scene.frame_set(50)
    motion = changed(clip.motion, 2)
    preview = PosePreview(clip)
    assert preview.show(motion) == 1
    np.testing.assert_allclose(armature.pose.bones["bone1"].location, motion.locations[-1, 2], atol=1e-6)
    preview.restore()


def test_switching_off_ends_all_previews():
    armature, clip = rig()
    pose = channels(armature)
    PosePreview(clip).show(changed(clip.motion, 2))
    stop_all()
    assert channels(armature) == pose


def test_quaternions_keep_the_sign_of_the_pose():
    armature, clip = rig(frames=[7])
    bone = armature.pose.bones["bone1"]
    flipped = -np.array(bone.rotation_quaternion)
    for index, value in enumerate(flipped):
        curve = action_io.channelbag(armature).fcurves.find(bone.path_from_id("rotation_quaternion"), index=index)
        curve.keyframe_points[0].co[1] = value
        curve.update()
    bpy.context.scene.frame_set(7)
    clip = action_io.read(armature, rate=24.0)
    preview = PosePreview(clip)
    preview.show(changed(clip.motion, 2, angle=0.1))
    assert np.dot(bone.rotation_quaternion, flipped) > 0.0
    preview.restore()


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ"])
def test_sixty_bones_follow_every_update(mode):
    armature = chain_armature(60, connected=False)
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    key_bones(armature, [1, 1000])
    bpy.context.scene.frame_set(100)
    clip = action_io.read(armature, rate=24.0)
    preview = PosePreview(clip)
    for step in range(1, 4):
        motion = _all_turned(clip.motion, 0.01 * step)
        assert preview.show(motion) == 60
        bpy.context.view_layer.update()
        shown = [np.array(bone.matrix_basis.to_quaternion()) for bone in armature.pose.bones]
        away = quaternion.angle_between(np.array(shown), motion.rotations[99, 1:])
        np.testing.assert_allclose(away, 0.0, atol=1e-3)
    preview.restore()


def _all_turned(motion: Motion, angle: float) -> Motion:
    turn = np.broadcast_to(quaternion.from_axis_angle([1.0, 0.0, 0.0], angle), motion.rotations.shape).copy()
    turn[:, 0] = quaternion.IDENTITY
    return motion.with_rotations(quaternion.multiply(motion.rotations, turn))


def test_a_deleted_rig_does_not_keep_others_from_ending():
    armature, clip = rig()
    preview = PosePreview(clip)
    preview.show(changed(clip.motion, 1))
    bpy.data.objects.remove(armature)
    stop_all()  # no handler may be left, as after every test

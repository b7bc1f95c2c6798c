"""Writing motions back to F-curves: exactly what changed, and nothing else."""

import bpy
import numpy as np
import pytest
from motion_editing.core.errors import MotionEditError
from motion_editing.core.motion.motion import Motion
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.action_io import KeyOptions
from motion_editing.motion_editing_addon.border.armature import skeleton_of
from rigs import ROTATION_MODES, all_keys, chain_armature, key_bones

EVERY_FRAME = list(range(1, 31))
SPARSE = [1, 8, 15, 30]


def turned(clip, joint, angle, frames=slice(None)):
    """The clip's motion with one joint turned further about its x axis."""
    rotations = np.array(clip.motion.rotations)
    turn = quaternion.from_axis_angle([1.0, 0, 0], angle)
    rotations[frames, joint] = quaternion.multiply(rotations[frames, joint], turn)
    return clip.motion.with_rotations(rotations)


@pytest.mark.parametrize("frames", [SPARSE, EVERY_FRAME])
def test_writing_back_without_an_edit_changes_nothing(frames):
    armature = chain_armature(3)
    action = key_bones(armature, frames)
    before = all_keys(action)
    clip = action_io.read(armature, rate=24.0)
    report = action_io.write(clip, clip.motion)
    assert all_keys(action) == before
    assert (report.bones, report.frames) == (0, 0)


@pytest.mark.parametrize("mode", ROTATION_MODES)
def test_dense_rotation_comes_back_as_written(mode):
    armature = chain_armature(3)
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    key_bones(armature, EVERY_FRAME)
    clip = action_io.read(armature, rate=24.0)
    wanted = turned(clip, 2, 0.4, slice(5, 12))
    report = action_io.write(clip, wanted)
    again = action_io.read(armature, rate=24.0)
    assert quaternion.angle_between(again.motion.rotations, wanted.rotations).max() < 1e-6
    assert (report.bones, report.frames) == (1, 7)


@pytest.mark.parametrize("mode", ROTATION_MODES)
def test_untouched_channels_and_frames_stay_bit_for_bit(mode):
    armature = chain_armature(3)
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    action = key_bones(armature, EVERY_FRAME)
    before = all_keys(action)
    raw_before = action_io.read(armature, rate=24.0).raw
    clip = action_io.read(armature, rate=24.0)
    action_io.write(clip, turned(clip, 2, 0.4, slice(5, 12)))
    after = all_keys(action)
    rotation = clip.channels.joints[2][1]
    for identity, keys in before.items():
        if identity[1] != rotation.path:
            assert after[identity] == keys
    again = action_io.read(armature, rate=24.0).raw[rotation]
    outside = np.r_[0:5, 12 : len(clip.frames)]
    np.testing.assert_array_equal(again[outside], raw_before[rotation][outside])


def test_sparse_keys_stay_sparse():
    armature = chain_armature(3)
    action = key_bones(armature, SPARSE)
    before = all_keys(action)
    clip = action_io.read(armature, rate=24.0)
    action_io.write(clip, turned(clip, 1, 0.3))
    after = all_keys(action)
    for identity, keys in after.items():
        frames = np.frombuffer(keys["co"], dtype=np.float32).reshape(-1, 2)[:, 0]
        np.testing.assert_array_equal(frames, SPARSE)
        assert keys["type"] == before[identity]["type"]
    at_keys = np.isin(clip.frames, SPARSE)
    got = action_io.read(armature, rate=24.0).motion.rotations[at_keys, 1]
    assert quaternion.angle_between(got, turned(clip, 1, 0.3).rotations[at_keys, 1]).max() < 1e-6


def test_handles_set_by_hand_move_with_their_key():
    armature = chain_armature(1)
    bone = armature.pose.bones[0]
    for frame, value in ((1, 0.0), (11, 1.0), (21, 0.0)):
        bone.location[0] = value
        bone.keyframe_insert("location", index=0, frame=frame)
    curve = action_io.channelbag(armature).fcurves[0]
    middle = curve.keyframe_points[1]
    middle.handle_left_type = middle.handle_right_type = "FREE"
    middle.handle_left, middle.handle_right = (8, 1.5), (13, 0.5)
    curve.update()
    clip = action_io.read(armature, rate=24.0)
    action_io.write(clip, clip.motion.with_locations(clip.motion.locations + np.array([2.0, 0, 0])))
    middle = curve.keyframe_points[1]
    assert tuple(middle.handle_left) == pytest.approx((8, 3.5))
    assert tuple(middle.handle_right) == pytest.approx((13, 2.5))
    assert middle.handle_left_type == "FREE"


def test_modifiers_are_read_and_their_share_is_kept():
    armature = chain_armature(1)
    bone = armature.pose.bones[0]
    for frame in range(1, 11):
        bone.location[0] = frame * 0.1
        bone.keyframe_insert("location", index=0, frame=frame)
    curve = action_io.channelbag(armature).fcurves[0]
    noise = curve.modifiers.new("NOISE")
    noise.strength = 0.5
    clip = action_io.read(armature, rate=24.0)
    expected = [curve.evaluate(frame) for frame in clip.frames]
    np.testing.assert_array_equal(clip.raw[clip.channels.joints[1][0]][:, 0], np.float32(expected))
    action_io.write(clip, clip.motion.with_locations(clip.motion.locations + np.array([1.0, 0, 0])))
    again = action_io.read(armature, rate=24.0)
    np.testing.assert_allclose(again.motion.locations[:, 1, 0], clip.motion.locations[:, 1, 0] + 1.0, atol=1e-6)


def test_a_channel_without_keys_gets_a_curve_where_it_is_needed():
    armature = chain_armature(2)
    for frame in EVERY_FRAME:
        armature.pose.bones[0].keyframe_insert("rotation_quaternion", frame=frame)
    clip = action_io.read(armature, rate=24.0)
    locations = np.array(clip.motion.locations)
    locations[10:20, 1] = (0, 0.5, 0)
    action_io.write(clip, clip.motion.with_locations(locations))
    again = action_io.read(armature, rate=24.0)
    np.testing.assert_allclose(again.motion.locations, locations, atol=1e-6)
    curve = again.channels.of(again.channels.joints[1][0])[1]
    assert curve.group.name == "bone0"
    assert {key.type for key in curve.keyframe_points} == {"GENERATED"}


def test_every_frame_replaces_the_keys_of_the_changed_span_only():
    armature = chain_armature(2)
    key_bones(armature, SPARSE)
    clip = action_io.read(armature, rate=24.0)
    locations = np.array(clip.motion.locations)
    locations[10:20, 1] += np.cos(np.arange(10))[:, None]
    action_io.write(clip, clip.motion.with_locations(locations), KeyOptions(keys="EVERY_FRAME"))
    curve = clip.channels.of(clip.channels.joints[1][0])[0]
    frames = [key.co[0] for key in curve.keyframe_points]
    assert frames == [1, *range(8, 31)]
    got = action_io.read(armature, rate=24.0).motion.locations[:, 1]
    np.testing.assert_allclose(got, locations[:, 1], atol=1e-6)


def test_sparse_keys_report_what_they_miss():
    armature = chain_armature(2)
    key_bones(armature, SPARSE)
    clip = action_io.read(armature, rate=24.0)
    locations = np.array(clip.motion.locations)
    locations[10, 1] += 3.0
    report = action_io.write(clip, clip.motion.with_locations(locations))
    assert report.largest_miss == pytest.approx(3.0, abs=1e-4)


def test_locked_channels_are_refused_and_nothing_changes():
    armature = chain_armature(2)
    action = key_bones(armature, EVERY_FRAME)
    clip = action_io.read(armature, rate=24.0)
    before = all_keys(action)
    clip.channels.of(clip.channels.joints[2][1])[3].lock = True
    wanted = clip.motion.with_locations(clip.motion.locations + 1.0)
    wanted = wanted.with_rotations(turned(clip, 2, 0.2).rotations)
    with pytest.raises(MotionEditError, match="locked"):
        action_io.write(clip, wanted)
    assert all_keys(action) == before


def test_other_slots_of_the_action_stay():
    armature = chain_armature(2)
    action = key_bones(armature, EVERY_FRAME)
    other = bpy.data.objects.new("Other", None)
    bpy.context.scene.collection.objects.link(other)
    other.animation_data_create().action = action
    other.animation_data.action_slot = action.slots.new("OBJECT", "Other")
    other.keyframe_insert("location", frame=5)
    before = all_keys(action)
    clip = action_io.read(armature, rate=24.0)
    action_io.write(clip, turned(clip, 1, 0.2))
    after = all_keys(action)
    assert {k: v for k, v in after.items() if k[0] == "OBOther"} == {
        k: v for k, v in before.items() if k[0] == "OBOther"
    }


def test_scalars_and_shape_keys_are_read_and_written():
    armature = chain_armature(2)
    bone = armature.pose.bones[0]
    bone["strength"] = 0.0
    mesh = bpy.data.objects.new("Face", bpy.data.meshes.new("Face"))
    mesh.data.from_pydata([(0, 0, 0)], [], [])
    bpy.context.scene.collection.objects.link(mesh)
    mesh.modifiers.new("Armature", "ARMATURE").object = armature
    mesh.shape_key_add(name="Basis")
    smile = mesh.shape_key_add(name="Smile")
    for frame in range(1, 11):
        bone["strength"] = frame * 0.1
        bone.keyframe_insert('["strength"]', frame=frame)
        smile.value = frame * 0.05
        smile.keyframe_insert("value", frame=frame)
    clip = action_io.read(armature, rate=24.0)
    assert clip.motion.scalars.shape == (10, 2)
    np.testing.assert_allclose(clip.motion.scalars[:, 0], np.arange(1, 11) * 0.1, atol=1e-6)
    np.testing.assert_allclose(clip.motion.scalars[:, 1], np.arange(1, 11) * 0.05, atol=1e-6)
    action_io.write(clip, clip.motion.with_scalars(clip.motion.scalars * 0.5))
    again = action_io.read(armature, rate=24.0)
    np.testing.assert_allclose(again.motion.scalars, clip.motion.scalars * 0.5, atol=1e-6)


@pytest.mark.parametrize("mode", ROTATION_MODES)
def test_reduced_keys_keep_the_stated_error(mode):
    armature = chain_armature(3)
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    key_bones(armature, list(range(1, 121, 20)))
    clip = action_io.read(armature, rate=24.0)
    wanted = turned(clip, 2, 0.3)
    wanted = wanted.with_locations(clip.motion.locations + 0.5)
    report = action_io.write(
        clip, wanted, KeyOptions(keys="REDUCED", rotation_error=np.radians(0.25), location_error=0.001)
    )
    again = action_io.read(armature, rate=24.0).motion
    assert np.degrees(quaternion.angle_between(again.rotations, wanted.rotations)).max() <= 0.2501
    free = ~clip.motion.skeleton.connected
    distance = np.linalg.norm(again.locations - wanted.locations, axis=-1)[:, free]
    assert distance.max() <= 0.001 + 1e-6
    assert report.keys_after < 0.6 * len(clip.frames) * 8


def test_fingerprint_follows_the_keys():
    armature = chain_armature(2)
    key_bones(armature, SPARSE)
    first = action_io.fingerprint(armature)
    assert action_io.fingerprint(armature) == first
    curve = action_io.channelbag(armature).fcurves[0]
    curve.keyframe_points[1].handle_right_type = "FREE"
    curve.keyframe_points[1].handle_right[1] += 0.1
    assert action_io.fingerprint(armature) != first


def test_a_new_action_gives_back_the_motion():
    armature = chain_armature(3)
    key_bones(armature, EVERY_FRAME)
    motion = action_io.read(armature, rate=30.0).motion
    action = action_io.write_new(armature, motion, name="Again", first_frame=11)
    assert armature.animation_data.action == action
    again = action_io.read(armature, rate=30.0)
    assert again.frames[0] == 11
    assert quaternion.angle_between(again.motion.rotations, motion.rotations).max() < 1e-6
    np.testing.assert_allclose(again.motion.poses.tips, motion.poses.tips, atol=1e-5)


@pytest.mark.parametrize("frames", [1, 6])
def test_a_new_action_of_a_motion_at_rest_has_its_length(frames):
    armature = chain_armature(3)
    skeleton = skeleton_of(armature)
    rest = Motion.build(skeleton, quaternion.identity(frames, len(skeleton)), rate=30.0)
    expected = np.arange(11, 11 + frames)
    for write in (
        lambda: action_io.write_new(armature, rest, name="Still", first_frame=11),
        lambda: action_io.write_bones(armature, rest, expected, name="Still"),
    ):
        write()
        again = action_io.read(armature, rate=30.0)
        np.testing.assert_array_equal(again.frames, expected)
        np.testing.assert_allclose(again.motion.poses.tips, rest.poses.tips, atol=1e-6)

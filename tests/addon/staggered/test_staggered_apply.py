"""Apply Pose on hand-keyed rigs keeps everything that was posed, whatever keys the bones have."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from rigs import all_keys, chain_armature
from staggered_motions import poses_of, turned

FRAMES = (1, 20, 40, 60)
POSE = 2


@pytest.fixture
def rig(empty_scene):
    """A bone with keys in all poses, one without a key in the third, one with a single key, one without keys."""
    armature = chain_armature(4, connected=False)
    full, gap, single, _none = armature.pose.bones
    for frame, place in zip(FRAMES, (0.0, 0.2, -0.1, 0.1), strict=True):
        for bone in (full, gap):
            bone.location = (place, 0.0, 2.0 * place)
            turned(bone, place)
        full.keyframe_insert("location", frame=frame)
        full.keyframe_insert("rotation_quaternion", frame=frame)
        if frame != FRAMES[POSE]:
            gap.keyframe_insert("rotation_quaternion", frame=frame)
    single.keyframe_insert("rotation_quaternion", frame=1)
    bpy.ops.motion_editing.poses_from_keys()
    assert [pose.frame for pose in poses_of(armature).poses] == list(FRAMES)
    return armature


def edit(armature, *names, pose=POSE):
    """Move and turn bones of a pose and apply it; gives each one's place and turn as they were posed."""
    bpy.ops.motion_editing.edit_staggered_pose(pose=pose)
    for name in names:
        armature.pose.bones[name].location.z += 0.3
        turned(armature.pose.bones[name], 0.4)
    posed = {name: channels(armature.pose.bones[name]) for name in names}
    assert bpy.ops.motion_editing.apply_staggered_pose() == {"FINISHED"}
    return posed


def channels(bone):
    return [*bone.location, *quaternion.normalize(bone.rotation_quaternion)]


def seen(armature, name, frame):
    bpy.context.scene.frame_set(frame)
    return channels(armature.pose.bones[name])


@pytest.mark.parametrize("name", ["bone0", "bone1", "bone2", "bone3"])
def test_what_was_posed_is_seen_at_the_pose_and_other_poses_stay(rig, name):
    before = {frame: seen(rig, name, frame) for frame in FRAMES}
    posed = edit(rig, name)[name]
    for pose, frame in enumerate(FRAMES):
        expected = posed if pose == POSE else before[frame]
        np.testing.assert_allclose(seen(rig, name, frame), expected, atol=1e-5)
    assert [pose.frame for pose in poses_of(rig).poses] == list(FRAMES)


def test_all_bones_that_were_posed_together_are_kept(rig, capfd):
    names = ["bone0", "bone1", "bone2", "bone3"]
    capfd.readouterr()
    posed = edit(rig, *names)
    assert "Changed pose 3: 4 bones" in capfd.readouterr().out
    for name in names:
        np.testing.assert_allclose(seen(rig, name, FRAMES[POSE]), posed[name], atol=1e-5)


def test_few_keys_are_added_and_only_where_they_are_needed(rig):
    edit(rig, "bone0", "bone1", "bone2", "bone3")
    frames = {}
    for curve in action_io.channelbag(rig).fcurves:
        bone, prop = curve.data_path.split('"')[1], curve.data_path.rpartition(".")[2]
        if (prop, curve.array_index) in (("location", 2), ("rotation_quaternion", 1)):
            frames[bone, prop[:3]] = [round(key.co[0]) for key in curve.keyframe_points]
    assert frames == {
        ("bone0", "loc"): [1, 20, 40, 60],
        ("bone0", "rot"): [1, 20, 40, 60],
        ("bone1", "loc"): [20, 40, 60],
        ("bone1", "rot"): [1, 20, 40, 60],
        ("bone2", "loc"): [20, 40, 60],
        ("bone2", "rot"): [1, 20, 40, 60],
        ("bone3", "loc"): [20, 40, 60],
        ("bone3", "rot"): [20, 40, 60],
    }


@pytest.mark.parametrize("pose", [0, 3])
def test_a_bone_without_keys_can_be_posed_at_the_ends(rig, pose):
    before = {frame: seen(rig, "bone3", frame) for frame in FRAMES}
    posed = edit(rig, "bone3", pose=pose)["bone3"]
    for number, frame in enumerate(FRAMES):
        np.testing.assert_allclose(seen(rig, "bone3", frame), posed if number == pose else before[frame], atol=1e-5)


def test_only_turns_are_keyed_and_a_bone_is_moved():
    armature = chain_armature(2, connected=False)
    for frame in FRAMES:
        turned(armature.pose.bones["bone0"], 0.2)
        armature.pose.bones["bone0"].keyframe_insert("rotation_quaternion", frame=frame)
    bpy.ops.motion_editing.poses_from_keys()
    posed = edit(armature, "bone1")["bone1"]
    np.testing.assert_allclose(seen(armature, "bone1", FRAMES[POSE]), posed, atol=1e-5)


def test_a_bone_on_its_way_between_far_keys_changes_only_between_the_poses_beside(rig):
    turned(rig.pose.bones["bone2"], 1.2)
    rig.pose.bones["bone2"].keyframe_insert("rotation_quaternion", frame=60)
    bpy.ops.motion_editing.rebuild_poses()
    before = [seen(rig, "bone2", frame) for frame in range(1, 61)]
    posed = edit(rig, "bone2")["bone2"]
    after = [seen(rig, "bone2", frame) for frame in range(1, 61)]
    np.testing.assert_allclose(after[:20], before[:20], atol=1e-5)
    np.testing.assert_allclose(after[39], posed, atol=1e-5)
    np.testing.assert_allclose(after[59], before[59], atol=1e-5)


def test_stepped_keys_stay_stepped(rig):
    for curve in action_io.channelbag(rig).fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "CONSTANT"
    bpy.ops.motion_editing.rebuild_poses()
    edit(rig, "bone1")
    curve = action_io.channelbag(rig).fcurves.find('pose.bones["bone1"].rotation_quaternion', index=1)
    assert {key.interpolation for key in curve.keyframe_points} == {"CONSTANT"}


def test_a_late_bone_is_keyed_at_its_own_time_of_the_pose(rig):
    bpy.ops.motion_editing.succession(bone="bone0", offset=0.1, all_poses=True, whole_frames=False)
    edit(rig, "bone1", pose=1)
    place = action_io.channelbag(rig).fcurves.find('pose.bones["bone1"].location', index=2)
    assert place.keyframe_points[1].co[0] == pytest.approx(20 + 2.4, abs=0.01)
    assert len(poses_of(rig).poses) == len(FRAMES)


@pytest.mark.parametrize("seed", range(8))
def test_whatever_keys_there_are_other_bones_stay_bit_for_bit(seed):
    random = np.random.default_rng(seed)
    armature = chain_armature(4, connected=False)
    for bone in armature.pose.bones:
        bone.rotation_mode = str(random.choice(["QUATERNION", "XYZ", "AXIS_ANGLE"]))
        for prop in ("location", "scale", rotation_name(bone)):
            for frame in random.choice([1, 15, 30, 44, 60], size=random.choice([0, 1, 3, 5]), replace=False):
                pose_at_random(bone, random)
                bone.keyframe_insert(prop, frame=int(frame))
    bpy.ops.motion_editing.poses_from_keys()
    for operator in random.choice(["succession", "unstagger", "random_stagger", "exaggerate_pose"], size=2):
        getattr(bpy.ops.motion_editing, operator)(
            **{"bone": "bone0"} if operator == "succession" else {}, all_poses=True
        )
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.edit_staggered_pose(pose=int(random.integers(len(poses_of(armature).poses))))
    bone = armature.pose.bones[int(random.integers(4))]
    pose_at_random(bone, random)
    assert bpy.ops.motion_editing.apply_staggered_pose() == {"FINISHED"}
    after = all_keys(armature.animation_data.action)
    changed = {identity for identity in after if after[identity] != before.get(identity)}
    assert {path.split('"')[1] for _slot, path, _index in changed} == {bone.name}


def rotation_name(bone):
    names = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
    return names.get(bone.rotation_mode, "rotation_euler")


def pose_at_random(bone, random):
    bone.location = 0.2 * random.normal(size=3)
    value = {"rotation_quaternion": random.normal(size=4), "rotation_axis_angle": [random.normal(), 0, 1, 0]}
    setattr(bone, rotation_name(bone), value.get(rotation_name(bone), 0.5 * random.normal(size=3)))


def test_controls_of_a_generated_rig_are_all_kept(generated):
    rig = generated("human")
    bpy.context.view_layer.objects.active = rig
    torso, hand = rig.pose.bones["torso"], rig.pose.bones["hand_ik.L"]
    for frame, place in zip(FRAMES, (0.0, 0.1, -0.1, 0.05), strict=True):
        torso.location, hand.location = (place, 0, place), (0, place, place)
        torso.keyframe_insert("location", frame=frame)
        if frame != FRAMES[POSE]:
            hand.keyframe_insert("location", frame=frame)
    rig.pose.bones["chest"].keyframe_insert("rotation_quaternion", frame=1)
    bpy.ops.motion_editing.poses_from_keys()
    names = ["torso", "hand_ik.L", "chest", "foot_ik.R"]
    before = {name: [seen(rig, name, frame) for frame in FRAMES] for name in names}
    posed = edit(rig, *names)
    for name in names:
        for number, frame in enumerate(FRAMES):
            expected = posed[name] if number == POSE else before[name][number]
            np.testing.assert_allclose(seen(rig, name, frame), expected, atol=1e-5)
    keyed = {curve.data_path.split('"')[1] for curve in action_io.channelbag(rig).fcurves}
    assert keyed == set(names)

"""Edits of hand-keyed poses: what they change, and that everything else stays bit for bit."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border.compatibility import select
from rigs import all_keys, chain_armature
from staggered_motions import keyed_pose_by_pose, turned


@pytest.fixture
def staggered(empty_scene):
    """Five poses of four bones, keyed one by one, whose keys then lie between the frames."""
    armature = keyed_pose_by_pose()
    assert bpy.ops.motion_editing.succession(bone="bone0", offset=0.07, all_poses=True) == {"FINISHED"}
    return armature


def keys_of(armature):
    """Bone and name of the property to all its curves' keys, as (K, 2) arrays of frames and values."""
    found = {}
    for (_slot, path, index), keys in all_keys(armature.animation_data.action).items():
        found[path.split('"')[1], path.rpartition(".")[2], index] = np.frombuffer(keys["co"], np.float32).reshape(-1, 2)
    return found


def edit(armature, pose, kind="EXTREME", **turns):
    """Turn bones of a pose by radians and apply it."""
    bpy.ops.motion_editing.edit_staggered_pose(pose=pose, kind=kind)
    for name, angle in turns.items():
        turned(armature.pose.bones[name], angle)
    assert bpy.ops.motion_editing.apply_staggered_pose() == {"FINISHED"}


@pytest.mark.parametrize("kind", ["EXTREME", "TRUE"])
@pytest.mark.parametrize("pose", [0, 2, 4])
def test_one_bone_of_a_pose_is_edited_and_no_other_key_changes(staggered, kind, pose):
    before = all_keys(staggered.animation_data.action)
    values = keys_of(staggered)
    edit(staggered, pose, kind, bone2=0.5)
    after = all_keys(staggered.animation_data.action)
    changed = {path.split('"')[1] for (slot, path, index), keys in after.items() if keys != before[slot, path, index]}
    assert changed == {"bone2"}
    for identity, keys in keys_of(staggered).items():
        rows = np.flatnonzero((keys != values[identity]).any(axis=1))
        assert rows.tolist() in ([], [pose]), identity


def test_the_edited_bone_meets_what_was_posed_at_its_own_key(staggered):
    bpy.ops.motion_editing.edit_staggered_pose(pose=2)
    turned(staggered.pose.bones["bone3"], 0.6)
    wanted = np.array(staggered.pose.bones["bone3"].rotation_quaternion)
    bpy.ops.motion_editing.apply_staggered_pose()
    got = [keys_of(staggered)["bone3", "rotation_quaternion", index][2, 1] for index in range(4)]
    assert quaternion.angle_between(quaternion.normalize(got), wanted) < 1e-4


@pytest.mark.parametrize("whole", [False, True])
def test_succession_moves_keys_and_changes_no_value(capfd, whole):
    armature = keyed_pose_by_pose()
    before = keys_of(armature)
    capfd.readouterr()
    bpy.ops.motion_editing.succession(bone="bone0", offset=0.07, all_poses=True, whole_frames=whole)
    assert "missed" not in capfd.readouterr().out
    for identity, keys in keys_of(armature).items():
        np.testing.assert_array_equal(keys[:, 1], before[identity][:, 1])
        late = 24 * 0.07 * int(identity[0][-1])
        np.testing.assert_allclose(keys[:, 0] - before[identity][:, 0], round(late) if whole else late, atol=1e-4)


def test_exaggerating_selected_bones_leaves_the_others(staggered):
    bpy.ops.object.mode_set(mode="POSE")
    for bone in staggered.pose.bones:
        select(bone, bone.name == "bone1")
    before = all_keys(staggered.animation_data.action)
    assert bpy.ops.motion_editing.exaggerate_pose(weight=0.5, all_poses=True) == {"FINISHED"}
    after = all_keys(staggered.animation_data.action)
    changed = {path.split('"')[1] for (slot, path, index), keys in after.items() if keys != before[slot, path, index]}
    assert changed == {"bone1"}


def test_smooth_first_still_smooths_hand_keyed_bones(staggered):
    before = keys_of(staggered)
    bpy.ops.motion_editing.succession(bone="bone2", offset=0.02, all_poses=True, smooth_first=True)
    after = keys_of(staggered)
    key = "bone3", "rotation_quaternion", 1
    assert np.abs(after[key][1:-1, 1] - before[key][1:-1, 1]).max() > 1e-4


@pytest.mark.parametrize("end", ["cancel", "apply"])
def test_a_bone_without_keys_is_left_as_it_was(end):
    armature = chain_armature(3)
    for frame, angle in ((1, 0.1), (20, 0.7), (40, -0.2)):
        for bone in armature.pose.bones[:2]:
            bone.rotation_quaternion = quaternion.from_axis_angle([1.0, 0, 0], angle)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    bpy.ops.motion_editing.poses_from_keys()
    still = armature.pose.bones["bone2"]
    turned(still, 0.3)  # posed after the poses were made, and not keyed
    held = tuple(still.rotation_quaternion)
    bpy.ops.motion_editing.edit_staggered_pose(pose=1)
    assert tuple(still.rotation_quaternion) == held
    turned(still if end == "cancel" else armature.pose.bones["bone0"], 0.4)
    getattr(bpy.ops.motion_editing, f"{end}_staggered_pose")()
    assert tuple(still.rotation_quaternion) == held
    assert {bone for bone, _property, _index in keys_of(armature)} == {"bone0", "bone1"}

"""Overlap of bones in a row: on baked and on hand-set keys, on loops, and as an entry of the stack."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.core.staggered import delayed
from motion_editing.motion_editing_addon.border.compatibility import select
from rigs import all_keys, chain_armature
from staggered_motions import keyed_pose_by_pose, motion_of

OPERATORS = bpy.ops.motion_editing


def pick(armature, *names):
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name in names)
    armature.data.bones.active = armature.data.bones[names[0]] if names else None


@pytest.fixture
def sample(empty_scene):
    OPERATORS.load_sample_motion(rate=30)
    return bpy.context.object


def test_an_arm_overlaps_and_nothing_else_changes(sample):
    arm = ("upper_arm.R", "forearm.R", "hand.R", "fingers.R")
    before = motion_of(sample)
    pick(sample, *arm)
    assert OPERATORS.overlap(overlap=0.1) == {"FINISHED"}
    after = motion_of(sample)
    changed = {
        name
        for name, other in zip(
            before.skeleton.names, (before.rotations != after.rotations).any(axis=(0, 2)), strict=True
        )
        if other
    }
    assert changed == set(arm[1:])
    depths = np.array([arm.index(name) if name in arm else 0 for name in before.skeleton.names])
    wanted = delayed(before, depths, 0.1)
    assert quaternion.angle_between(after.rotations, wanted.rotations).max() < 1e-4


def test_hand_set_keys_move_to_whole_frames(empty_scene):
    armature = keyed_pose_by_pose()
    before = {key: np.array(value) for key, value in frames_of(armature).items()}
    pick(armature, "bone1", "bone2", "bone3")
    assert OPERATORS.overlap(overlap=0.1) == {"FINISHED"}
    for (bone, _index), frames in frames_of(armature).items():
        late = {"bone2": 2, "bone3": 5}.get(bone, 0)
        np.testing.assert_allclose(frames, before[bone, _index] + late, atol=1e-4)


def frames_of(armature):
    bag = armature.animation_data.action.layers[0].strips[0].channelbags[0]
    return {
        (curve.data_path.split('"')[1], f"{curve.data_path.rpartition('.')[2]} {curve.array_index}"): [
            key.co[0] for key in curve.keyframe_points
        ]
        for curve in bag.fcurves
    }


def test_a_loop_stays_closed(empty_scene):
    armature = chain_armature(4)
    for frame in range(1, 42):
        for bone in armature.pose.bones:
            bone.rotation_quaternion = quaternion.from_axis_angle(
                [1.0, 0, 0], 0.4 * np.sin(2 * np.pi * (frame - 1) / 40)
            )
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    action = armature.animation_data.action
    action.use_frame_range = action.use_cyclic = True
    action.frame_start, action.frame_end = 1, 41
    pick(armature, "bone0", "bone1", "bone2", "bone3")
    assert OPERATORS.overlap(overlap=0.1) == {"FINISHED"}
    motion = motion_of(armature)
    assert quaternion.angle_between(motion.rotations[0], motion.rotations[-1]).max() < 1e-4


def test_bones_that_are_not_in_a_row_are_refused(sample):
    pick(sample, "hand.L", "hand.R")
    with pytest.raises(RuntimeError, match="in a row"):
        OPERATORS.overlap(overlap=0.1)


def test_overlap_is_an_entry_of_the_stack_that_can_be_removed(sample):
    before = all_keys(sample.animation_data.action)
    pick(sample, "upper_arm.R", "forearm.R", "hand.R")
    OPERATORS.overlap(overlap=0.1)
    stack = sample.animation_data.action.motion_editing_stack
    assert stack.entries[-1].tool.endswith("overlap")
    stack.active = len(stack.entries) - 1
    OPERATORS.remove_edit()
    assert all_keys(sample.animation_data.action) == before

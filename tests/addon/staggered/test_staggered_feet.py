"""Feet and controls of feet stay where they stand while staggered poses are edited."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from rigs import mark_leg, reaching_leg
from staggered_motions import extracted_sample, motion_of, poses_of


@pytest.fixture
def sample(empty_scene):
    return extracted_sample()


def test_feet_stay_when_contacts_are_kept(sample):
    from motion_editing.core.analysis.contacts import detect_contacts
    from motion_editing.motion_editing_addon.document.character.saved_body import body_of

    before = action_io.read(sample, rate=30.0)
    contacts = detect_contacts(before.motion, body_of(sample, before))
    poses_of(sample).share = 0.4
    bpy.ops.motion_editing.exaggerate_pose(weight=0.3, all_poses=True, keep_contacts=True)
    after = motion_of(sample)
    foot = before.motion.skeleton.index["foot.L"]
    for start, end in contacts.of("foot.L"):
        inside = (before.motion.times >= start) & (before.motion.times <= end)
        moved = after.poses.positions[inside, foot] - before.motion.poses.positions[inside, foot]
        assert np.abs(moved).max() < 2e-3


def stepping_leg():
    """The leg with keys at every frame; its control stands, then steps."""
    armature = reaching_leg()
    for frame in range(1, 62):
        control, hips = armature.pose.bones["foot_ik.L"], armature.pose.bones["hips"]
        control.location = (0.0, 0.01 * max(frame - 40, 0), 0.0)
        hips.rotation_quaternion = quaternion.from_axis_angle([0.0, 0.0, 1.0], 0.2 * np.sin(frame / 7.0))
        for bone in (control, hips):
            bone.keyframe_insert("location", frame=frame)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    return armature


def control_places(armature):
    """Where Blender has the foot's control, frame after frame."""
    scene, places = bpy.context.scene, []
    for frame in range(1, 62):
        scene.frame_set(frame)
        places.append(np.array(armature.matrix_world @ armature.pose.bones["foot_ik.L"].head))
    return np.array(places)


def test_a_control_of_a_foot_is_held_while_it_stands(empty_scene):
    armature = stepping_leg()
    mark_leg(armature)
    assert bpy.ops.motion_editing.extract_poses(use_contacts=False) == {"FINISHED"}
    before, slides = control_places(armature), {}
    for keep in (False, True):
        bpy.ops.motion_editing.exaggerate_pose(weight=0.5, all_poses=True, keep_contacts=keep)
        slides[keep] = np.linalg.norm(control_places(armature) - before, axis=1)
        if not keep:
            bpy.ops.motion_editing.exaggerate_pose(weight=-1.0 / 3.0, all_poses=True)
    assert slides[False][:36].max() > 0.02
    assert slides[True][:36].max() < 1e-4
    assert slides[True][50:].max() > 0.02

"""Feet and controls of feet stay where they stand while staggered poses are edited."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from rigs import all_keys, mark_leg, reaching_leg
from staggered_motions import extracted_sample, motion_of, poses_of, turned


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
            bpy.ops.motion_editing.exaggerate_pose(weight=-1.0 / 3.0, all_poses=True, keep_contacts=False)
    assert slides[False][:36].max() > 0.02
    assert slides[True][:36].max() < 1e-4
    assert slides[True][50:].max() > 0.02


@pytest.mark.parametrize("keep", [False, True])
def test_staggered_again_the_keys_are_those_from_before_bit_for_bit(keep):
    armature = extracted_sample(share=0.4)
    before = all_keys(armature.animation_data.action)
    assert bpy.ops.motion_editing.unstagger(all_poses=True, keep_contacts=keep) == {"FINISHED"}
    flat = all_keys(armature.animation_data.action)
    assert flat != before
    bpy.ops.motion_editing.scale_stagger(all_poses=True, factor=0.0, keep_contacts=keep)
    assert all_keys(armature.animation_data.action) == flat
    assert bpy.ops.motion_editing.restagger(all_poses=True, keep_contacts=keep) == {"FINISHED"}
    assert all_keys(armature.animation_data.action) == before


def test_contacts_do_not_pile_up_over_edits():
    armature = extracted_sample(share=0.4)
    bpy.ops.motion_editing.scale_stagger(all_poses=True, factor=1.3, keep_contacts=True)
    once = motion_of(armature)
    bpy.ops.motion_editing.scale_stagger(all_poses=True, factor=0.5, keep_contacts=True)
    bpy.ops.motion_editing.scale_stagger(all_poses=True, factor=2.0, keep_contacts=True)
    again = motion_of(armature)
    assert quaternion.angle_between(once.rotations, again.rotations).max() < 1e-4


def test_a_foot_that_is_posed_elsewhere_stays_there_when_timing_is_edited():
    armature = extracted_sample(share=0.4)
    bpy.ops.motion_editing.unstagger(all_poses=True, keep_contacts=True)
    held = motion_of(armature)
    pose = len(poses_of(armature).poses) // 2
    bpy.ops.motion_editing.edit_staggered_pose(pose=pose)
    turned(armature.pose.bones["thigh.L"], 0.3)
    bpy.ops.motion_editing.apply_staggered_pose()
    posed = motion_of(armature)
    foot = posed.skeleton.index["foot.L"]
    frame = round(poses_of(armature).poses[pose].frame) - 1
    moved = np.linalg.norm(posed.poses.positions[frame, foot] - held.poses.positions[frame, foot])
    assert moved > 0.05
    bpy.ops.motion_editing.restagger(all_poses=True, keep_contacts=True)
    again = motion_of(armature)
    away = np.linalg.norm(again.poses.positions[:, foot] - held.poses.positions[:, foot], axis=-1)
    assert away[max(frame - 8, 0) : frame + 8].max() > 0.5 * moved

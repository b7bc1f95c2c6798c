"""Lock Feet: what core gives reaches the keys, whatever keys there are; it is told, limited and undone."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.core.analysis.contacts import ContactSpans
from motion_editing.core.numerics import quaternion
from motion_editing.core.solve.contact_lock import LockReport, foot_slide, lock_feet
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.contacts.foot_lock import Locked, locked_text
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.character.saved_body import body_of
from motion_editing.motion_editing_addon.document.contacts.saved_contacts import contacts_of, save_contacts
from rigs import all_keys, mark_leg, reaching_leg

RATE = 30
LEGS = ("thigh", "shin", "foot")


def sliding_sample():
    """The sample motion, carried to and fro as a whole."""
    bpy.ops.motion_editing.load_sample_motion(rate=RATE)
    armature = bpy.context.object
    bpy.ops.motion_editing.find_contacts()
    clip = scope.read_clip(bpy.context, armature)
    root, motion = body_of(armature, clip).root, clip.motion
    locations = np.array(motion.locations)
    locations[:, root, 0] += 0.04 * np.sin(2.0 * motion.times)
    action_io.write(clip, motion.with_locations(locations))
    return armature


def motion_of(armature):
    return scope.read_clip(bpy.context, armature).motion


def slide_of(armature):
    clip = scope.read_clip(bpy.context, armature)
    return max(slide for own in foot_slide(clip.motion, contacts_of(clip)).values() for slide in own)


def curves_of(keys, *bones):
    return {key: value for key, value in keys.items() if any(f'["{bone}"]' in key[1] for bone in bones)}


def test_the_keys_show_what_core_gives_and_the_report_tells_it(capsys):
    armature = sliding_sample()
    clip = scope.read_clip(bpy.context, armature)
    expected, report = lock_feet(clip.motion, body_of(armature, clip), contacts_of(clip))
    before = all_keys(armature.animation_data.action)
    assert slide_of(armature) > 0.03
    capsys.readouterr()
    assert bpy.ops.motion_editing.lock_feet() == {"FINISHED"}
    after = motion_of(armature)
    # A knee that is almost straight answers what single precision leaves of a place with much more of an angle.
    assert quaternion.angle_between(after.rotations, expected.rotations).max() < 0.01
    np.testing.assert_allclose(after.poses.positions, expected.poses.positions, atol=3e-3)
    np.testing.assert_allclose(after.locations, expected.locations, atol=1e-3)
    assert slide_of(armature) < 1e-4
    told = capsys.readouterr().out
    assert "Locked 7 bones" in told
    assert f"{report.contacts} contacts, slide {1000 * report.slide_before:.0f} mm -> 0 mm" in told
    assert f"root lowered by {1000 * report.root_lowered:.0f} mm" in told
    root = clip.motion.skeleton.names[body_of(armature, clip).root]
    changed = [root, *(f"{name}.{side}" for name in LEGS for side in "LR")]
    now = all_keys(armature.animation_data.action)
    touched = curves_of(before, *changed)
    assert {key: now[key] for key in before if key not in touched} == {
        key: value for key, value in before.items() if key not in touched
    }


@pytest.mark.parametrize(
    ("lowered", "height", "text"),
    [
        (0.383, 1.8, "root lowered by 383 mm (21% of the height)"),
        (0.006, 1.8, "root lowered by 6 mm"),
        (0.383, 0.0, "root lowered by 383 mm"),
    ],
)
def test_a_root_that_is_lowered_far_is_told_as_a_share_of_the_height(lowered, height, text):
    small = Locked(LockReport(contacts=2, root_lowered=0.5 * lowered), 0.0, 0.0, RATE, height=1.0)
    large = Locked(LockReport(contacts=2, root_lowered=lowered), 0.0, 0.0, RATE, height)
    assert locked_text([small, large]).endswith(text)


def test_a_second_time_changes_no_key(capsys):
    armature = sliding_sample()
    bpy.ops.motion_editing.lock_feet()
    once = all_keys(armature.animation_data.action)
    assert bpy.ops.motion_editing.lock_feet() == {"FINISHED"}
    assert all_keys(armature.animation_data.action) == once
    assert "Lock Feet changed nothing" in capsys.readouterr().out


def test_contacts_are_found_and_listed_by_the_way():
    bpy.ops.motion_editing.load_sample_motion(rate=RATE)
    settings = bpy.context.object.animation_data.action.motion_editing_contacts
    assert not settings.known
    bpy.ops.motion_editing.lock_feet()
    assert settings.is_known(bpy.context.object)
    assert len(settings.spans) > 10


def test_sparse_keys_stay_sparse_and_still_hold(capsys):
    armature = sliding_sample()
    bpy.ops.motion_editing.reduce_keys(rotation_error=0.03, location_error=0.01)
    before = all_keys(armature.animation_data.action)
    assert slide_of(armature) > 0.02
    bpy.ops.motion_editing.lock_feet()
    assert slide_of(armature) < 0.005
    after = all_keys(armature.animation_data.action)
    arms = curves_of(before, "upper_arm.L", "forearm.R", "head")
    assert arms
    assert {key: after[key] for key in arms} == arms
    capsys.readouterr()
    bpy.ops.motion_editing.lock_feet()
    assert all_keys(armature.animation_data.action) == after, "a second time changes nothing"
    assert "could not be held" not in capsys.readouterr().out
    dense = len(scope.read_clip(bpy.context, armature).frames)
    assert all(
        len(action_io.channels_of(armature).curves[key].keyframe_points) < dense for key in _leg_curves(armature)
    )


def _leg_curves(armature):
    curves = action_io.channels_of(armature).curves
    return [key for key in curves if '["shin.L"].rotation' in key[0].path]


@pytest.mark.parametrize("error", [0.05, 0.005])
@pytest.mark.parametrize(("keying", "bound"), [("EVERY_FRAME", 1e-4), ("REDUCED", 0.005)])
def test_feet_stand_on_every_kind_of_keys_and_a_second_time_changes_nothing(keying, bound, error):
    options = {"keying": keying, "rotation_error": error, "location_error": error}
    armature = sliding_sample()
    bpy.ops.motion_editing.lock_feet(**options)
    assert slide_of(armature) < bound
    once = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.lock_feet(**options)
    assert all_keys(armature.animation_data.action) == once


@pytest.mark.parametrize("has_modifiers", [True, False])
def test_keys_too_few_to_hold_feet_are_told(capsys, has_modifiers):
    """Curves with modifiers get no breakdown keys: only the sum of both is seen."""
    bpy.ops.motion_editing.load_sample_motion(rate=RATE)  # its feet slide by 3 mm
    for curve in action_io.channelbag(bpy.context.object).fcurves if has_modifiers else ():
        curve.modifiers.new("LIMITS")
    bpy.ops.motion_editing.lock_feet(keying="REDUCED", rotation_error=0.05, location_error=0.05)
    assert ("slide more than before between so few keys" in capsys.readouterr().out) == has_modifiers


def test_a_range_leaves_the_frames_beyond_it_and_locks_what_reaches_into_it(capsys):
    armature = sliding_sample()
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 60, 140
    before = motion_of(armature)
    assert bpy.ops.motion_editing.lock_feet(range="PREVIEW") == {"FINISHED"}
    after = motion_of(armature)
    frames = scope.read_clip(bpy.context, armature).frames
    outside = (frames <= 60) | (frames >= 140)
    np.testing.assert_array_equal(after.rotations[outside], before.rotations[outside])
    assert quaternion.angle_between(after.rotations, before.rotations).max() > 0.01
    steps = [quaternion.angle_between(each.rotations[1:], each.rotations[:-1]) for each in (before, after)]
    assert np.degrees((steps[1] - steps[0]).max()) * RATE < 600.0
    assert "could not be held" not in capsys.readouterr().out
    first, stop = np.flatnonzero(~outside)[[0, -1]] + [-1, 2]
    contacts = contacts_of(scope.read_clip(bpy.context, armature))
    inside = [
        max(slide for own in foot_slide(motion.part(first, stop), contacts).values() for slide in own)
        for motion in (before, after)
    ]
    assert inside[0] > 0.03
    assert inside[1] < 1e-4
    keys = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.lock_feet(range="PREVIEW")
    assert all_keys(armature.animation_data.action) == keys, "a second time changes nothing"


def test_a_reference_pose_before_the_motion_keeps_no_contact_from_being_locked():
    armature = sliding_sample()
    armature.animation_data.action.motion_editing.skipped_frames = 2
    bpy.ops.motion_editing.lock_feet()
    assert slide_of(armature) < 1e-4


def test_selected_limbs_alone():
    armature = sliding_sample()
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.select_all(action="DESELECT")
    with pytest.raises(RuntimeError, match="The selected limbs have no contacts"):
        bpy.ops.motion_editing.lock_feet(selected=True)
    _select(armature, "shin.L")
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.lock_feet(selected=True)
    after = all_keys(armature.animation_data.action)
    right, left = (curves_of(before, *(f"{name}.{side}" for name in LEGS)) for side in "RL")
    assert {key: after[key] for key in right} == right
    assert {key: after[key] for key in left} != left


def _select(armature, name):
    bone = armature.pose.bones[name]
    target = bone if hasattr(bone, "select") else bone.bone
    target.select = True


def test_contacts_out_of_reach_are_listed(capsys):
    armature = sliding_sample()
    clip = scope.read_clip(bpy.context, armature)
    root, motion = body_of(armature, clip).root, clip.motion
    locations = np.array(motion.locations)
    locations[150:165, root, 1] += 0.8
    action_io.write(clip, motion.with_locations(locations))
    assert bpy.ops.motion_editing.lock_feet(lowering=0.02) == {"FINISHED"}
    told = capsys.readouterr().out
    assert "could not be held: " in told
    assert "shorten them in the list, or raise Lowering" in told


def test_without_contacts_or_feet_the_reason_is_told(capsys):
    bpy.ops.motion_editing.load_sample_motion(rate=RATE)
    armature = bpy.context.object
    save_contacts(armature, ContactSpans(), RATE)
    before = all_keys(armature.animation_data.action)
    # No error: of many clips in a batch some have no contacts.
    assert bpy.ops.motion_editing.lock_feet() == {"FINISHED"}
    assert all_keys(armature.animation_data.action) == before
    told = capsys.readouterr().out
    assert "Lock Feet changed nothing" in told
    assert "There are no contacts: mark some in the Contacts panel, or use Find Contacts" in told
    bpy.ops.motion_editing.load_sample_motion(rate=RATE)
    bpy.ops.motion_editing.find_character()
    for role in ("left leg", "right leg"):
        bpy.ops.motion_editing.clear_role(role=role)
    with pytest.raises(RuntimeError, match="No feet are set"):
        bpy.ops.motion_editing.lock_feet()


def test_undo_brings_back_every_key():
    armature = sliding_sample()
    bpy.ops.ed.undo_push(message="Sliding")
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.lock_feet()
    bpy.ops.ed.undo_push(message="Locked")
    bpy.ops.ed.undo()
    assert all_keys(bpy.data.objects["Sample"].animation_data.action) == before


def test_the_control_of_a_foot_is_moved_on_a_control_rig(empty_scene):
    armature = drifting_leg()
    assert control_slide(armature) > 0.02
    before = all_keys(armature.animation_data.action)
    assert bpy.ops.motion_editing.lock_feet() == {"FINISHED"}
    assert control_slide(armature) < 2e-4
    after = all_keys(armature.animation_data.action)
    hips = curves_of(before, "hips")
    assert hips
    assert {key: after[key] for key in hips} == hips
    assert all("foot_ik.L" in key[1] for key in after.keys() - hips.keys())


def drifting_leg():
    """The leg with few keys; its control drifts while the foot should stand."""
    armature = reaching_leg()
    control, hips = armature.pose.bones["foot_ik.L"], armature.pose.bones["hips"]
    for frame in (1, 12, 24, 36, 50, 61):
        control.location = (0.02 * np.sin(frame), 0.01 * max(frame - 40, 0), 0.01 * np.cos(frame))
        hips.location = (0.0, 0.0, 0.02 * np.sin(frame))
        for bone in (control, hips):
            bone.keyframe_insert("location", frame=frame)
    bpy.context.scene.render.fps = 24
    mark_leg(armature)
    return armature


def control_slide(armature):
    """How far Blender's own ankle gets from where it is at first."""
    places = []
    for frame in range(1, 37):
        bpy.context.scene.frame_set(frame)
        places.append(np.array(armature.matrix_world @ armature.pose.bones["shin.L"].tail))
    return np.linalg.norm(np.array(places) - places[0], axis=1).max()


def test_the_report_of_a_batch_measures_the_contacts_that_were_locked():
    from motion_editing.motion_editing_addon.batch.report.measurement import measure

    armature = sliding_sample()
    before = scope.read_clip(bpy.context, armature)
    bpy.ops.motion_editing.lock_feet()
    numbers = measure(before, scope.read_clip(bpy.context, armature), notes=[], pictures=False).numbers
    assert numbers["slide_before"] > 0.03
    assert numbers["slide_after"] < 1e-4

"""Staggered poses when things change around them: names, bones, rates, ends of the motion."""

import re

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.interface import strip
from motion_editing.motion_editing_addon.interface.drawing import viewport
from motion_editing.motion_editing_addon.interface.drawing.theme import palette
from motion_editing.motion_editing_addon.staggered import session
from motion_editing.motion_editing_addon.staggered.lane.stagger_data import StaggerItem
from motion_editing.motion_editing_addon.staggered.pose_mode import posing_mode
from rigs import all_keys, chain_armature
from staggered_motions import extracted_sample, motion_of


@pytest.fixture
def sample(empty_scene):
    return extracted_sample(share=0.4)


def test_moving_the_last_pose_makes_the_motion_longer(sample):
    rows = sample.animation_data.action.motion_editing_staggered.poses
    last, before = len(rows) - 1, motion_of(sample)
    bpy.ops.motion_editing.retime_pose(pose=last, frame=rows[last].frame + 20)
    after = motion_of(sample)
    assert len(after) == len(before) + 20
    inside = int(np.searchsorted(before.times, rows[last - 1].frame / 30.0)) + 10
    moved = quaternion.angle_between(after.rotations[inside:355], before.rotations[inside:355])
    assert moved.max() > 0.01, "the way to the last pose must be stretched"
    assert quaternion.angle_between(after.rotations[-1], before.rotations[-1]).max() < 1e-4
    assert np.abs(np.diff(after.locations, axis=0)).max() < 1.2 * np.abs(np.diff(before.locations, axis=0)).max()


def test_large_edits_bring_no_sign_flips(sample):
    rows = sample.animation_data.action.motion_editing_staggered.poses
    bpy.ops.motion_editing.exaggerate_pose(pose=len(rows) // 2, weight=-1.0, against="NEXT")
    clip = action_io.read(sample, rate=30.0)
    for _location, rotation, _scale in clip.channels.joints[1:]:
        raw = clip.raw[rotation]
        assert (np.einsum("fi,fi->f", raw[1:], raw[:-1]) > 0.0).all(), rotation.path


def test_poses_of_keys_that_are_gone_are_refused_with_a_reason(sample):
    for curve in action_io.channelbag(sample).fcurves:
        curve.keyframe_points.clear()
    with pytest.raises(RuntimeError, match="has no keyframes"):
        bpy.ops.motion_editing.rebuild_poses()


def test_warnings_tell_the_frame_that_the_list_shows(sample, capsys):
    frame = sample.animation_data.action.motion_editing_staggered.poses[5].frame
    capsys.readouterr()
    bpy.ops.motion_editing.random_stagger(pose=5, reach=0.6)
    told = capsys.readouterr().out
    assert f"Pose 6 at frame {frame:.0f}: " in told
    assert re.search(r"shake more than before, .* \(by [\d.]+ mm\): try Smooth First", told)


def test_the_mode_is_shown_again_after_disabling_and_enabling(sample, registered_addon):
    bpy.ops.motion_editing.edit_staggered_pose(pose=3)
    registered_addon.unregister()
    registered_addon.register()
    assert viewport.shown_modes() == {}
    assert bpy.app.timers.is_registered(posing_mode.wake)
    posing_mode.go_on_all()
    assert "Editing extreme pose 4" in viewport.shown_modes()["staggered"]
    bpy.ops.motion_editing.cancel_staggered_pose()
    assert viewport.shown_modes() == {}


def test_the_strip_stays_and_says_what_is_going_on_while_a_pose_is_edited(sample):
    lane = next(lane for lane in strip.all_lanes() if lane.name == "stagger")
    colours = palette(bpy.context)
    assert lane.update(bpy.context, colours)
    bpy.ops.motion_editing.edit_staggered_pose(pose=3, kind="TRUE")
    assert lane.update(bpy.context, colours)
    assert not lane.can_drag(StaggerItem(2))
    assert not lane.clicked(bpy.context, StaggerItem(2))
    assert lane.menu_source(StaggerItem(2), 0.0, None) is None
    assert lane.note(bpy.context) == "Editing true pose 4: pose the rig, then Apply Pose or Cancel in the sidebar"
    bpy.ops.motion_editing.cancel_staggered_pose()
    assert lane.update(bpy.context, colours)
    assert lane.can_drag(StaggerItem(2))
    assert lane.note(bpy.context) == ""


def test_editing_a_pose_is_done_in_pose_mode_with_the_pose_before_behind_it(sample):
    assert sample.mode == "OBJECT"
    bpy.ops.motion_editing.edit_staggered_pose(pose=3)
    assert sample.mode == "POSE"
    assert f"pose before the edit of {sample.name}" in viewport.shown()
    bpy.ops.motion_editing.cancel_staggered_pose()
    assert sample.mode == "OBJECT"
    assert f"pose before the edit of {sample.name}" not in viewport.shown()
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.motion_editing.edit_staggered_pose(pose=3)
    bpy.ops.motion_editing.apply_staggered_pose()
    assert sample.mode == "POSE"


def test_the_notice_of_another_mode_stays(sample):
    viewport.show_mode("test", "Another mode")
    bpy.ops.motion_editing.edit_staggered_pose(pose=3)
    bpy.context.view_layer.objects.active = None
    posing_mode.show_mode()
    assert set(viewport.shown_modes()) == {"test", "staggered"}
    bpy.context.view_layer.objects.active = sample
    bpy.ops.motion_editing.cancel_staggered_pose()
    assert set(viewport.shown_modes()) == {"test"}
    viewport.hide_mode("test")


def keyed_rig():
    armature = chain_armature(2)
    armature["wave"] = 0.0
    for frame, value in ((1, 0.0), (20, 1.0), (40, 0.0), (60, 1.0)):
        armature["wave"] = value
        armature.keyframe_insert('["wave"]', frame=frame)
        for bone in armature.pose.bones:
            bone.rotation_quaternion = quaternion.from_axis_angle([1.0, 0, 0], value)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    bpy.ops.motion_editing.poses_from_keys()
    return armature


def wave_keys(armature):
    curve = next(c for c in action_io.channelbag(armature).fcurves if "wave" in c.data_path)
    return [(round(key.co[0], 1), round(key.co[1], 3)) for key in curve.keyframe_points]


def test_renaming_the_object_harms_no_custom_property():
    armature = keyed_rig()
    before = wave_keys(armature)
    armature.name = "Other"
    bpy.ops.motion_editing.edit_staggered_pose(pose=1)
    armature.pose.bones[0].rotation_quaternion = (0.9, 0.1, 0.2, 0.0)
    bpy.ops.motion_editing.apply_staggered_pose()
    assert wave_keys(armature) == before


def test_custom_properties_are_retimed_with_their_pose():
    armature = keyed_rig()
    bpy.ops.motion_editing.retime_pose(pose=1, frame=28)
    assert wave_keys(armature) == [(1.0, 0.0), (28.0, 1.0), (40.0, 0.0), (60.0, 1.0)]


@pytest.mark.parametrize("is_at_hand", [True, False])
def test_a_new_bone_is_noticed_with_the_way_out(sample, is_at_hand):
    bpy.ops.object.mode_set(mode="EDIT")
    bone = sample.data.edit_bones.new("extra")
    bone.tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    if not is_at_hand:
        session.forget()
    with pytest.raises(RuntimeError, match="use Extract Poses again"):
        bpy.ops.motion_editing.unstagger()
    assert bpy.ops.motion_editing.extract_poses() == {"FINISHED"}


def test_another_source_rate_keeps_the_poses_on_their_frames(sample):
    frames = [row.frame for row in sample.animation_data.action.motion_editing_staggered.poses]
    sample.animation_data.action.motion_editing.source_rate = 60.0
    assert bpy.ops.motion_editing.unstagger(all_poses=True) == {"FINISHED"}
    rows = sample.animation_data.action.motion_editing_staggered.poses
    assert [row.frame for row in rows] == pytest.approx(frames, abs=0.01)


def test_editing_a_pose_can_always_be_left(sample):
    action = sample.animation_data.action
    bpy.ops.motion_editing.edit_staggered_pose(pose=2)
    sample.animation_data_clear()
    assert bpy.ops.motion_editing.cancel_staggered_pose() == {"FINISHED"}
    assert sample.animation_data.action == action
    assert sample.animation_data.action_slot is not None


def test_a_pose_that_cannot_be_applied_stays_on_the_rig(sample):
    action, before = sample.animation_data.action, all_keys(sample.animation_data.action)
    bpy.ops.motion_editing.edit_staggered_pose(pose=2)
    curves = action.layers[0].strips[0].channelbags[0].fcurves
    head = [curve for curve in curves if '"head"' in curve.data_path]
    for curve in head:
        curve.lock = True
    sample.pose.bones["head"].rotation_quaternion = (0.9, 0.3, 0, 0)
    with pytest.raises(RuntimeError, match="is locked: unlock it"):
        bpy.ops.motion_editing.apply_staggered_pose()
    assert sample.motion_editing_posing.action == action
    assert tuple(sample.pose.bones["head"].rotation_quaternion) == pytest.approx((0.9, 0.3, 0, 0))
    assert all_keys(action) == before
    for curve in head:
        curve.lock = False
    assert bpy.ops.motion_editing.apply_staggered_pose() == {"FINISHED"}
    assert all_keys(action) != before


def test_keys_that_were_changed_while_a_pose_was_edited_are_kept(sample):
    action = sample.animation_data.action
    bpy.ops.motion_editing.edit_staggered_pose(pose=2)
    curves = action.layers[0].strips[0].channelbags[0].fcurves
    curve = next(curve for curve in curves if '"foot.L"' in curve.data_path)
    curve.keyframe_points[5].co[1] += 0.25
    curve.update()
    wanted = curve.keyframe_points[5].co[1]
    sample.pose.bones["head"].rotation_quaternion = (0.9, 0.3, 0, 0)
    assert bpy.ops.motion_editing.apply_staggered_pose() == {"FINISHED"}
    assert sample.animation_data.action == action
    assert curve.keyframe_points[5].co[1] == wanted


def test_numbers_that_are_no_pose_give_one_line(sample):
    for operator in ("pin_pose", "delete_staggered_pose", "edit_staggered_pose"):
        with pytest.raises(RuntimeError, match="with number 99") as caught:
            getattr(bpy.ops.motion_editing, operator)(pose=99)
        assert "Traceback" not in str(caught.value)

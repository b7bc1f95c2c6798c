"""Poses on the strip and in the list: several at once, culled ones, menus, icons."""

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.interface import strip
from motion_editing.motion_editing_addon.interface.drawing.shapes import Placement
from motion_editing.motion_editing_addon.interface.drawing.theme import palette
from motion_editing.motion_editing_addon.staggered import refit, session
from motion_editing.motion_editing_addon.staggered.edits import pose_choice
from motion_editing.motion_editing_addon.staggered.lane import pose_icons
from motion_editing.motion_editing_addon.staggered.lane.stagger_data import BoxItem, CandidateItem, StaggerItem
from staggered_motions import extracted_sample, motion_of, poses_of

OPERATORS = bpy.ops.motion_editing


@pytest.fixture
def sample(empty_scene):
    return extracted_sample(share=0.4)


@pytest.fixture
def lane(sample):
    found = next(lane for lane in strip.all_lanes() if lane.name == "stagger")
    assert found.update(bpy.context, palette(bpy.context))
    return found


def selected(armature):
    return [number for number, pose in enumerate(poses_of(armature).poses) if pose.selected]


def test_clicks_pick_one_and_shift_picks_more_or_less(sample, lane):
    assert lane.clicked(bpy.context, StaggerItem(2))
    assert selected(sample) == [2]
    lane.clicked_too(bpy.context, StaggerItem(5))
    assert selected(sample) == [2, 5]
    assert poses_of(sample).active == 5
    lane.clicked_too(bpy.context, StaggerItem(2))
    assert selected(sample) == [5]
    frames = [pose.frame for pose in poses_of(sample).poses]
    lane.update(bpy.context, palette(bpy.context))
    assert isinstance(lane.box(frames[1], frames[3]), BoxItem)
    lane.boxed(bpy.context, frames[1] - 0.5, frames[3] + 0.5)
    assert selected(sample) == [1, 2, 3]


def test_selected_poses_are_edited_together(sample):
    before, old = motion_of(sample), refit.require(bpy.context, sample).model
    pose_choice.choose(bpy.context, [2, 6])
    assert OPERATORS.exaggerate_pose(weight=0.4, keep_contacts=False) == {"FINISHED"}
    model = session.there(sample).model
    changed = [
        (model.rotations.values[knots] != old.rotations.values[knots]).any()
        for knots in (pose_knots(old, pose) for pose in range(len(old)))
    ]
    assert [number for number, flag in enumerate(changed) if flag] == [2, 6]
    assert (motion_of(sample).rotations != before.rotations).any()


def pose_knots(model, pose):
    numbers = model.rotations.layout.number[[1 + 2 * pose, 2 + 2 * pose]]
    return numbers[numbers >= 0]


def test_selected_poses_are_moved_and_deleted_together(sample, lane):
    frames = np.array([pose.frame for pose in poses_of(sample).poses])
    pose_choice.choose(bpy.context, [3, 4])
    lane.dropped(bpy.context, StaggerItem(3), float(frames[3] + 2.0))
    now = np.array([pose.frame for pose in poses_of(sample).poses])
    np.testing.assert_allclose((now - frames)[[3, 4]], 2.0, atol=0.01)
    np.testing.assert_allclose(np.delete(now - frames, [3, 4]), 0.0, atol=1e-4)
    assert selected(sample) == [3, 4]
    assert OPERATORS.delete_staggered_pose() == {"FINISHED"}
    assert len(poses_of(sample).poses) == len(frames) - 2
    assert selected(sample) == []


def test_a_culled_pose_is_a_faint_mark_that_one_click_shows(sample, lane):
    table = session.there(sample).table
    hidden = np.flatnonzero(~table.shown)
    data = lane._picture.data
    assert list(data.candidates) == hidden.tolist()
    placement = Placement((0.0, 0.0), (20.0, 1.0), 1.0)
    frame = float(data.candidate_frames[1])
    item = lane.hit(placement.across(frame), placement.up(lane._picture._name_middle()), placement)
    assert item == CandidateItem(int(hidden[1]))
    assert "not shown" in lane.tooltip(item)
    assert lane.highlight(item) is not None
    count = len(poses_of(sample).poses)
    lane.clicked(bpy.context, item)
    poses = poses_of(sample)
    assert len(poses.poses) == count + 1
    assert poses.poses[poses.active].pinned
    assert poses.poses[poses.active].frame == pytest.approx(frame, abs=0.01)


def test_a_right_click_offers_what_can_be_done(sample, lane):
    pose, bone = StaggerItem(3), StaggerItem(3, 5)
    assert lane.menu_source(pose, 0.0, None) == pose
    entries = dict(lane.menu(bpy.context, pose))
    assert {"edit_extreme", "unstagger", "delete_staggered_pose", "pin_pose"} <= entries.keys()
    assert "on_time" not in entries
    assert "on_time" in dict(lane.menu(bpy.context, bone))
    lane.chosen(bpy.context, "pin_pose", pose, None)
    assert poses_of(sample).poses[3].pinned
    lane.chosen(bpy.context, "select_bone", bone, None)
    assert [each.name for each in bpy.context.selected_pose_bones] == [sample.pose.bones[4].name]
    bpy.ops.object.mode_set(mode="OBJECT")
    lane.chosen(bpy.context, "on_time", bone, None)
    model = session.there(sample).model
    assert model.joint_times[3, 5] == pytest.approx(model.pose_times[3], abs=1e-6)
    lane.chosen(bpy.context, "edit_extreme", pose, None)
    assert sample.mode == "POSE"
    OPERATORS.cancel_staggered_pose()


def test_every_pose_has_a_figure_at_its_frame(sample, lane):
    data = lane._picture.data
    assert len(data.icons) == len(data.pose_frames)
    wide = lane._picture.icons(100.0).figures
    assert [figure.place[0] for figure in wide] == pytest.approx(list(data.pose_frames))
    narrow = lane._picture.icons(0.5).figures
    assert 0 < len(narrow) < len(wide)
    picture = pose_icons.pixels_of(data.icons[2], 32)
    assert picture.shape == (32, 32, 4)
    assert 0.02 < picture[..., 3].mean() < 0.6


def test_the_panel_edits_all_poses_at_first(sample):
    assert poses_of(sample).all_poses

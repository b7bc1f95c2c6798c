"""Staggered poses follow whatever other tools and hands do to the motion between two edits of them."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.staggered import refit, session
from motion_editing.motion_editing_addon.staggered.lane.poses_on_strip import PosesOnStrip
from rigs import all_keys
from staggered_motions import extracted_sample, keyed_chain, keyed_pose_by_pose, motion_of, poses_of

OPERATORS = bpy.ops.motion_editing


@pytest.fixture
def sample(empty_scene):
    return extracted_sample(share=0.4)


@pytest.fixture
def keyed(empty_scene):
    armature = keyed_chain()
    OPERATORS.poses_from_keys()
    return armature


def frames_of(armature):
    return [pose.frame for pose in poses_of(armature).poses]


def spreads_of(armature):
    return [pose.spread for pose in poses_of(armature).poses]


def turned(before, after):
    """(F, J) radians between two motions."""
    return quaternion.angle_between(before.rotations, after.rotations)


def moved_frames(before, after, slack):
    """First and last sample that an edit has changed by more than a slack in radians."""
    changed = np.flatnonzero((turned(before, after) > slack).any(axis=1))
    return changed[0], changed[-1]


def test_a_filter_then_stagger(sample):
    OPERATORS.low_pass(cutoff=2.0)
    smooth = motion_of(sample)
    assert OPERATORS.scale_stagger(factor=1.5, all_poses=True) == {"FINISHED"}
    model = refit.require(bpy.context, sample).model
    assert turned(smooth, motion_of(sample)).max() > 0.01
    assert turned(smooth, model.source).max() < 1e-4, "the poses are those of the smooth motion"


def test_a_warp_then_retiming_a_pose(sample):
    old = np.array(frames_of(sample))
    OPERATORS.warp_time(length=0.5)
    clip = scope.read_clip(bpy.context, sample)
    new = np.array(frames_of(sample))
    assert len(new) == len(old)
    assert new[-1] == pytest.approx(clip.frames[-1], abs=0.6)
    assert (np.diff(new) > 0.0).all()
    lane = PosesOnStrip().data(bpy.context)
    np.testing.assert_allclose(lane.pose_frames, new, atol=1e-3)
    before = motion_of(sample)
    assert OPERATORS.retime_pose(pose=5, frame=new[5] + 1, keep_contacts=False) == {"FINISHED"}
    first, last = moved_frames(before, motion_of(sample), 1e-3)
    start = clip.frames[0]
    assert first + start > new[4] - 3
    assert last + start < new[6] + 3


def test_poses_hold_the_same_moments_after_a_warp(sample):
    poses, before = np.array(frames_of(sample)), motion_of(sample)
    start = before.times[0] * 30.0
    OPERATORS.warp_time(length=2.0)
    after, now = motion_of(sample), np.array(frames_of(sample))
    old = before.at((poses[3:8]) / 30.0)
    new = after.at((now[3:8]) / 30.0)
    assert start == pytest.approx(after.times[0] * 30.0)
    assert turned(old, new).max() < 0.04


@pytest.mark.parametrize("ends", ["HOLD", "CYCLE"])
def test_shifted_poses(sample, ends):
    old = np.array(frames_of(sample))
    OPERATORS.shift_time(offset=1.0, ends=ends)
    new = np.array(frames_of(sample))
    if ends == "HOLD":
        np.testing.assert_allclose(new, old + 30.0, atol=1e-3)
    else:
        length = old[-1] - old[0]
        wrapped = np.sort(old[0] + (old + 30.0 - old[0]) % length)
        assert np.abs(new[:, None] - wrapped).min(axis=1).max() < 0.01
    assert OPERATORS.exaggerate_pose(pose=3) == {"FINISHED"}


def test_reversed_poses(sample):
    old, spreads = np.array(frames_of(sample)), spreads_of(sample)
    OPERATORS.reverse_time()
    np.testing.assert_allclose(frames_of(sample), (old[0] + old[-1] - old)[::-1], atol=1e-3)
    assert spreads_of(sample) == pytest.approx(spreads[::-1], abs=1e-3)
    assert OPERATORS.unstagger(all_poses=True) == {"FINISHED"}


def test_mirrored_poses(sample):
    before = session.load(sample).table
    frames = frames_of(sample)
    OPERATORS.mirror_motion()
    after, skeleton = session.load(sample).table, motion_of(sample).skeleton
    left, right = skeleton.index["upper_arm.L"], skeleton.index["upper_arm.R"]
    assert np.abs(before.refinements[:, left] - before.refinements[:, right]).max() > 0.01
    np.testing.assert_array_equal(after.refinements[:, left], before.refinements[:, right])
    np.testing.assert_array_equal(after.refinements[:, right], before.refinements[:, left])
    assert frames_of(sample) == frames
    assert OPERATORS.exaggerate_pose(pose=4) == {"FINISHED"}


def test_only_the_retimed_bones_of_poses_move(sample):
    bpy.ops.object.mode_set(mode="POSE")
    for bone in sample.pose.bones:
        select(bone, bone.name == "head")
    before, frames, head = session.load(sample).table, frames_of(sample), motion_of(sample).skeleton.index["head"]
    OPERATORS.shift_time(offset=0.1)
    after = session.load(sample).table
    assert frames_of(sample) == frames
    others = np.arange(after.refinements.shape[1]) != head
    np.testing.assert_array_equal(after.refinements[:, others], before.refinements[:, others])
    np.testing.assert_allclose(after.refinements[:, head], before.refinements[:, head] + 0.1, atol=1e-6)


def test_a_key_changed_by_hand_then_succession(sample):
    curve = next(c for c in action_io.channelbag(sample).fcurves if '"head"' in c.data_path and c.array_index == 1)
    curve.keyframe_points[40].co[1] += 0.2
    curve.update()
    mine = motion_of(sample)
    assert OPERATORS.succession(bone="upper_arm.L", pose=2) == {"FINISHED"}
    head = mine.skeleton.index["head"]
    assert turned(mine, motion_of(sample))[38:43, head].max() < 1e-4


def test_a_pin_does_not_hide_a_change_of_the_keys(sample):
    curve = next(c for c in action_io.channelbag(sample).fcurves if '"head"' in c.data_path and c.array_index == 1)
    for key in curve.keyframe_points:
        key.co[1] += 0.2
    curve.update()
    mine = motion_of(sample)
    OPERATORS.pin_pose(pose=3)
    assert OPERATORS.exaggerate_pose(pose=3) == {"FINISHED"}
    head = mine.skeleton.index["head"]
    assert np.median(turned(mine, motion_of(sample))[:, head]) < 1e-4


def test_poses_whose_time_was_cut_away_go(sample):
    frames = np.array(frames_of(sample))
    cut = int(frames[6]) + 4
    for curve in action_io.channelbag(sample).fcurves:
        for key in [key for key in curve.keyframe_points if key.co[0] > cut][::-1]:
            curve.keyframe_points.remove(key)
    assert OPERATORS.exaggerate_pose(pose=3) == {"FINISHED"}
    assert frames_of(sample) == pytest.approx(frames[frames <= cut + 0.5].tolist(), abs=1e-3)


def test_nothing_left_says_what_to_do(sample):
    for curve in action_io.channelbag(sample).fcurves:
        for key in curve.keyframe_points:
            key.co[0] += 5000
        curve.update()
    with pytest.raises(RuntimeError, match="No pose is left in the motion: use Extract Poses again"):
        OPERATORS.exaggerate_pose(pose=0)


@pytest.mark.parametrize("length", [0.5, 1.37, 2.0])
def test_keyed_poses_after_a_warp(keyed, length):
    OPERATORS.pin_pose(pose=1)
    OPERATORS.warp_time(length=length)
    listed = frames_of(keyed)
    assert OPERATORS.scale_stagger(factor=2.0, all_poses=True) == {"FINISHED"}
    assert frames_of(keyed) == pytest.approx(listed, abs=0.02)
    assert [pose.pinned for pose in poses_of(keyed).poses] == [False, True, False], "still the same poses"


def test_keyed_poses_after_keys_were_moved_by_hand(keyed):
    poses_of(keyed).active = 1
    for curve in action_io.channelbag(keyed).fcurves:
        curve.keyframe_points[1].co_ui[0] += 6
        curve.update()
    before = all_keys(keyed.animation_data.action)
    assert OPERATORS.succession(bone="bone0", offset=0.08, pose=1) == {"FINISHED"}
    assert all_keys(keyed.animation_data.action) != before
    assert frames_of(keyed)[1] == pytest.approx(36.0, abs=1.01)


def test_keyed_poses_after_a_shift(empty_scene):
    armature = keyed_pose_by_pose()
    frames = frames_of(armature)
    OPERATORS.shift_time(offset=0.5)
    shift = scope.scene_rate(bpy.context) * 0.5
    assert frames_of(armature) == pytest.approx([frame + shift for frame in frames], abs=0.01)
    assert OPERATORS.exaggerate_pose(pose=2) == {"FINISHED"}
    assert OPERATORS.edit_staggered_pose(pose=2) == {"FINISHED"}
    assert OPERATORS.cancel_staggered_pose() == {"FINISHED"}


def test_poses_made_after_the_first_edit_go_with_a_timing_that_is_gone(empty_scene):
    OPERATORS.load_sample_motion(rate=30)
    armature = bpy.context.object
    OPERATORS.low_pass(cutoff=5.0)
    OPERATORS.extract_poses(share=0.4)
    OPERATORS.warp_time(length=0.5)
    OPERATORS.restore_original()
    assert session.load(armature) is None
    assert not poses_of(armature).poses


def test_the_original_comes_back_with_its_poses_after_a_warp(sample):
    frames = frames_of(sample)
    OPERATORS.warp_time(length=0.5)
    OPERATORS.restore_original()
    assert frames_of(sample) == frames
    assert session.fits(sample)

"""Staggered poses that are inserted, retimed and eased, and what stays beside them."""

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.staggered import refit
from rigs import all_keys
from staggered_motions import extracted_sample, keyed_chain, motion_of, poses_of


@pytest.fixture
def sample(empty_scene):
    return extracted_sample()


def test_inserting_and_deleting_a_pose_changes_no_key(sample):
    before, count = all_keys(sample.animation_data.action), len(poses_of(sample).poses)
    frames = {round(pose.frame) for pose in poses_of(sample).poses}
    free = next(frame for frame in range(60, 120) if not frames & {frame - 2, frame - 1, frame, frame + 1, frame + 2})
    bpy.context.scene.frame_set(free)
    assert bpy.ops.motion_editing.insert_staggered_pose() == {"FINISHED"}
    assert len(poses_of(sample).poses) == count + 1
    number = poses_of(sample).active
    assert round(poses_of(sample).poses[number].frame) == free
    assert bpy.ops.motion_editing.delete_staggered_pose() == {"FINISHED"}
    assert len(poses_of(sample).poses) == count
    assert all_keys(sample.animation_data.action) == before


def test_retiming_a_pose_moves_only_its_two_intervals(sample):
    poses_of(sample).share = 0.4
    poses, before = poses_of(sample).poses, motion_of(sample)
    pose = len(poses) // 2
    old = refit.require(bpy.context, sample).model
    bpy.ops.motion_editing.retime_pose(pose=pose, frame=poses[pose].frame + 2, keep_contacts=False)
    after = motion_of(sample)
    moving = before.times[(before.rotations != after.rotations).any(axis=(1, 2))]
    assert moving.min() > old.timing.extreme_times[pose - 1].min()
    assert moving.max() < old.timing.extreme_times[pose + 1].max()


def test_a_pose_that_cannot_go_so_far_stops_beside_its_neighbour_and_says_so(capfd):
    armature = keyed_chain()
    bpy.ops.motion_editing.poses_from_keys()
    latest = poses_of(armature).poses[2].frame
    assert bpy.ops.motion_editing.retime_pose(pose=1, frame=80.0) == {"FINISHED"}
    told = capfd.readouterr().out
    assert f"Pose 2 can go no later than frame {poses_of(armature).poses[1].frame:.1f}: pose 3 is there" in told
    gap = latest - 31.0  # the motion between two poses is at most four times as fast
    assert poses_of(armature).poses[1].frame == pytest.approx(latest - gap / 4.0)
    bpy.ops.motion_editing.retime_pose(pose=1, frame=30.0)
    assert "can go no" not in capfd.readouterr().out


def test_easing_a_pose_changes_only_the_ways_beside_it(sample):
    poses_of(sample).share = 0.4
    before, old = motion_of(sample), refit.require(bpy.context, sample).model
    assert bpy.ops.motion_editing.ease_pose(pose=4, arriving=0.0, leaving=0.0, keep_contacts=False) == {"FINISHED"}
    moving = before.times[(before.rotations != motion_of(sample).rotations).any(axis=(1, 2))]
    assert moving.size
    assert moving.min() > old.timing.extreme_times[3].min()
    assert moving.max() < old.timing.extreme_times[5].max()


@pytest.mark.parametrize(("side", "first", "last"), [("BOTH", 3, 5), ("ARRIVING", 3, 4), ("LEAVING", 4, 5)])
def test_set_tangents_changes_only_its_side_of_the_pose(sample, side, first, last):
    poses_of(sample).share = 0.4
    bpy.ops.motion_editing.unstagger(all_poses=True, keep_contacts=False)
    before, old = motion_of(sample), refit.require(bpy.context, sample).model
    assert bpy.ops.motion_editing.set_tangents(pose=4, shape="FLAT", side=side, keep_contacts=False) == {"FINISHED"}
    turned = np.abs(before.rotations - motion_of(sample).rotations).max(axis=(1, 2))
    assert turned.max() > 0.01
    # Elsewhere feet come back up to the floor in another way, a little.
    beside = (before.times <= old.pose_times[first]) | (before.times >= old.pose_times[last])
    assert turned[beside].max() < 0.02

"""Reference poses in front of a motion: found in real clips, not seen where there are none."""

from dataclasses import replace

import numpy as np
import pytest
from made_motion import swinging_chain

from core.files.bvh import read_bvh
from core.motion.motion import Motion
from core.motion.reference_frame import leading_reference_frames, still_leading


def taken(motion, rows):
    """The motion with these frames of it only, in this order, evenly spaced."""
    return Motion.build(motion.skeleton, motion.rotations[rows], rate=motion.rate, locations=motion.locations[rows])


def calm(frames=60):
    """A chain that swings slowly from a pose far from rest."""
    return swinging_chain(joints=6, frames=600, seed=3).part(40, 40 + frames)


def with_rest_in_front(motion, count=1):
    rest = np.tile([1.0, 0.0, 0.0, 0.0], (count, len(motion.skeleton), 1))
    rotations = np.concatenate([rest, motion.rotations])
    locations = np.concatenate([motion.locations[[0] * count], motion.locations])
    return Motion.build(motion.skeleton, rotations, rate=motion.rate, locations=locations)


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("frames", [3, 11, 60])
def test_a_rest_pose_in_front_is_counted(frames, count):
    assert leading_reference_frames(with_rest_in_front(calm(frames), count)) == count


def test_only_as_many_frames_as_asked_for_are_looked_at():
    assert leading_reference_frames(with_rest_in_front(calm(), 3)) == 0
    assert leading_reference_frames(with_rest_in_front(calm(), 3), most=3) == 3


def test_leaving_the_reference_out_leaves_none():
    motion = with_rest_in_front(calm())
    assert leading_reference_frames(motion.part(1, len(motion))) == 0


def test_positions_from_outside_decide_for_a_rig_whose_own_joints_stand_still():
    moving = with_rest_in_front(calm())
    still = moving.with_rotations(np.tile([1.0, 0.0, 0.0, 0.0], (len(moving), len(moving.skeleton), 1)))
    assert leading_reference_frames(still) == 0
    assert leading_reference_frames(still, positions=moving.poses.positions) == 1


def test_a_spike_right_after_does_not_hide_the_reference_and_later_ones_are_none():
    motion = with_rest_in_front(calm())
    spiked = np.array(motion.rotations)
    spiked[6] = [1.0, 0.0, 0.0, 0.0]
    assert leading_reference_frames(motion.with_rotations(spiked)) == 1
    assert leading_reference_frames(motion.with_rotations(spiked).part(1, 60)) == 0


def test_a_fast_start_that_slows_down_is_motion():
    times = 1.0 - 0.6 ** np.arange(30.0)
    source = swinging_chain(joints=6, frames=200, seed=3)
    assert leading_reference_frames(source.at(times * source.times[-1] * 0.3)) == 0


def test_held_poses_with_a_pop_between_them_have_no_reference():
    held = np.concatenate([[0], np.repeat([100, 220, 310, 400, 500], 8)])
    assert leading_reference_frames(taken(swinging_chain(joints=6, frames=600, seed=3), held)) == 0


@pytest.mark.parametrize("frames", [1, 2])
def test_too_few_frames_tell_nothing(frames):
    assert leading_reference_frames(with_rest_in_front(calm()).part(0, frames)) == 0


def test_a_figure_of_one_point_has_no_reference():
    motion = swinging_chain(joints=1, frames=20)
    assert leading_reference_frames(motion) == 0


def clip_paths(folder):
    """Every clip that reads as a motion of its own, not the broken ones."""
    return sorted([*(folder / "dev").glob("*.bvh"), *(folder / "odd").glob("*.bvh")])


@pytest.mark.clips
def test_exactly_the_clips_with_an_added_t_pose_are_noticed(clips_folder):
    paths = clip_paths(clips_folder)
    found = {path.name: leading_reference_frames(read_bvh(path).to_motion()) for path in paths}
    assert len(found) >= 30
    assert found == {path.name: int(path.name.startswith("cmu_")) for path in paths}


@pytest.mark.clips
@pytest.mark.parametrize("name", ["cmu_09_01_run", "cmu_13_18_boxing_aggressive", "cmu_118_01_jump"])
@pytest.mark.parametrize("every", [1, 2, 5])
def test_the_same_at_lower_rates_wherever_the_clip_starts(clips_folder, name, every):
    motion = read_bvh(clips_folder / "dev" / f"{name}.bvh").to_motion()
    for start in range(1, len(motion) - 12 * every, 37):
        rows = np.arange(start, len(motion), every)[:60]
        plain = taken(motion, rows)
        assert leading_reference_frames(plain) == 0, start
        assert leading_reference_frames(taken(motion, np.append(0, rows))) == 1, start
        assert leading_reference_frames(replace(plain, times=plain.times + 3.0)) == 0, start


@pytest.mark.parametrize("count", [1, 2])
def test_reference_frames_that_were_deleted_are_noticed_in_the_channels(count):
    values = 0.1 * np.sin(0.2 * np.arange(16)[:, None] + np.arange(7))
    values[:count] = 1.0
    assert still_leading(values, count) == count
    assert still_leading(values[1:], count) == count - 1
    assert still_leading(values[count:], count) == 0
    assert still_leading(values[count + 5 :], count) == 0
    assert still_leading(values[:3], count) == 0

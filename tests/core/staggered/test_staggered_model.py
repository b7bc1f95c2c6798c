"""The model of staggered poses: what it reproduces, what it refuses, what stays as it was."""

from __future__ import annotations

import numpy as np
import pytest
import slow_staggered
from made_motion import random_rotations, swinging_chain
from made_staggered import POSE_TIMES, largest_difference, noisy_motion, staggered

from core.analysis.extremes.extraction import extract_poses
from core.body import find_body
from core.errors import TooFewFramesError
from core.files.bvh import read_bvh
from core.numerics import quaternion
from core.sample_motion import sample_motion
from core.staggered import evaluate, fit, retime, scale_stagger, succession, true_pose, with_detail_strength
from core.staggered.algebra import NUMBER, ROTATION


def test_operators_apply_the_second_after_the_first():
    a, b = random_rotations(5, seed=1), random_rotations(5, seed=2)
    composed = ROTATION.concatenate(a, b)
    expected = slow_staggered.rotation(b) * slow_staggered.rotation(a)
    np.testing.assert_allclose((slow_staggered.rotation(composed) * expected.inv()).magnitude(), 0.0, atol=1e-12)
    np.testing.assert_allclose(NUMBER.concatenate([[1.0]], [[2.0]]), [[3.0]])


@pytest.mark.parametrize("algebra", [ROTATION, NUMBER])
def test_factoring_undoes_concatenating(algebra):
    random = np.random.default_rng(3)
    a, b = (algebra.exp(random.normal(size=(6, algebra.offset_width))) for _ in range(2))
    np.testing.assert_allclose(algebra.factor(algebra.concatenate(a, b), a), b, atol=1e-12)


def test_unedited_poses_give_back_the_very_motion():
    motion = noisy_motion()
    assert evaluate(staggered(motion)) is motion


def test_splines_and_displacements_reproduce_the_motion():
    motion = noisy_motion()
    model = slow_staggered.everything_edited(staggered(motion))
    assert largest_difference(evaluate(model), motion) < 1e-12


def test_knots_between_frames_reproduce_the_motion():
    motion = noisy_motion()
    model = slow_staggered.everything_edited(staggered(motion, times=[0.0, 0.511, 1.2345, 2.02, 3.3]))
    assert largest_difference(evaluate(model), motion) < 1e-12


@pytest.mark.parametrize("frames", [2, 3, 4])
def test_short_motions(frames):
    motion = swinging_chain(joints=3, frames=frames)
    model = slow_staggered.everything_edited(fit(motion, [0.0, motion.times[-1]]))
    assert largest_difference(evaluate(model), motion) < 1e-12


def test_poses_need_not_cover_the_motion():
    motion = noisy_motion()
    model = slow_staggered.everything_edited(fit(motion, [1.0, 2.0]))
    assert largest_difference(evaluate(model), motion) < 1e-12


@pytest.mark.clips
@pytest.mark.parametrize("folder", ["dev", "odd"])
def test_every_clip_is_reproduced(clips_folder, folder):
    for path in sorted((clips_folder / folder).glob("*.bvh")):
        motion = read_bvh(path).to_motion()
        if len(motion) < 3:
            continue
        motion = motion.part(0, 1500)
        body = find_body(motion.skeleton, motion=motion)
        found = extract_poses(motion, body)
        model = fit(motion, found.times, found.refinements, root_refinements=found.root_refinements)
        again = evaluate(slow_staggered.everything_edited(model))
        height = body.height or np.ptp(motion.poses.positions[0], axis=0).max() or 1.0
        assert quaternion.angle_between(again.rotations, motion.rotations).max() < 1e-9, path.name
        assert np.abs(again.locations - motion.locations).max() < 1e-9 * height, path.name
        assert evaluate(model) is motion


def test_agrees_with_one_joint_and_one_time_at_once():
    motion = noisy_motion(joints=3, frames=60)
    model = staggered(motion, times=[0.0, 0.6, 1.2, motion.times[-1]])
    model = with_detail_strength(succession(retime(model, 1, 0.75), 0, 0.04), 1.7, poses=[1])
    times = np.array([0.0, 0.213, 0.61, 0.97, 1.31, 1.9])
    fast = evaluate(slow_staggered.everything_edited(model), times).rotations
    for frame, time in enumerate(times):
        for joint in range(3):
            slow = slow_staggered.evaluate_rotation(model, joint, float(time))
            assert quaternion.angle_between(fast[frame, joint], slow) < 1e-9


def test_single_frame_is_refused_with_a_reason():
    with pytest.raises(TooFewFramesError, match="need 2 frames, the motion has 1"):
        fit(swinging_chain(frames=3).part(0, 1), [0.0])


@pytest.mark.parametrize(("times", "message"), [([1.0, 1.0], "must increase"), ([0.0, 99.0], "within the motion")])
def test_bad_pose_times_are_refused(times, message):
    with pytest.raises(ValueError, match=message):
        fit(noisy_motion(), times)


def test_table_of_wrong_size_is_refused():
    with pytest.raises(ValueError, match="a column for each joint"):
        fit(noisy_motion(), POSE_TIMES, np.zeros((5, 3)))


def test_only_what_varies_is_a_variable():
    model = staggered(noisy_motion())
    assert model.variables.locations == (0, 2)
    assert model.variables.scales == (1,)
    assert model.variables.scalars == 2


def test_input_is_left_alone():
    motion = noisy_motion()
    before = np.array(motion.rotations)
    model = staggered(motion)
    values = np.array(model.rotations.values)
    evaluate(scale_stagger(retime(model, 2, 1.6), 2.0))
    np.testing.assert_array_equal(motion.rotations, before)
    np.testing.assert_array_equal(model.rotations.values, values)
    with pytest.raises(ValueError, match="read-only"):
        model.pose_times[0] = 1.0


def test_one_time_is_what_the_whole_motion_shows():
    model = succession(retime(staggered(noisy_motion()), 2, 1.6), 0, 0.05)
    whole = evaluate(model)
    assert largest_difference(evaluate(model, whole.times[41]), whole.part(41, 42)) < 1e-12
    assert largest_difference(true_pose(model, 3), evaluate(model, [model.pose_times[3]])) < 1e-15


def test_sample_motion_is_reproduced():
    motion = sample_motion()
    found = extract_poses(motion, find_body(motion.skeleton, motion=motion))
    model = fit(motion, found.times, found.refinements, root_refinements=found.root_refinements)
    assert largest_difference(evaluate(slow_staggered.everything_edited(model)), motion) < 1e-12

"""Changing, adding and removing staggered poses (5.1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import slow_staggered
from made_motion import swinging_chain
from made_staggered import POSE_TIMES, largest_difference, noisy_motion, staggered, unchanged_frames

from core.errors import MotionEditError
from core.motion.motion import Motion
from core.numerics import quaternion
from core.staggered import (
    StaggeredMotion,
    average_pose,
    delete_poses,
    evaluate,
    exaggerate,
    fit,
    insert_pose,
    non_staggered_pose,
    restagger,
    scale_stagger,
    succession,
    true_pose,
    with_detail_strength,
    with_extreme_pose,
    with_motion,
    with_true_pose,
)
from core.staggered.edits.pose_set import with_presence


def turned(pose: Motion, joint: int = 1, vector: tuple[float, float, float] = (0.3, -0.2, 0.4)) -> Motion:
    """A pose with one joint turned, all locations and the scalars moved."""
    rotations, locations = np.array(pose.rotations), np.array(pose.locations)
    rotations[0, joint] = quaternion.multiply(quaternion.exp(vector), rotations[0, joint])
    locations[0, 0] += [0.5, 0.1, -0.2]
    return replace(pose, rotations=rotations, locations=locations)


def change(model: StaggeredMotion, edited: StaggeredMotion, time: float, joint: int):
    """Rotation vector by which an edit changed a joint at a time, in its parent's axes."""
    before, after = (evaluate(m, [time]).rotations[0, joint] for m in (model, edited))
    return quaternion.log(quaternion.multiply(after, quaternion.conjugate(before)))


def test_non_staggered_pose_has_the_extremes():
    model = staggered(noisy_motion())
    pose = non_staggered_pose(model, 2)
    for joint in range(4):
        at_extreme = evaluate(model, [model.timing.extreme_times[2, joint]])
        assert quaternion.angle_between(pose.rotations[0, joint], at_extreme.rotations[0, joint]) < 1e-12


def test_true_pose_is_what_the_motion_shows():
    model = staggered(noisy_motion())
    assert largest_difference(true_pose(model, 2), model.source.at([POSE_TIMES[2]])) < 1e-12


def test_extreme_pose_is_reached():
    model = staggered(noisy_motion())
    wanted = turned(non_staggered_pose(model, 2))
    edited = with_extreme_pose(model, 2, wanted)
    assert largest_difference(non_staggered_pose(edited, 2), wanted) < 1e-12
    extreme = evaluate(edited, [model.timing.extreme_times[2, 1]]).rotations[0, 1]
    assert quaternion.angle_between(extreme, wanted.rotations[0, 1]) < 1e-12


def test_true_pose_is_reached():
    model = staggered(noisy_motion())
    wanted = turned(true_pose(model, 2))
    assert largest_difference(true_pose(with_true_pose(model, 2, wanted), 2), wanted) < 1e-12


@pytest.mark.parametrize("put", [with_extreme_pose, with_true_pose])
@pytest.mark.parametrize("prepare", [lambda model: model, lambda model: succession(model, 0, 0.04)])
def test_editing_knot_and_extreme_change_by_the_same_amount(put, prepare):
    model = prepare(staggered(noisy_motion()))
    see = true_pose if put is with_true_pose else non_staggered_pose
    edited = put(model, 2, turned(see(model, 2)))
    at_extreme = change(model, edited, float(model.timing.extreme_times[2, 1]), 1)
    at_pose = change(model, edited, POSE_TIMES[2], 1)
    np.testing.assert_allclose(at_extreme, [0.3, -0.2, 0.4], atol=1e-9)
    np.testing.assert_allclose(at_pose, at_extreme, atol=1e-9)


def test_edit_reaches_only_its_joint_and_the_two_intervals():
    model = staggered(noisy_motion())
    motion = model.source
    result = evaluate(with_extreme_pose(model, 2, turned(non_staggered_pose(model, 2)), joints=[1]))
    changed = (result.rotations != motion.rotations).any(axis=2)
    assert not np.delete(changed, 1, axis=1).any()
    np.testing.assert_array_equal(result.locations, motion.locations)
    times = motion.times[changed[:, 1]]
    knots = model.timing
    low = max(knots.extreme_times[1, 1], knots.companion_times[1, 1])
    high = min(knots.extreme_times[3, 1], knots.companion_times[3, 1])
    assert low < times[0]
    assert times[-1] < high
    assert np.isin(POSE_TIMES[2] + np.array([-0.1, 0.0, 0.1]), times.round(9)).any()


def test_first_pose_carries_the_start_along():
    motion = noisy_motion()
    model = fit(motion, POSE_TIMES, np.full((5, 4), 0.1) * [[1], [0], [0], [0], [0]])
    edited = with_extreme_pose(model, 0, turned(non_staggered_pose(model, 0)))
    np.testing.assert_allclose(change(model, edited, 0.0, 1), [0.3, -0.2, 0.4], atol=1e-9)


def test_pose_as_it_is_changes_nothing():
    model = staggered(noisy_motion())
    assert with_extreme_pose(model, 2, non_staggered_pose(model, 2)) is model
    assert with_true_pose(model, 2, true_pose(model, 2)) is model


def test_partial_pose_leaves_the_other_joints_bit_for_bit():
    motion, present = noisy_motion(), np.ones((5, 4), dtype=bool)
    present[2] = [False, True, False, False]
    model = fit(motion, POSE_TIMES, present=present)
    assert largest_difference(evaluate(slow_staggered.everything_edited(model)), motion) < 1e-12
    edited = with_extreme_pose(model, 2, turned(non_staggered_pose(model, 2)), joints=[1])
    result = evaluate(edited)
    changed = (result.rotations != motion.rotations).any(axis=(0, 2))
    assert changed.tolist() == [False, True, False, False]


def test_joint_that_a_pose_lacks_is_taken_up_when_it_is_changed():
    motion, present = noisy_motion(), np.ones((5, 4), dtype=bool)
    present[2, 1] = False
    model = fit(motion, POSE_TIMES, present=present)
    wanted = turned(non_staggered_pose(model, 2))
    edited = with_extreme_pose(model, 2, wanted)
    assert edited.timing.present[2, 1]
    assert largest_difference(true_pose(edited, 2), wanted) < 1e-9


def test_location_that_never_moved_becomes_a_variable():
    model = staggered(noisy_motion())
    pose = non_staggered_pose(model, 2)
    locations = np.array(pose.locations)
    locations[0, 1] = [0.0, 0.7, 0.0]
    edited = with_extreme_pose(model, 2, pose.with_locations(locations))
    assert edited.variables.locations == (0, 1, 2)
    result = evaluate(edited)
    np.testing.assert_array_equal(result.rotations, model.source.rotations)
    assert np.abs(result.locations[:, 1, 1]).max() == pytest.approx(0.7, abs=1e-3)
    same = unchanged_frames(result, model.source)
    assert same[model.source.times < POSE_TIMES[1] - 0.3].all()


def test_unstagger_fix_restagger_keeps_the_stagger_and_the_detail():
    model = staggered(noisy_motion())
    flat = scale_stagger(model, 0.0)
    wanted = turned(true_pose(flat, 2))
    fixed = with_true_pose(flat, 2, wanted)
    assert largest_difference(true_pose(fixed, 2), wanted) < 1e-12
    result = restagger(fixed)
    np.testing.assert_array_equal(result.timing.extreme_times, model.timing.extreme_times)
    direct = with_extreme_pose(model, 2, turned(non_staggered_pose(model, 2)))
    assert largest_difference(evaluate(result), evaluate(direct)) < 1e-9


@pytest.mark.parametrize("time", [0.02, 1.1, 1.47, 2.95])
def test_inserting_a_pose_does_not_change_the_motion(time):
    model = with_extreme_pose(staggered(noisy_motion()), 2, turned(non_staggered_pose(staggered(noisy_motion()), 2)))
    inserted = insert_pose(model, time)
    assert len(inserted) == 6
    assert largest_difference(evaluate(inserted), evaluate(model)) < 1e-9
    assert largest_difference(evaluate(slow_staggered.everything_edited(inserted)), evaluate(model)) < 1e-9


@pytest.mark.parametrize("poses", [[0], [2], [4], [1, 2, 3], [0, 4]])
def test_deleting_poses_does_not_change_the_motion(poses):
    model = succession(staggered(noisy_motion()), 0, 0.03)
    deleted = delete_poses(model, poses)
    assert len(deleted) == 5 - len(poses)
    assert largest_difference(evaluate(slow_staggered.everything_edited(deleted)), evaluate(model)) < 1e-9


def test_intervals_away_from_an_inserted_pose_keep_their_strength():
    model = with_detail_strength(fit(noisy_motion(), POSE_TIMES), 0.5)
    inserted = insert_pose(model, 1.1)
    strength = inserted.rotations.strength[:5]
    np.testing.assert_array_equal(strength, [0.5, 1.0, 1.0, 0.5, 0.5])


def test_inserted_pose_keeps_clear_of_the_knots_around_it():
    motion, late = noisy_motion(), np.zeros((5, 4))
    late[2, 1] = 0.2
    model = fit(motion, POSE_TIMES, late)
    inserted = insert_pose(model, 1.6)
    np.testing.assert_array_equal(np.delete(inserted.timing.extreme_times, 3, axis=0), model.timing.extreme_times)
    assert inserted.timing.extreme_times[3, 1] > 1.7
    assert inserted.timing.extreme_times[3, 0] == 1.6


def test_inserted_pose_can_be_edited():
    model = insert_pose(staggered(noisy_motion()), 1.1, joints=[1, 2])
    wanted = turned(true_pose(model, 2))
    assert largest_difference(true_pose(with_true_pose(model, 2, wanted), 2), wanted) < 1e-9


def test_refusals_give_their_reason():
    model = staggered(noisy_motion())
    with pytest.raises(MotionEditError, match="outside the motion"):
        insert_pose(model, 9.0)
    with pytest.raises(MotionEditError, match="already"):
        insert_pose(model, POSE_TIMES[1])
    with pytest.raises(MotionEditError, match="At least one pose"):
        delete_poses(model, range(5))


def test_exaggeration_scales_the_rotation_from_the_reference():
    model = staggered(noisy_motion())
    edited = exaggerate(model, 0.5, against="PREVIOUS", poses=[2])
    poses = [non_staggered_pose(m, k) for m, k in ((model, 1), (model, 2), (edited, 2))]
    apart = [
        quaternion.log(quaternion.multiply(poses[k].rotations, quaternion.conjugate(poses[0].rotations)))
        for k in (1, 2)
    ]
    np.testing.assert_allclose(apart[1], 1.5 * apart[0], atol=1e-9)
    np.testing.assert_allclose(
        poses[2].locations - poses[0].locations, 1.5 * (poses[1].locations - poses[0].locations), atol=1e-9
    )


@pytest.mark.parametrize("against", ["PREVIOUS", "NEXT", "AVERAGE", 3])
def test_weight_minus_one_reaches_the_reference(against):
    model = staggered(noisy_motion())
    edited = exaggerate(model, -1.0, against=against, poses=[2])
    poses = [non_staggered_pose(model, k) for k in range(5)]
    reference = {
        "PREVIOUS": poses[1],
        "NEXT": poses[3],
        3: poses[3],
        "AVERAGE": average_pose(non_staggered_pose(model, range(5))),
    }[against]
    assert largest_difference(non_staggered_pose(edited, 2), reference) < 1e-9


def test_true_poses_can_be_exaggerated():
    model = staggered(noisy_motion())
    edited = exaggerate(model, -1.0, against=true_pose(model, 1), poses=[2], true_poses=True)
    assert largest_difference(true_pose(edited, 2), true_pose(model, 1)) < 1e-9


def test_weight_zero_and_missing_neighbours_change_nothing():
    model = staggered(noisy_motion())
    assert exaggerate(model, 0.0) is model
    assert exaggerate(model, 1.0, against="PREVIOUS", poses=[0]) is model
    assert exaggerate(model, 1.0, against="NEXT", poses=[4]) is model


def test_what_a_pose_alone_holds_changes_no_further_than_the_poses_beside_it():
    motion = noisy_motion()
    present = np.ones((len(POSE_TIMES), len(motion.skeleton)), dtype=bool)
    present[[0, 1, 3, 4], 2] = False
    model = fit(motion, POSE_TIMES, present=present)
    edited = evaluate(with_extreme_pose(model, 2, noisy_motion(seed=5).part(0, 1), joints=[2]))
    outside = (motion.times <= POSE_TIMES[1]) | (motion.times >= POSE_TIMES[3])
    np.testing.assert_array_equal(edited.rotations[outside], motion.rotations[outside])
    assert (edited.rotations[~outside, 2] != motion.rotations[~outside, 2]).any(axis=1).mean() > 0.9


def test_poses_that_hold_other_joints_give_the_same_motion():
    model = staggered(noisy_motion())
    present = np.random.default_rng(2).uniform(size=model.timing.present.shape) < 0.6
    there = with_presence(model, present)
    np.testing.assert_array_equal(there.timing.present, present)
    assert largest_difference(evaluate(there), model.source) < 1e-12


def test_a_joint_that_only_turned_can_be_moved():
    motion = swinging_chain(joints=3, frames=60)
    model = fit(motion, motion.times[[0, 30, 59]])
    wanted = replace(true_pose(model, 1), locations=np.full((1, 3, 3), 0.5))
    np.testing.assert_allclose(true_pose(with_extreme_pose(model, 1, wanted), 1).locations, 0.5)


def test_poses_of_another_motion_are_what_is_seen_and_meet_what_is_posed():
    model = staggered(noisy_motion())
    shown = with_motion(model, replace(model.source, rotations=noisy_motion(seed=7).rotations))
    for pose in range(len(POSE_TIMES)):
        times = model.timing.extreme_times[pose, :4]
        seen = np.array([evaluate(shown, [time]).rotations[0, joint] for joint, time in enumerate(times)])
        assert quaternion.angle_between(non_staggered_pose(shown, pose).rotations[0], seen).max() < 2e-3
    wanted = turned(non_staggered_pose(shown, 2))
    edited = with_extreme_pose(shown, 2, wanted)
    assert quaternion.angle_between(non_staggered_pose(edited, 2).rotations, wanted.rotations).max() < 1e-6

"""Splines between staggered poses, the detail over them, and other motions for the same poses."""

from __future__ import annotations

import numpy as np
import slow_staggered
from made_motion import swinging_chain
from made_staggered import largest_difference, noisy_motion, staggered

from core.numerics import quaternion
from core.staggered import (
    evaluate,
    fit,
    insert_pose,
    restagger,
    scale_stagger,
    with_detail_strength,
    with_motion,
    with_scaled_tangents,
)


def test_no_detail_leaves_the_bare_spline_through_the_same_knots():
    motion = noisy_motion()
    model = staggered(motion)
    bare = with_detail_strength(model, 0.0)
    knots = [float(time) for time in model.timing.extreme_times[:, 1]]
    np.testing.assert_allclose(
        evaluate(bare, knots).rotations[:, 1], evaluate(model, knots).rotations[:, 1], atol=1e-12
    )
    roughness = [np.abs(np.diff(m.rotations, n=4, axis=0)).mean() for m in (evaluate(bare), motion)]
    assert roughness[0] < 0.1 * roughness[1]


def test_detail_is_scaled_as_a_rotation():
    motion = noisy_motion()
    model = slow_staggered.everything_edited(staggered(motion))
    double, triple = (evaluate(with_detail_strength(model, strength)) for strength in (2.0, 3.0))
    once = quaternion.log(quaternion.multiply(double.rotations, quaternion.conjugate(motion.rotations)))
    twice = quaternion.log(quaternion.multiply(triple.rotations, quaternion.conjugate(motion.rotations)))
    assert np.abs(once).max() > 0.05
    np.testing.assert_allclose(twice, 2.0 * once, atol=1e-9)


def test_detail_of_one_joint_and_interval_leaves_the_rest():
    motion = noisy_motion()
    model = staggered(motion)
    result = evaluate(with_detail_strength(model, 0.0, poses=[2], joints=[1]))
    changed = (result.rotations != motion.rotations).any(axis=2)
    assert changed[:, 1].any()
    assert not np.delete(changed, 1, axis=1).any()
    first, last = np.flatnonzero(changed[:, 1])[[0, -1]]
    knots = model.timing.slot_times[:, 1]
    assert knots[5] <= motion.times[first]
    assert motion.times[last] <= np.nanmin(np.where(model.timing.slots_used[7:, 1], knots[7:], np.nan))


def test_spline_velocity_is_continuous_at_editing_knots():
    model = with_detail_strength(staggered(noisy_motion()), 0.0)
    step, found = 1e-5, 0
    for pose in range(1, 4):
        for joint in range(4):
            if model.timing.has_companion[pose, joint]:
                time = model.timing.companion_times[pose, joint]
                before, at, after = evaluate(model, [time - step, time, time + step]).rotations[:, joint]
                speeds = [
                    quaternion.log(quaternion.multiply(b, quaternion.conjugate(a))) / step
                    for a, b in ((before, at), (at, after))
                ]
                np.testing.assert_allclose(speeds[0], speeds[1], atol=2e-2)
                found += 1
    assert found > 8


def test_a_model_takes_up_another_motion_and_goes_back():
    motion, target = noisy_motion(), noisy_motion(seed=9)
    model = staggered(motion)
    other = with_motion(model, target)
    assert largest_difference(evaluate(other), target) < 1e-12
    assert largest_difference(evaluate(with_motion(other, motion)), motion) < 1e-12


def test_another_motion_of_one_joint_leaves_the_others_bit_for_bit():
    motion = noisy_motion()
    rotations = np.array(motion.rotations)
    rotations[:, 2] = quaternion.multiply(quaternion.exp([0.3, 0.0, 0.1]), rotations[:, 2])
    result = evaluate(with_motion(staggered(motion), motion.with_rotations(rotations)))
    changed = (result.rotations != motion.rotations).any(axis=(0, 2))
    assert changed.tolist() == [False, False, True, False]


def test_what_is_not_taken_up_comes_back_exactly_when_it_is_staggered_again():
    motion = noisy_motion()
    flat = scale_stagger(staggered(motion), 0.0)
    shown = evaluate(flat)
    rotations = np.array(shown.rotations)
    rotations[:, 2] = quaternion.multiply(quaternion.exp([0.3, 0.0, 0.1]), rotations[:, 2])
    other = with_motion(flat, shown.with_rotations(rotations))
    np.testing.assert_allclose(evaluate(other).rotations, rotations, atol=1e-9)
    again = evaluate(restagger(other))
    np.testing.assert_array_equal(np.delete(again.rotations, 2, axis=1), np.delete(motion.rotations, 2, axis=1))
    np.testing.assert_array_equal(again.locations, motion.locations)
    turn = quaternion.multiply(again.rotations[:, 2], quaternion.conjugate(motion.rotations[:, 2]))
    assert np.median(np.abs(quaternion.log(turn) - [0.3, 0.0, 0.1]).max(axis=1)) < 0.05


def test_a_structure_change_leaves_another_motion_as_it_is():
    model = with_motion(staggered(noisy_motion()), noisy_motion(seed=5))
    inserted = insert_pose(model, 1.0)
    assert largest_difference(evaluate(slow_staggered.everything_edited(inserted)), evaluate(model)) < 1e-9


def test_another_motion_may_move_places_that_never_moved_before():
    motion = swinging_chain(joints=3, frames=60)
    model = fit(motion, motion.times[[0, 20, 40, 59]])
    locations = np.array(motion.locations)
    locations[25:35, 1, 2] += np.hanning(10)
    reached = evaluate(with_motion(model, motion.with_locations(locations)))
    np.testing.assert_allclose(reached.locations, locations, atol=1e-12)
    np.testing.assert_array_equal(reached.rotations, motion.rotations)


def knot_speeds(model, joint, time, step=1e-5):
    """Rotation velocities before and after a time."""
    before, at, after = evaluate(model, [time - step, time, time + step]).rotations[:, joint]
    return [
        quaternion.log(quaternion.multiply(b, quaternion.conjugate(a))) / step for a, b in ((before, at), (at, after))
    ]


def test_bare_splines_have_one_velocity_at_every_knot():
    fitted = staggered(noisy_motion())
    model = with_detail_strength(fitted, 0.0)
    found = 0
    for pose in range(1, 4):
        for joint in range(4):
            one, other = knot_speeds(model, joint, float(model.timing.extreme_times[pose, joint]))
            assert np.linalg.norm(one - other) < 0.05 * max(np.linalg.norm(one), 0.5)
            found += 1
    assert found == 12
    again = with_detail_strength(model, 1.0)
    np.testing.assert_array_equal(again.rotations.leaving, fitted.rotations.leaving)
    assert evaluate(again) is fitted.source


def test_tangents_that_were_edited_are_not_joined():
    eased = with_scaled_tangents(staggered(noisy_motion()), arriving=0.0, leaving=0.5, poses=[2])
    bare = with_detail_strength(eased, 0.0)
    for joint in range(4):
        arriving, _leaving = knot_speeds(bare, joint, float(bare.timing.extreme_times[2, joint]))
        assert np.linalg.norm(arriving) < 0.02

"""Fitting splines to intervals of a motion (4.1.1, Appendix A)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import slow_staggered
from made_motion import chain, noisy_curves, random_rotations, smooth_rotations

from core.analysis.extremes.extraction import extract_poses
from core.body import find_body
from core.files.bvh import read_bvh
from core.motion.motion import Motion
from core.numerics import quaternion
from core.numerics.quaternion import Array
from core.numerics.rotation_spline import spline
from core.staggered import FitOptions
from core.staggered.curve_fit.interval_samples import IntervalSamples
from core.staggered.curve_fit.number_fit import fit_numbers
from core.staggered.curve_fit.rotation_derivatives import spline_and_derivatives
from core.staggered.curve_fit.rotation_fit import fit_rotations


@dataclass
class Intervals:
    """Intervals of a motion's joints, as the solver takes them."""

    first: Array
    last: Array
    samples: IntervalSamples
    values: Array

    def one(self, number: int) -> tuple[Array, Array, Array, Array]:
        """Ends, times and samples of one interval."""
        chosen = slice(self.samples.starts[number], self.samples.starts[number] + self.samples.counts[number])
        return (
            self.first[number],
            self.last[number],
            self.samples.times[chosen],
            np.array(self.values[chosen]),
        )


def between(motion: Motion, starts: Array, ends: Array, joints: Array) -> Intervals:
    """Intervals from frame to frame of given joints."""
    samples = IntervalSamples.between(motion.times, motion.times[starts], motion.times[ends])
    values = motion.rotations[samples.frames, joints[samples.owner]]
    return Intervals(motion.rotations[starts, joints], motion.rotations[ends, joints], samples, values)


def of_extracted_poses(motion: Motion) -> Intervals:
    """All intervals between the extremes of extracted poses that move."""
    found = extract_poses(motion, find_body(motion.skeleton, motion=motion))
    knots = np.searchsorted(motion.times, found.times[:, None] + found.refinements - 1e-6)
    starts, ends = knots[:-1].T.ravel(), knots[1:].T.ravel()
    joints = np.repeat(np.arange(len(motion.skeleton)), len(found) - 1)
    steps = quaternion.angle_between(motion.rotations[1:], motion.rotations[:-1])
    largest = np.array([steps[a:b, j].max(initial=0.0) for a, b, j in zip(starts, ends, joints, strict=True)])
    chosen = (ends > starts + 4) & (largest > 1e-4)
    return between(motion, starts[chosen], ends[chosen], joints[chosen])


def with_pops(intervals: Intervals) -> Array:
    """Numbers of the intervals that jump by more than a quarter turn from one sample to the next."""
    values, owner = intervals.values, intervals.samples.owner
    jumps = quaternion.angle_between(values[1:], values[:-1]) > 0.5 * np.pi
    return np.unique(owner[1:][jumps & (owner[1:] == owner[:-1])])


def test_spline_is_the_recursive_slerp():
    controls = [random_rotations(6, seed=seed) for seed in range(4)]
    owner, times = np.repeat(np.arange(6), 5), np.tile([0.0, 0.2, 0.5, 0.9, 1.0], 6)
    fast = spline(*controls, owner, times)
    for value, number, time in zip(fast, owner, times, strict=True):
        slow = slow_staggered.rotation_spline([control[number] for control in controls], time)
        assert quaternion.angle_between(value, slow) < 1e-9


def test_spline_starts_bit_for_bit_and_ends_at_its_controls():
    controls = [random_rotations(50, seed=seed) for seed in range(4)]
    everything = np.arange(50)
    np.testing.assert_array_equal(spline(*controls, everything, np.zeros(50)), controls[0])
    assert quaternion.angle_between(spline(*controls, everything, np.ones(50)), controls[3]).max() < 1e-14


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-9, 1e-7, 1e-4])
def test_spline_of_tiny_angles_loses_no_digits(angle):
    first = random_rotations(1, seed=8)
    controls = [quaternion.multiply(quaternion.exp([[k * angle / 3, 0.0, 0.0]]), first) for k in range(4)]
    half = spline(*controls, np.zeros(1, dtype=np.intp), np.array([0.5]))
    turned = quaternion.log(quaternion.multiply(half, quaternion.conjugate(first)))[0]
    np.testing.assert_allclose(turned, [angle / 2, 0.0, 0.0], atol=1e-15)


def test_spline_rotates_with_its_controls():
    controls = [random_rotations(8, seed=seed) for seed in range(4)]
    turn, owner, times = random_rotations(seed=9), np.arange(8), np.linspace(0.1, 0.9, 8)
    turned = spline(*(quaternion.multiply(turn, control) for control in controls), owner, times)
    expected = quaternion.multiply(turn, spline(*controls, owner, times))
    assert quaternion.angle_between(turned, expected).max() < 1e-12


def test_derivatives_are_those_that_small_turns_measure():
    controls = [random_rotations(40, seed=seed) for seed in range(4)]
    owner, times = np.arange(40), np.random.default_rng(0).uniform(0.0, 1.0, 40)
    values, derivatives = spline_and_derivatives(*controls, owner, times)
    assert quaternion.angle_between(values, spline(*controls, owner, times)).max() < 1e-14
    for column in range(6):
        turn, moved = 1e-6 * np.eye(3)[column % 3], list(controls)
        moved[1 + column // 3] = quaternion.multiply(quaternion.exp(turn), controls[1 + column // 3])
        change = quaternion.multiply(spline(*moved, owner, times), quaternion.conjugate(values))
        np.testing.assert_allclose(derivatives[:, column], 1e6 * quaternion.log(change).T, atol=1e-6)


def test_the_best_spline_is_found_where_its_controls_are_half_a_turn_apart():
    """Samples that swing further than any spline can: the solver does as well as Nelder-Mead."""
    times = np.linspace(0.02, 0.98, 60)
    angles = np.sin(2.0 * np.pi * times)
    values = quaternion.exp(angles[:, None] * [1.0, 0.0, 0.0])
    ends = quaternion.identity(1)
    samples = IntervalSamples(np.arange(60), np.array([60]), times)
    found = fit_rotations(ends, ends, samples, values)
    theirs = slow_staggered.nelder_mead(ends[0], ends[0], times, values, maxfev=4000, maxiter=4000)
    costs = [
        slow_staggered.fitting_cost([ends[0], *inner, ends[0]], times, values)
        for inner in ((found[0][0], found[1][0]), theirs)
    ]
    assert quaternion.angle_between(*found)[0] > 3.1
    assert costs[0] <= 1.02 * costs[1]


def test_numbers_are_fitted_like_least_squares():
    values = noisy_curves(30, 1, 4)
    times = np.sort(np.random.default_rng(1).uniform(0.0, 1.0, 30))
    samples = IntervalSamples(np.arange(30), np.array([30]), times)
    second, third = fit_numbers(np.array([[0.3]]), np.array([[-0.7]]), samples, values)
    basis = np.stack([3 * times * (1 - times) ** 2, 3 * times**2 * (1 - times)], axis=1)
    wanted = values[:, 0] - 0.3 * (1 - times) ** 3 + 0.7 * times**3
    expected = np.linalg.lstsq(basis, wanted, rcond=None)[0]
    np.testing.assert_allclose([second[0, 0], third[0, 0]], expected, atol=1e-10)


def test_curves_that_are_splines_are_found_again():
    first, last = random_rotations(5, seed=1), random_rotations(5, seed=2)
    turn = 0.6 * np.random.default_rng(3).normal(size=(2, 5, 3))
    second, third = (
        quaternion.multiply(quaternion.exp(turn[0]), first),
        quaternion.multiply(quaternion.exp(turn[1]), last),
    )
    samples = IntervalSamples(np.tile(np.arange(40), 5), np.full(5, 40), np.tile(np.linspace(0.02, 0.98, 40), 5))
    values = spline(first, second, third, last, samples.owner, samples.times)
    found = fit_rotations(first, last, samples, values, FitOptions(full_steps=30))
    again = spline(first, *found, last, samples.owner, samples.times)
    assert quaternion.angle_between(again, values).max() < 1e-4


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_samples_give_the_direct_way(count):
    first, last = random_rotations(1, seed=1), random_rotations(1, seed=2)
    samples = IntervalSamples(np.arange(count), np.array([count]), np.full(count, 0.4))
    second, third = fit_rotations(first, last, samples, random_rotations(count, seed=3))
    np.testing.assert_array_equal(second, quaternion.slerp(first, last, 1.0 / 3.0))
    np.testing.assert_array_equal(third, quaternion.slerp(first, last, 2.0 / 3.0))


def test_a_joint_at_rest_has_no_tangents():
    rotation = random_rotations(1, seed=5)
    samples = IntervalSamples(np.arange(9), np.array([9]), np.linspace(0.1, 0.9, 9))
    second, third = fit_rotations(rotation, rotation, samples, np.repeat(rotation, 9, axis=0))
    assert quaternion.angle_between(second, rotation).max() < 1e-12
    assert quaternion.angle_between(third, rotation).max() < 1e-12


def test_intervals_do_not_influence_each_other():
    motion = Motion.build(chain(3), smooth_rotations(120, 3, 5), rate=60.0)
    both = between(motion, np.array([0, 30, 60]), np.array([30, 60, 119]), np.array([0, 1, 2]))
    alone = between(motion, np.array([30]), np.array([60]), np.array([1]))
    together = fit_rotations(both.first, both.last, both.samples, both.values)
    single = fit_rotations(alone.first, alone.last, alone.samples, alone.values)
    np.testing.assert_allclose(together[0][1], single[0][0], atol=1e-12)


@pytest.mark.clips
def test_real_intervals_are_fitted_as_well_as_by_nelder_mead(clips_folder):
    random, costs = np.random.default_rng(7), []
    for clip in ("cmu_13_18_boxing_aggressive", "cmu_120_08_sneaky_walk", "cmu_49_06_cartwheel"):
        motion = read_bvh(clips_folder / "dev" / f"{clip}.bvh").to_motion().part(1, 1200)
        intervals = of_extracted_poses(motion)
        controls = fit_rotations(intervals.first, intervals.last, intervals.samples, intervals.values)
        chosen = random.choice(len(intervals.first), 8, replace=False)
        for number in np.union1d(chosen, with_pops(intervals)):
            first, last, times, values = intervals.one(number)
            theirs = slow_staggered.nelder_mead(first, last, times, values)
            ours = controls[0][number], controls[1][number]
            costs.append(
                [slow_staggered.fitting_cost([first, *inner, last], times, values) for inner in (ours, theirs)]
            )
    ours, theirs = np.array(costs).T
    assert (ours <= 1.02 * theirs + 1e-12).all(), (ours / theirs).max()
    assert ours.sum() < theirs.sum()

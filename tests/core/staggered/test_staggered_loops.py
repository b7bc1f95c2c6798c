"""Loops: time that wraps round, and poses at both ends that are one."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import chain

from core.motion import Motion
from core.numerics import quaternion
from core.staggered import (
    evaluate,
    exaggerate,
    fit,
    from_arrays,
    non_staggered_pose,
    random_stagger,
    restagger,
    retime,
    scale_stagger,
    succession,
    to_arrays,
    with_refinements,
)

FRAMES, RATE = 49, 24.0
POSES = [0.0, 0.5, 1.1, 1.6, 2.0]


def loop(*, travel: float = 0.0) -> Motion:
    """A chain that swings with a period of two seconds, and may go forward meanwhile."""
    phase = 2.0 * np.pi * np.arange(FRAMES) / (FRAMES - 1)
    vectors = np.zeros((FRAMES, 4, 3))
    for joint in range(4):
        vectors[:, joint, 0] = 0.5 * np.sin(phase + joint) + 0.1 * np.cos(2.0 * phase)
        vectors[:, joint, 1] = 0.3 * np.cos(phase + 2.0 * joint)
    locations = np.zeros((FRAMES, 4, 3))
    locations[:, 0, 1] = travel * np.arange(FRAMES) / (FRAMES - 1) + 0.1 * np.sin(phase)
    return Motion.build(chain(4), quaternion.exp(vectors), rate=RATE, locations=locations)


def model(**options: float):
    spread = np.random.default_rng(0).uniform(-0.08, 0.08, size=(5, 4))
    return fit(loop(**options), POSES, spread, is_cyclic=True)


def seam(motion: Motion) -> tuple[float, float]:
    """Radians between the poses of both ends, and between the steps beside them."""
    rotations = motion.rotations
    opening = quaternion.angle_between(rotations[0], rotations[-1]).max()
    leaving = quaternion.multiply(quaternion.conjugate(rotations[0]), rotations[1])
    arriving = quaternion.multiply(quaternion.conjugate(rotations[-2]), rotations[-1])
    return float(opening), float(quaternion.angle_between(leaving, arriving).max())


EDITS = {
    "succession": lambda m: succession(m, 0, 0.06),
    "random": lambda m: random_stagger(m, 0.1, seed=2),
    "flat": lambda m: scale_stagger(m, 0.0),
    "wide": lambda m: scale_stagger(m, 2.0),
    "retimed": lambda m: retime(m, 2, 1.25),
    "one bone of the last pose": lambda m: with_refinements(m, 0.1, poses=[4], joints=[2]),
    "exaggerated at the seam": lambda m: exaggerate(m, 0.5, poses=[0]),
    "shorter": lambda m: retime(m, 4, 46.0 / 24.0),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_loop_stays_one(edit):
    start = model()
    shown = evaluate(EDITS[edit](start))
    before, after = seam(start.source), seam(shown)
    assert np.abs(shown.rotations[: len(start.source)] - start.source.rotations[: len(shown)]).max() > 1e-3
    assert after[0] < before[0] + 1e-6
    assert after[1] < 3.0 * before[1] + 0.05


def test_a_late_joint_shows_what_the_round_before_ended_with():
    start = fit(loop(), POSES, is_cyclic=True)
    late = evaluate(succession(start, 0, 0.125))  # three frames
    expected = np.concatenate([start.source.rotations[-4:-1, 1], start.source.rotations[:-3, 1]])
    assert quaternion.angle_between(late.rotations[:, 1], expected).max() < 1e-6


def test_what_a_round_travels_is_carried_on():
    start = fit(loop(travel=3.0), POSES, is_cyclic=True)
    late = evaluate(with_refinements(start, 0.125))
    expected = np.concatenate([start.source.locations[-4:-1, 0] - [0.0, 3.0, 0.0], start.source.locations[:-3, 0]])
    np.testing.assert_allclose(late.locations[:, 0], expected, atol=1e-9)
    np.testing.assert_allclose(late.locations[-1, 0] - late.locations[0, 0], [0.0, 3.0, 0.0], atol=1e-9)


def test_both_ends_are_one_pose():
    start = model()
    np.testing.assert_array_equal(start.refinements[0], start.refinements[-1])
    edited = exaggerate(start, 0.5, poses=[4])
    one, other = (non_staggered_pose(edited, pose).rotations for pose in (0, 4))
    assert quaternion.angle_between(one, other).max() < 0.02
    assert quaternion.angle_between(one, non_staggered_pose(start, 0).rotations).max() > 0.05


def test_staggered_again_a_loop_is_what_it_was_bit_for_bit():
    start = model()
    assert evaluate(restagger(scale_stagger(start, 0.0))) is start.source
    again = from_arrays(start.source.skeleton, None, to_arrays(scale_stagger(start, 0.0)))
    assert again.timing.is_cyclic
    np.testing.assert_array_equal(evaluate(restagger(again)).rotations, start.source.rotations)


def test_a_loop_whose_last_frame_is_not_its_first_again_wraps_over_the_step_between_them():
    whole = loop()
    start = fit(whole.part(0, FRAMES - 1), [*POSES[:-1], 47.0 / RATE], is_cyclic=True, seam=1.0 / RATE)
    late = evaluate(succession(start, 0, 0.125))
    expected = np.roll(whole.rotations[:-1, 1], 3, axis=0)
    assert quaternion.angle_between(late.rotations[:, 1], expected).max() < 1e-6
    between = evaluate(succession(start, 0, 2.5 / RATE)).rotations[2, 1]
    middle = quaternion.slerp(whole.rotations[-2, 1], whole.rotations[0, 1], 0.5)
    assert quaternion.angle_between(between, middle) < 0.01

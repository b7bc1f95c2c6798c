"""Limbs whose bend has limits: knees stretch and fold only so far, and never backwards."""

from __future__ import annotations

import numpy as np
import pytest
from made_leg import END, LIMB, LOWER, UPPER, about, bent_leg, limb_length, nearby_targets

from core.motion.motion import Motion
from core.numerics import quaternion
from core.solve.limb_ik import BendRange, Limb, reach_targets


def knee(bend: BendRange | None) -> Limb:
    """The leg, which bends about the scene's x axis at rest."""
    rest = quaternion.conjugate(bent_leg().skeleton.rest_rotations[LOWER])
    return Limb(UPPER, LOWER, END, hinge=tuple(quaternion.rotate(rest, np.array([1.0, 0.0, 0.0]))), bend=bend)


def bends(motion: Motion) -> np.ndarray:
    """(F,) angles between the two bones, negative where the knee is bent backwards."""
    positions = motion.poses.positions
    first, second = positions[:, LOWER] - positions[:, UPPER], positions[:, END] - positions[:, LOWER]
    normal = np.cross(first, second)
    hinge = quaternion.rotate(motion.poses.rotations[:, LOWER], np.array(knee(None).hinge))
    sine = np.linalg.norm(normal, axis=1) * np.sign((normal * hinge).sum(axis=1))
    return np.arctan2(sine, (first * second).sum(axis=1))


def stretching(motion: Motion, nearest: float = 0.05, farthest: float = 1.3) -> np.ndarray:
    """Targets from near the hip to far out of reach."""
    start, end = motion.poses.positions[:, UPPER], motion.poses.positions[:, END]
    along = (end - start) / np.linalg.norm(end - start, axis=1)[:, None]
    return start + along * (np.linspace(nearest, farthest, len(motion)) * limb_length(motion))[:, None]


@pytest.mark.parametrize("softness", [0.0, 0.05])
def test_the_bend_stays_in_its_range(softness):
    motion, bend = bent_leg(frames=200), BendRange(smallest=0.2, largest=2.0)
    found = bends(reach_targets(motion, knee(bend), stretching(motion), softness=softness))
    assert found.min() > 0.2 - 1e-9
    assert found.max() < 2.0 + 1e-9
    assert found[0] == pytest.approx(2.0)
    assert found[-1] == pytest.approx(0.2, abs=0.05)
    free = bends(reach_targets(motion, knee(None), stretching(motion), softness=softness))
    assert free.min() < 0.1
    assert free.max() > 2.5


def test_within_its_range_a_limb_moves_as_without_one():
    motion = bent_leg()
    targets = nearby_targets(motion)
    free, limited = (reach_targets(motion, knee(bend), targets) for bend in (None, BendRange()))
    assert bends(free).min() > 0.0
    np.testing.assert_allclose(limited.rotations, free.rotations, atol=1e-12)


def test_a_knee_that_is_bent_backwards_turns_over_and_meets_its_target():
    motion = bent_leg(bend=-0.6)
    targets = nearby_targets(motion, limit=0.95)
    assert bends(reach_targets(motion, knee(None), targets)).max() < 0.0
    found = reach_targets(motion, knee(BendRange()), targets)
    assert bends(found).min() > 0.0
    np.testing.assert_allclose(found.poses.positions[:, END], targets, atol=1e-9)


def test_a_knee_that_swings_through_does_not_pop():
    """While it swings from forwards to backwards its mirror image goes on forwards, through a straight leg."""
    still = bent_leg(frames=1)
    rotations = np.repeat(still.rotations, 401, axis=0)
    rotations[:, LOWER] = about(still.skeleton, LOWER, [1, 0, 0], np.linspace(0.4, -0.4, 401))
    motion = Motion.build(still.skeleton, rotations, rate=30)
    found = reach_targets(motion, knee(BendRange()), motion.poses.positions[:, END], softness=0.0)
    assert bends(found).min() > -1e-6
    steps, before = (
        np.linalg.norm(np.diff(each.poses.positions[:, LOWER], axis=0), axis=1) for each in (found, motion)
    )
    assert steps.max() < 3.0 * max(before.max(), 0.8 / 400 * limb_length(motion))


def test_a_knee_opens_about_its_hinge():
    """What it is off to the side is kept, so that a shaking knee does not shake more the further it is bent."""
    motion = bent_leg(bend=0.1)
    rotations = np.array(motion.rotations)
    aside = about(motion.skeleton, LOWER, [0, 1, 0], np.linspace(-0.06, 0.06, len(motion)))
    rotations[:, LOWER] = quaternion.multiply(aside, rotations[:, LOWER])
    motion = motion.with_rotations(rotations)
    start, end = motion.poses.positions[:, UPPER], motion.poses.positions[:, END]
    targets = start + 0.9 * (end - start)
    found = reach_targets(motion, knee(BendRange()), targets, softness=0.0)
    np.testing.assert_allclose(found.poses.positions[:, END], targets, atol=1e-9)
    hinge = quaternion.rotate(motion.poses.rotations[:, LOWER], np.array(knee(None).hinge))
    along = (end - start) / np.linalg.norm(end - start, axis=1)[:, None]
    across = np.cross(along, np.cross(along, hinge))
    across /= np.linalg.norm(across, axis=1)[:, None]
    before, after = (((each.poses.positions[:, LOWER] - start) * across).sum(axis=1) for each in (motion, found))
    assert np.abs(before).max() > 0.01
    np.testing.assert_allclose(after, before, atol=1e-9)


def test_less_strict_a_knee_leads_back_to_its_own_side():
    motion = bent_leg(bend=-0.6)
    own = motion.poses.positions[:, END]
    same = reach_targets(motion, knee(BendRange()), own, softness=0.0, one_sided=0.0)
    np.testing.assert_allclose(same.poses.positions, motion.poses.positions, atol=1e-9)
    shares = np.linspace(0.0, 1.0, len(motion))
    steps = reach_targets(motion.at(np.zeros(len(motion))), knee(BendRange()), own[[0] * 40], one_sided=shares)
    knees = np.linalg.norm(np.diff(steps.poses.positions[:, LOWER], axis=0), axis=1)
    assert knees.max() < 3.0 * knees.mean(), "from the one side to the other without a jump"
    nearer = motion.poses.positions[:, UPPER] + 0.85 * (own - motion.poses.positions[:, UPPER])
    opened = reach_targets(motion, knee(BendRange()), nearer, one_sided=0.0)
    assert bends(opened).min() > 0.0, "opened by more than half, it bends forwards"


@pytest.mark.parametrize("angles", [(-0.1, 1.0), (1.0, 0.5), (0.0, 3.5)])
def test_what_is_no_range_is_refused(angles):
    with pytest.raises(ValueError, match="A bend goes from 0 to pi"):
        BendRange(*angles)


def test_a_limb_has_no_range_unless_it_is_given():
    assert LIMB.bend is None

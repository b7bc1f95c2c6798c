"""Tails that sink go back to how they were, as far as they have to."""

from __future__ import annotations

import numpy as np

from core.analysis.contacts import ContactSpans
from core.body import Axis, Body, Limb, LimbKind, Side
from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.solve.contact_lock import hold_contacts

FRAMES = 60


def beast() -> tuple[Motion, Body]:
    """A body with a long tail over the ground."""
    skeleton = Skeleton.build(
        ["root", "hips", "tail 1", "tail 2", "tail 3", "tip"],
        [-1, 0, 1, 2, 3, 4],
        [[0, 0, 0], [0, 0, 0.5], [0, 0.2, 0.5], [0, 0.6, 0.45], [0, 1.0, 0.4], [0, 1.4, 0.3]],
    )
    motion = Motion.build(skeleton, quaternion.identity(FRAMES, 6), rate=30.0)
    tail = Limb(LimbKind.TAIL, Side.CENTRE, (2, 3, 4))
    return motion, Body(skeleton, root=1, torso=(1,), limbs=(tail,), up=Axis.PLUS_Z, height=0.6)


def hanging(motion: Motion, angle: float) -> Motion:
    """The tail turned down in the middle of the motion."""
    vectors = np.zeros((FRAMES, 6, 3))
    vectors[:, 2, 0] = -angle * np.exp(-(((np.arange(FRAMES) - 30) / 8.0) ** 2))
    return motion.with_rotations(quaternion.exp(vectors))


def test_a_tail_that_an_edit_lets_sink_stays_above_the_ground():
    motion, body = beast()
    after = hanging(motion, 0.6)
    floor = motion.poses.positions[:, 5, 2].min()
    assert after.poses.positions[:, 5, 2].min() < floor - 0.1
    held, _ = hold_contacts(motion, after, body, ContactSpans(), above_floor=True)
    assert held.poses.positions[:, 5, 2].min() > floor - 1e-3
    np.testing.assert_array_equal(held.locations, after.locations)
    np.testing.assert_array_equal(held.rotations[:, :2], after.rotations[:, :2])
    steps = np.degrees(quaternion.angle_between(held.rotations[1:], held.rotations[:-1])).max()
    assert steps < 2.0 * np.degrees(quaternion.angle_between(after.rotations[1:], after.rotations[:-1])).max()


def test_a_tail_that_stays_above_the_ground_is_left_alone():
    motion, body = beast()
    after = hanging(motion, -0.3)
    assert hold_contacts(motion, after, body, ContactSpans(), above_floor=True)[0] is after

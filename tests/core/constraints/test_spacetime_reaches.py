"""Large edits of the sample motion: the change is the one that grows out of small edits, not a leap to another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.numerics import quaternion
from core.sample_motion import sample_events, sample_motion
from core.solve.spacetime import Position, Spacetime, SplineBasis, keep

RATE, MOMENT, EVERY = 30.0, 60, 4
HAND = "hand.R"


def walk():
    """The sample up to the jump."""
    return sample_motion(RATE).part(0, round(RATE * sample_events().flight[0]))


def footplants(motion):
    """Feet and toes kept where they stand."""
    kept = []
    for joint, spans in sample_events().contacts.items():
        for start, end in spans:
            frames = np.arange(np.ceil(RATE * start), min(RATE * end, len(motion) - 1), EVERY, dtype=int)
            if len(frames):
                kept.append(keep(motion, motion.skeleton.index[joint], frames, name=joint))
    return kept


def reaching(motion, move):
    joint = motion.skeleton.index[HAND]
    return Position(frames=[MOMENT], joint=joint, target=motion.poses.positions[MOMENT, joint] + move)


@pytest.mark.parametrize("move", [(0.0, -0.25, 0.85), (-0.5, -0.4, 0.6), (0.3, 0.2, 0.7)])
def test_a_reach_far_up_is_the_change_that_a_drag_in_small_steps_makes(move):
    motion, move = walk(), np.array(move)
    held, basis = footplants(motion), SplineBasis.build(len(motion), spacing=12)
    at_once = Spacetime([motion], [*held, reaching(motion, move)], basis=basis).solve(steps=40)
    dragged = Spacetime([motion], [*held, reaching(motion, 0.0 * move)], basis=basis)
    for share in np.linspace(0.05, 1.0, 20):
        handle = replace(reaching(motion, move), target=reaching(motion, share * move).target)
        dragged = dragged.with_constraints([*held, handle])
        stepwise = dragged.solve(steps=12 if share == 1.0 else 3)
    assert not at_once.violations
    sizes = [(each.changes[0] ** 2).sum() for each in (at_once, stepwise)]
    assert sizes[0] < 1.02 * sizes[1]


def test_a_reach_far_up_bends_no_joint_further_than_it_has_to():
    motion = walk()
    held, basis = footplants(motion), SplineBasis.build(len(motion), spacing=12)
    handle = reaching(motion, np.array([0.0, -0.25, 0.85]))
    edited = Spacetime([motion], [*held, handle], basis=basis).solve(steps=40).motions[0]
    turns = np.degrees(quaternion.angle_between(motion.rotations, edited.rotations))
    assert turns.max() < 60.0


@pytest.mark.parametrize("move", [(0.0, 0.0, -0.4), (0.2, 0.0, -0.4), (0.0, 0.0, -0.5)])
def test_a_head_far_down_over_standing_feet_is_reached_in_few_steps(move):
    motion, frame = walk(), 40
    joint = motion.skeleton.index["head"]
    handle = Position(frames=[frame], joint=joint, target=motion.poses.positions[frame, joint] + move)
    basis = SplineBasis.build(len(motion), spacing=10)
    assert not Spacetime([motion], [*footplants(motion), handle], basis=basis).solve().violations

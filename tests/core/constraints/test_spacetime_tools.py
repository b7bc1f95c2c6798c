"""Meeting constraints and dragging as tools."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import chain, smooth_rotations

from core.constraints import ConstrainedTake, DragJoint, SolveConstraints
from core.motion import Motion
from core.solve.spacetime import Position

ROW = 20


@pytest.fixture
def motion() -> Motion:
    """A chain that swings."""
    return Motion.build(chain(4), smooth_rotations(60, 4, 1), rate=30.0)


def test_constraints_of_the_take_are_met(motion):
    target = motion.poses.positions[ROW, 3] + (0.05, 0.0, -0.03)
    take = ConstrainedTake(motion, [Position(frames=[ROW], joint=3, target=target)])
    after = SolveConstraints().apply(take).motion
    np.testing.assert_allclose(after.poses.positions[ROW, 3], target, atol=1e-5)
    np.testing.assert_array_equal(take.motion.rotations, motion.rotations)


def test_a_bone_is_dragged_at_the_moment_that_people_look_at(motion):
    name, move = motion.skeleton.names[3], np.array([0.0, 0.04, 0.02])
    take = ConstrainedTake(motion, time=ROW / 30.0)
    tool = DragJoint(bone=name, move=tuple(move), keep_contacts=False)
    after = tool.apply(take).motion
    np.testing.assert_allclose(after.poses.positions[ROW, 3], motion.poses.positions[ROW, 3] + move, atol=1e-5)


def test_nothing_to_meet_changes_nothing(motion):
    np.testing.assert_array_equal(SolveConstraints().apply(ConstrainedTake(motion)).motion.rotations, motion.rotations)


def test_the_frequency_counts_only_where_slow_changes_are_free():
    assert SolveConstraints().unused == {"slow"}
    assert DragJoint(objective="SLOW").unused == frozenset()

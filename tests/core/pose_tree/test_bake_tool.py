"""Baking a pose tree as a tool."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import chain, smooth_rotations

from core.errors import MotionEditError
from core.motion import Motion
from core.pose_tree import BakePoseTree, TreeTake

FRAMES, JOINTS = 10, 3


def moving(seed: int, names: tuple[str, ...]) -> Motion:
    """Swinging joints with scalar channels."""
    scalars = np.random.default_rng(seed).normal(size=(FRAMES, len(names)))
    rotations = smooth_rotations(FRAMES, JOINTS, seed)
    return Motion.build(chain(JOINTS), rotations, rate=24.0, scalars=scalars, scalar_names=names)


def test_only_what_the_tree_drives_changes():
    before, given = moving(1, ("smile", "blink")), moving(2, ("blink", "smile"))
    joints = np.array([False, True, False])
    take = TreeTake(before, given, joints=joints, driven=np.array([True, False]))
    after = BakePoseTree().apply(take).motion
    np.testing.assert_array_equal(after.rotations[:, 1], given.rotations[:, 1])
    np.testing.assert_array_equal(after.rotations[:, [0, 2]], before.rotations[:, [0, 2]])
    np.testing.assert_array_equal(after.scalars[:, 0], before.scalars[:, 0])
    np.testing.assert_array_equal(after.scalars[:, 1], given.scalars[:, 0])


def test_frames_are_those_of_the_scene_or_chosen():
    assert list(BakePoseTree().frames((3, 5))) == [3, 4, 5]
    assert BakePoseTree().unused == {"first", "last"}
    chosen = BakePoseTree(use_scene=False, first=7, last=8)
    assert list(chosen.frames((3, 5))) == [7, 8]
    assert chosen.unused == frozenset()


def test_a_range_that_ends_before_it_begins_is_refused():
    with pytest.raises(MotionEditError, match="The last frame 2 lies before the first one 9"):
        BakePoseTree(use_scene=False, first=9, last=2).frames((1, 250))

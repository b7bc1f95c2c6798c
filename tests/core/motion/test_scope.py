"""Edits are kept to the joints and channels they were meant for."""

import numpy as np
from made_motion import swinging_chain

from core.motion.scope import within_scope


def changed(motion):
    return motion.with_locations(motion.locations + 1.0).with_rotations(motion.rotations[::-1])


def test_joints_outside_stay_bit_for_bit():
    motion = swinging_chain(joints=4, frames=12)
    edited = within_scope(motion, changed(motion), [True, False, False, True])
    np.testing.assert_array_equal(edited.rotations[:, 1:3], motion.rotations[:, 1:3])
    np.testing.assert_array_equal(edited.locations[:, 1:3], motion.locations[:, 1:3])
    np.testing.assert_array_equal(edited.locations[:, [0, 3]], changed(motion).locations[:, [0, 3]])


def test_everything_in_scope_is_the_edit_itself():
    motion = swinging_chain(joints=3, frames=5)
    edit = changed(motion)
    assert within_scope(motion, edit, [True] * 3) is edit


def test_scalars_have_a_scope_of_their_own():
    from dataclasses import replace

    motion = swinging_chain(joints=2, frames=5)
    motion = replace(motion, scalars=np.zeros((5, 2)), scalar_names=("a", "b"))
    edited = within_scope(motion, motion.with_scalars(motion.scalars + 1.0), [True, True], scalars=[False, True])
    assert edited.scalars[0].tolist() == [0.0, 1.0]

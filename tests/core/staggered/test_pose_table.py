"""The table of poses: shown, pinned, removed, saved, and stagger that is remembered."""

import numpy as np
import pytest
from made_motion import swinging_chain

from core.analysis.extremes.candidates import PoseCandidates
from core.errors import MotionEditError
from core.staggered import evaluate, restagger, scale_stagger
from core.staggered.poses.pose_table import PoseTable

MOTION = swinging_chain(joints=3, frames=60)


def table(share: float = 1.0) -> PoseTable:
    frames = np.array([0, 10, 22, 35, 48, 59])
    refinements = np.zeros((6, 3))
    refinements[1:5, 1:] = [[0.02, 0.05]] * 4
    found = PoseCandidates(
        MOTION.times[frames],
        frames,
        np.array([0.5, 0.9, 0.2, 0.8, 0.3, 0.5]),
        refinements,
        np.zeros(6),
        np.zeros(60),
    )
    return PoseTable.of_candidates(found, share=share)


def test_culling_keeps_the_most_telling_and_the_pinned():
    assert table(0.5).numbers.tolist() == [0, 1, 5]
    pinned = table().with_pin(4, True).culled(0.5)
    assert 4 in pinned.numbers.tolist()
    assert 2 not in table().without(2).culled(1.0).numbers.tolist()


def test_an_interval_leaves_the_rest():
    few = table().culled(0.0, interval=(float(MOTION.times[9]), float(MOTION.times[23])))
    assert few.numbers.tolist() == [0, 3, 4, 5]


def test_the_ends_stay():
    with pytest.raises(MotionEditError, match="hold the ends"):
        table().without(0)


def test_saving_gives_the_table_again():
    there = table().with_pin(2, True).without(3)
    again = PoseTable.from_arrays(there.to_arrays(), 3)
    for name in ("times", "priorities", "refinements", "collapsed", "present", "pinned", "removed", "shown"):
        np.testing.assert_array_equal(getattr(again, name), getattr(there, name))
    with pytest.raises(MotionEditError, match="another skeleton"):
        PoseTable.from_arrays(there.to_arrays(), 4)


def test_fitting_gives_the_motion():
    np.testing.assert_array_equal(evaluate(table().fitted(MOTION)).rotations, MOTION.rotations)


def test_stagger_that_was_taken_away_survives_a_new_fit():
    fitted = table().fitted(MOTION)
    flat = scale_stagger(fitted, 0.0)
    unstaggered = evaluate(flat)
    again = table().following(flat).fitted(unstaggered)
    np.testing.assert_array_equal(evaluate(again).rotations, unstaggered.rotations)
    back = restagger(again)
    np.testing.assert_allclose(back.joint_refinements, fitted.joint_refinements)
    assert not np.array_equal(evaluate(back).rotations, unstaggered.rotations)


def test_hidden_poses_keep_their_order():
    from core.staggered import retime

    half = table(0.5)
    moved = half.following(retime(half.fitted(MOTION), 1, float(MOTION.times[30])))
    assert (np.diff(moved.times) > 0.0).all()

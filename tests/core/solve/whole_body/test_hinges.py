"""Knees and elbows do not bend the other way because of an edit."""

from __future__ import annotations

import numpy as np
import pytest
from contact_edits import BODY, INDEX, WALK, with_joint_turned

from core.solve.whole_body import Hinge, with_hinges_kept

KNEE = (INDEX["thigh.L"], INDEX["shin.L"], INDEX["foot.L"])


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_knee_that_an_edit_bends_the_other_way_stops_where_it_was(side):
    hinge = Hinge.of(KNEE, WALK.poses)
    assert hinge is not None
    after = with_joint_turned(WALK, "shin.L", [side * 0.8, 0.0, 0.0])
    before, kept = hinge.bends(WALK.poses), with_hinges_kept(WALK, after, BODY)
    bent, now = hinge.bends(after.poses), hinge.bends(kept.poses)
    least = min(float(before.min()), 0.0)
    assert now.min() > least - 1e-6
    well = bent > least + 1e-5
    np.testing.assert_array_equal(kept.rotations[well], after.rotations[well])
    others = [joint for joint in range(len(WALK.skeleton)) if joint != KNEE[1]]
    np.testing.assert_array_equal(kept.rotations[:, others], after.rotations[:, others])
    assert (kept is after) == (bent.min() > least)


def test_one_of_the_two_sides_is_the_wrong_one():
    hinge = Hinge.of(KNEE, WALK.poses)
    assert hinge is not None
    bends = [hinge.bends(with_joint_turned(WALK, "shin.L", [side * 0.8, 0, 0]).poses).min() for side in (-1.0, 1.0)]
    assert min(bends) < -0.5 < max(bends)


def test_what_is_never_bent_shows_no_hinge():
    still = WALK.with_rotations(np.broadcast_to([1.0, 0.0, 0.0, 0.0], WALK.rotations.shape))
    assert Hinge.of(KNEE, still.poses) is None
    after = with_joint_turned(still, "shin.L", [-0.8, 0.0, 0.0])
    assert with_hinges_kept(still, after, BODY) is after

"""The ground under a motion, and edits that stay above it."""

from __future__ import annotations

import numpy as np
from contact_edits import BODY, CONTACTS, HEIGHT, INDEX, LEG_JOINTS, UP, WALK, with_joint_turned, with_root_moved

from core.analysis.contacts import ContactSpans
from core.motion.motion import Motion
from core.solve.contact_lock import hold_contacts
from core.solve.whole_body import Ground

NOBODY = ContactSpans()


def deepest(after: Motion) -> float:
    """How far a joint of an edit is below where it was and below the floor, whichever is lower."""
    heights = WALK.poses.positions @ UP
    floor = np.quantile(heights[:, 1:].min(axis=1), 0.1)
    return float((np.minimum(heights, floor) - after.poses.positions @ UP)[:, 1:].max())


def test_an_edit_that_sinks_is_brought_up_to_the_floor():
    after = with_root_moved(WALK, BODY, -0.1 * HEIGHT * UP, middle=5.0, width=1.0)
    assert deepest(after) > 0.05 * HEIGHT
    for contacts in (NOBODY, CONTACTS):
        held, _ = hold_contacts(WALK, after, BODY, contacts, above_floor=True)
        assert deepest(held) < 1e-3 * HEIGHT


def test_what_is_above_the_floor_is_left_bit_for_bit():
    after = with_joint_turned(WALK, "upper_arm.L", [0.2, 0.0, 0.0])
    held, _ = hold_contacts(WALK, after, BODY, NOBODY, above_floor=True)
    assert held is after


def test_a_foot_below_the_floor_is_lifted_by_its_leg_alone():
    after = with_joint_turned(WALK, "foot.L", [0.5, 0.0, 0.0])
    assert deepest(after) > 0.01 * HEIGHT
    held, _ = hold_contacts(WALK, after, BODY, NOBODY, above_floor=True)
    assert deepest(held) < 1e-3 * HEIGHT
    np.testing.assert_array_equal(held.locations, after.locations)
    others = [joint for joint in range(len(WALK.skeleton)) if joint not in LEG_JOINTS]
    np.testing.assert_array_equal(held.rotations[:, others], after.rotations[:, others])


def test_joints_out_of_scope_do_not_change_for_the_floor():
    after = with_root_moved(WALK, BODY, -0.1 * HEIGHT * UP, middle=5.0, width=1.0)
    chosen = np.zeros(len(WALK.skeleton), dtype=bool)
    chosen[BODY.root] = True
    held, _ = hold_contacts(WALK, after, BODY, NOBODY, above_floor=True, joints=chosen)
    np.testing.assert_array_equal(held.rotations, after.rotations)


def test_a_joint_that_stands_at_several_heights_has_a_floor_at_each():
    locations = np.array(WALK.locations)
    climbed = np.where(WALK.times > 5.0, 0.3, 0.0)
    locations[:, BODY.root] += climbed[:, None] * np.linalg.inv(_axes())[:, 2]
    stairs = WALK.with_locations(locations)
    active = {INDEX["foot.L"]: (WALK.times < 3.0) | (WALK.times > 8.0)}
    ground = Ground.under(stairs.poses, BODY, active)
    assert ground is not None
    limits, heights = ground.lowest[:, INDEX["foot.L"]], stairs.poses.positions[:, INDEX["foot.L"]] @ UP
    later = WALK.times > 9.0
    assert limits[later].min() > limits[WALK.times < 3.0].max() + 0.2
    assert (limits <= heights + 1e-12).all()


def _axes() -> np.ndarray:
    """Columns: the directions in the scene of the root's location."""
    moved = []
    for axis in np.eye(3):
        locations = np.array(WALK.locations)
        locations[:, BODY.root] += axis
        moved.append((WALK.with_locations(locations).poses.positions - WALK.poses.positions)[0, BODY.root])
    return np.array(moved).T

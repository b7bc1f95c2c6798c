"""What an edit of staggered poses changed: times of poses and knots, and motion beyond rounding."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from made_staggered import largest_difference, noisy_motion, staggered

from core.numerics import quaternion
from core.staggered import carried_over, changed_frames, knot_map, pose_map, retime, succession, without_rounding

ARRAYS = ("rotations", "locations", "scales", "scalars")


def turned(motion, joint: int, frames: slice, angle: float = 0.3):
    """One joint turned in some frames."""
    rotations = np.array(motion.rotations)
    rotations[frames, joint] = quaternion.multiply(
        quaternion.exp(np.array([angle, 0.0, 0.0])), rotations[frames, joint]
    )
    return replace(motion, rotations=rotations)


def test_maps_lead_from_new_times_to_old_ones():
    before = staggered(noisy_motion())
    after = retime(before, 2, 1.62)
    along = pose_map(before, after)
    np.testing.assert_allclose(along(after.pose_times), before.pose_times, atol=1e-12)
    for variable in range(len(before.variables.keys)):
        present = before.timing.present[:, variable]
        own = knot_map(before, after, variable)
        new, old = (model.timing.extreme_times[present, variable] for model in (after, before))
        np.testing.assert_allclose(own(new), old, atol=1e-12)


def test_there_is_no_map_where_nothing_moved():
    model = staggered(noisy_motion())
    assert pose_map(model, model) is None
    assert all(knot_map(model, model, variable) is None for variable in range(len(model.variables.keys)))
    late = succession(model, 1, 0.05, poses=[2])
    assert pose_map(model, late) is None


def test_rounding_is_put_back_bit_for_bit_and_edits_stay():
    motion = noisy_motion()
    noise = replace(turned(motion, 1, slice(20, 30)), locations=motion.locations + 1e-7)
    found = without_rounding(motion, noise)
    np.testing.assert_array_equal(found.locations, motion.locations)
    np.testing.assert_array_equal(found.rotations[20:30, 1], noise.rotations[20:30, 1])
    others = np.delete(np.arange(len(motion)), np.arange(20, 30))
    np.testing.assert_array_equal(found.rotations[others], motion.rotations[others])
    assert changed_frames(motion, noise) == 10


def test_what_leads_from_one_motion_to_another_is_carried_to_a_third():
    motion, third = noisy_motion(), noisy_motion(seed=5)
    edited = turned(motion, 2, slice(40, 50))
    assert largest_difference(carried_over(motion, motion, edited), edited) < 1e-9
    carried = carried_over(third, motion, edited)
    assert largest_difference(carried, turned(third, 2, slice(40, 50))) < 1e-9
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(carried, name)[:40], getattr(third, name)[:40])

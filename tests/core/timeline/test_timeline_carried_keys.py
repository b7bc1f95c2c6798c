"""Keys of the operation window as other windows take them over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from made_staggered import noisy_motion

from core.editing import PropagationWindow
from core.numerics import quaternion
from core.timeline import carried_poses, key_changes, landed


def window(own: Any = (100.0, 140.0), operation: Any = (20.0, 60.0)) -> PropagationWindow:
    return PropagationWindow(own[0], own[-1], np.array(operation), np.array(own), 0.05)


def told(before: Any, after: Any, touched: Any = ()) -> list[tuple[float, float]]:
    """Changes as pairs of frames, -1 for none."""
    changes = key_changes(before, after, np.isin(after, touched))
    old, new = (np.nan_to_num(each, nan=-1).tolist() for each in (changes.old, changes.new))
    return sorted(zip(old, new, strict=True))


def test_keys_that_stay_are_no_change() -> None:
    assert told([20, 30, 60], [20, 30, 60]) == []


def test_changed_added_and_removed_keys() -> None:
    assert told([20, 30, 60], [20, 30, 60], [30]) == [(30, 30)]
    assert told([20, 60], [20, 33, 60]) == [(-1, 33)]
    assert told([20, 30, 60], [20, 60]) == [(30, -1)]


def test_as_many_removed_as_added_between_two_keys_were_moved() -> None:
    assert told([20, 30, 40, 60], [20, 33, 45, 60]) == [(30, 33), (40, 45)]
    assert told([20, 30, 40, 60], [20, 33, 40, 44, 60]) == [(-1, 44), (30, 33)]


def test_a_changed_key_changes_its_partner_where_that_is() -> None:
    landing = landed(key_changes([20, 40, 60], [20, 40, 60], [False, True, False]), window(), [100, 121, 140])
    first = landing.part(landing.change == 0)
    assert (first.taken[0], first.to[0], first.base[0]) == (121, 121, 121)
    assert (first.before[0], first.after[0]) == (40, 40)


def test_an_added_key_arrives_on_a_whole_frame() -> None:
    changes = key_changes([20, 60], [20, 33, 60], [False, True, False])
    landing = landed(changes, window((100.0, 155.5)), [100, 155])
    added = landing.part(landing.change == 0)
    assert added.to[0] == 118
    assert np.isnan(added.taken[0])
    assert added.base[0] == 118


def test_a_moved_key_moves_its_partner_as_far_as_time_runs_there() -> None:
    changes = key_changes([20, 40, 60], [20, 45, 60], [False, True, False])
    landing = landed(changes, window((100.0, 180.0)), [100, 141, 180])
    moved = landing.part(landing.change == 0)
    assert (moved.taken[0], moved.to[0]) == (141, 151)


def test_a_removed_key_removes_its_partner_and_nothing_where_there_is_none() -> None:
    changes = key_changes([20, 40, 60], [20, 60], [False, False])
    landing = landed(changes, window(), [100, 120, 140])
    gone = landing.part(landing.change == 0)
    assert gone.taken.tolist() == [120]
    assert np.isnan(gone.to).all()
    assert not (landed(changes, window(), [100, 140]).change == 0).any()


def test_a_key_that_is_nearer_to_another_one_is_no_partner() -> None:
    """Keys three frames apart must not become keys side by side."""
    changes = key_changes([39, 42], [39, 42], [False, True])
    landing = landed(changes, window(), [120, 121])
    changed = landing.part(landing.change == 0)
    assert np.isnan(changed.taken[0])
    assert changed.to[0] == 122
    along = landing.part(landing.change < 0)
    assert along.to.tolist() == [120, 121]
    assert along.before.tolist() == [40, 41]


@pytest.mark.parametrize("amount", [0.0, 0.5, 1.0])
def test_poses_take_the_same_turn_in_their_own_axes(amount: float) -> None:
    motion = noisy_motion(frames=80)
    turn = quaternion.exp(np.array([0.3, -0.2, 0.1]))
    after = motion.rotations.copy()
    after[:, 2] = quaternion.multiply(after[:, 2], turn)
    edited = motion.with_rotations(after)
    moments = np.array([[10, 12], [10, 14], [50, 60]]) / motion.rate
    poses = carried_poses(motion, edited, motion, moments, amount=amount)
    offset = quaternion.multiply(quaternion.conjugate(motion.rotations[[10, 12], 2]), after[[10, 14], 2])
    wanted = quaternion.multiply(motion.rotations[[50, 60], 2], quaternion.exp(amount * quaternion.log(offset)))
    assert quaternion.angle_between(poses.rotations[:, 2], wanted).max() < 1e-9
    if not amount:
        assert (poses.rotations == motion.rotations[[50, 60]]).all()

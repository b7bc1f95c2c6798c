"""Poses that go with a motion through new timings, exchanged sides and cuts."""

import numpy as np
import pytest

from core.motion import TimeMap
from core.staggered import mirrored_poses, poses_on_keys, poses_within, retimed_poses, with_hidden_keys
from core.staggered.poses.key_groups import group_key_times
from core.staggered.poses.pose_table import PoseTable

KEYS = [np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.1, 1.1, 2.1]), np.array([0.2, 1.2, 2.2, 3.2])]
ALL = np.ones(3, dtype=np.bool_)


def table() -> PoseTable:
    return PoseTable.of_keys(group_key_times(KEYS, reach=0.25)).with_pin(1, True)


def knots(poses: PoseTable) -> np.ndarray:
    return np.where(poses.present, poses.times[:, None] + poses.refinements, np.nan)


@pytest.mark.parametrize("time_map", [TimeMap.scale(0.5), TimeMap.reverse(0.0, 4.0), TimeMap.shift(0.7)])
def test_every_knot_is_seen_when_its_moment_is(time_map):
    before = table()
    after = retimed_poses(before, time_map.map_key_times, joints=ALL)
    assert (np.diff(after.times) > 0.0).all()
    moved = time_map.map_key_times(knots(before))
    np.testing.assert_allclose(knots(after), moved if time_map.direction > 0 else moved[::-1])
    back = retimed_poses(after, time_map, joints=ALL)
    np.testing.assert_allclose(back.times, before.times)
    np.testing.assert_array_equal(back.pinned, before.pinned)


def test_only_the_stagger_of_some_joints_changes():
    before, chosen = table(), np.array([False, True, False])
    after = retimed_poses(before, TimeMap.shift(0.5).map_key_times, joints=chosen, is_whole=False)
    np.testing.assert_array_equal(after.times, before.times)
    np.testing.assert_array_equal(after.refinements[:, ~chosen], before.refinements[:, ~chosen])
    np.testing.assert_allclose(after.refinements[:, chosen], before.refinements[:, chosen] + 0.5)


def test_poses_that_are_no_longer_seen_or_meet_are_gone():
    before = table()
    cut = retimed_poses(before, lambda times: np.where(times > 1.5, np.nan, times), joints=ALL)
    assert cut.times.tolist() == before.times[:2].tolist()
    assert len(retimed_poses(before, lambda times: np.minimum(times, 1.0), joints=ALL)) == 2
    assert poses_within(before, 0.5, 2.5).times.tolist() == before.times[1:3].tolist()


def test_mirroring_twice_gives_the_same():
    before, partner, poses = table(), np.array([0, 2, 1]), np.array([True, True, False, False])
    once = mirrored_poses(before, partner, joints=ALL, poses=poses)
    np.testing.assert_array_equal(once.refinements[:2], before.refinements[:2, partner])
    np.testing.assert_array_equal(once.refinements[2:], before.refinements[2:])
    twice = mirrored_poses(once, partner, joints=ALL, poses=poses)
    for name in ("refinements", "present", "collapsed"):
        np.testing.assert_array_equal(getattr(twice, name), getattr(before, name))


def test_poses_beside_their_keys_are_put_on_them_and_keys_between_are_not_shown():
    rounded = [np.round(keys * 4.0) / 4.0 for keys in KEYS]
    between = [np.sort(np.append(keys, 1.5)) for keys in rounded]
    found = with_hidden_keys(poses_on_keys(table(), between, reach=0.125), between, reach=0.25, margin=0.01)
    assert found.shown.tolist() == [True, True, False, True, True]
    assert found.pinned.tolist() == [False, True, False, False, False]
    np.testing.assert_allclose(knots(found)[[0, 1, 3]], np.stack([each[:3] for each in rounded], axis=1))

"""Keys of an animation grouped into poses (section 1)."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies

from core.staggered import group_key_times
from core.staggered.poses.joined_key_groups import regroup_key_times

SECONDS = strategies.lists(
    strategies.integers(0, 240).map(lambda frame: frame / 24), min_size=1, max_size=12, unique=True
).map(sorted)


def test_keys_at_one_time_are_one_pose():
    groups = group_key_times([[0.0, 1.0], [0.0, 1.0], [1.0]])
    assert groups.pose_times.tolist() == [0.0, 1.0]
    assert not groups.refinements.any()
    assert groups.present.tolist() == [[True, True, False], [True, True, True]]
    assert groups.keys.tolist() == [[0, 0, -1], [1, 1, 0]]


def test_staggered_keys_are_one_pose_where_most_of_them_are():
    groups = group_key_times([[1.0], [1.0], [1.1], [1.2], [2.0]])
    assert groups.pose_times.tolist() == [1.0, 2.0]
    np.testing.assert_allclose(groups.refinements[0], [0.0, 0.0, 0.1, 0.2, 0.0])


def test_keys_further_than_the_reach_are_apart():
    assert len(group_key_times([[0.0], [0.26]]).pose_times) == 2
    assert len(group_key_times([[0.0], [0.25]]).pose_times) == 1
    assert len(group_key_times([[0.0], [0.26]], reach=0.3).pose_times) == 1


def test_key_goes_to_the_nearer_group():
    groups = group_key_times([[0.0, 0.3], [0.0, 0.3], [0.2]])
    assert groups.present[:, 2].tolist() == [False, True]


def test_two_keys_of_one_channel_are_two_poses():
    groups = group_key_times([[0.0, 0.1], [0.02]])
    assert groups.keys.tolist() == [[0, 0], [1, -1]]


def test_no_keys_are_no_poses():
    assert group_key_times([[], []]).present.shape == (0, 2)
    assert group_key_times([]).pose_times.shape == (0,)


@given(strategies.lists(SECONDS, min_size=1, max_size=5))
@settings(max_examples=150, deadline=None)
def test_laws(channels):
    groups = group_key_times(channels)
    assert (np.diff(groups.pose_times) > 0.0).all()
    for number, keys in enumerate(channels):
        rows = np.flatnonzero(groups.present[:, number])
        # Every key is in exactly one pose, in order, and its time can be had again.
        assert groups.keys[rows, number].tolist() == list(range(len(keys)))
        np.testing.assert_allclose(groups.pose_times[rows] + groups.refinements[rows, number], keys, atol=1e-12)
    times = np.where(groups.present, groups.pose_times[:, None] + groups.refinements, np.nan)
    first, last = np.nanmin(times, axis=1), np.nanmax(times, axis=1)
    assert (last - first <= 0.25 + 1e-9).all()
    for pose, row in enumerate(times):
        inner = np.diff(np.unique(row[~np.isnan(row)].round(9))).max(initial=0.0)
        outer = min(
            first[pose + 1] - last[pose] if pose + 1 < len(times) else np.inf,
            first[pose] - last[pose - 1] if pose else np.inf,
        )
        assert inner <= outer + 1e-6


def knots_of(groups):
    return np.where(groups.present, groups.pose_times[:, None] + groups.refinements, np.nan)


def regrouped(earlier, channels, **options):
    return regroup_key_times(channels, earlier.pose_times, knots_of(earlier), **options)


def test_poses_stay_where_they_are_when_a_key_is_set():
    late = group_key_times([[0.0, 1.0], [0.0, 1.0], [0.0, 1.0]])
    knots = late.pose_times[:, None] + [0.0, 0.08, 0.16]
    channels = [[*knots[:, number], 2.0] for number in range(3)]
    found = regroup_key_times(channels, late.pose_times, knots)
    assert found.groups.pose_times.tolist() == [0.0, 1.0, 2.0]
    assert found.origin.tolist() == [0, 1, -1]
    np.testing.assert_allclose(found.groups.refinements[:2], [[0.0, 0.08, 0.16]] * 2)


def test_a_new_key_joins_the_pose_that_has_room_for_it():
    earlier = group_key_times([[0.0, 1.0], [1.0]])
    assert regrouped(earlier, [[0.0, 1.0], [0.05, 1.0]]).groups.present.tolist() == [[True, True], [True, True]]
    assert regrouped(earlier, [[0.0, 1.0], [0.3, 1.0]]).groups.pose_times.tolist() == [0.0, 0.3, 1.0]


def test_a_pose_without_keys_is_gone():
    earlier = group_key_times([[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]])
    assert regrouped(earlier, [[0.0, 2.0], [0.0, 2.0]]).origin.tolist() == [0, 2]


def test_a_pose_that_is_keyed_once_more_at_its_time_is_looked_for_anew():
    knots = np.array([[0.0, 0.0, 0.0], [1.0, 1.05, 1.1]])
    found = regroup_key_times([[0.0, 1.0], [0.0, 1.0, 1.05], [0.0, 1.0, 1.1]], [0.0, 1.0], knots)
    assert found.groups.present.tolist() == [[True] * 3, [True] * 3, [False, True, True]]
    assert found.groups.pose_times[:2].tolist() == [0.0, 1.0]


@given(strategies.lists(SECONDS, min_size=1, max_size=4), strategies.lists(SECONDS, min_size=4, max_size=4))
@settings(max_examples=150, deadline=None)
def test_laws_of_regrouping(channels, added):
    earlier = group_key_times(channels)
    now = [sorted({*keys[::2], *more}) for keys, more in zip(channels, added, strict=False)]
    found = regrouped(earlier, now)
    assert (np.diff(found.groups.pose_times) > 0.0).all()
    for number, keys in enumerate(now):
        rows = np.flatnonzero(found.groups.present[:, number])
        np.testing.assert_allclose(knots_of(found.groups)[rows, number], keys, atol=1e-12)
    kept = found.origin >= 0
    assert found.groups.pose_times[kept].tolist() == earlier.pose_times[found.origin[kept]].tolist()

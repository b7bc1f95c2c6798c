"""Keys of an animation grouped into poses (section 1)."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies

from core.staggered import group_key_times

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

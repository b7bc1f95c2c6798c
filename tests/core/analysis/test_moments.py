"""Which moment of an edited motion is which moment of the motion as it was."""

from __future__ import annotations

import numpy as np

from core.analysis import find_same_moments, old_times
from core.body import find_body
from core.motion import TimeMap, with_times
from core.sample_motion import sample_motion


def test_two_maps_one_after_the_other_are_followed_back():
    maps = [
        (TimeMap.from_samples([0.0, 1.0], [0.0, 2.0]), (0.0, 1.0)),
        (TimeMap.from_samples([0.2, 0.6], [0.2, 0.6]), (0.2, 0.6)),
        (TimeMap.from_samples([0.0, 2.0], [0.0, 1.0]), (0.0, 2.0)),
    ]
    times = np.linspace(0.0, 2.0, 9)
    np.testing.assert_allclose(old_times(maps, times), times, atol=1e-12)
    only_inside = [(TimeMap.reverse(0.5, 1.0), (0.5, 1.0))]
    np.testing.assert_allclose(
        old_times(only_inside, np.array([0.25, 0.5, 0.75, 1.0, 1.5])), [0.25, 1.0, 0.75, 0.5, 1.5]
    )


def test_without_a_map_the_same_moments_are_found_by_their_poses():
    before = sample_motion(30.0)
    times = np.linspace(before.times[0], before.times[-1], 2 * len(before) - 1)
    slower = with_times(before.at(times), 2.0 * times)
    body = find_body(before.skeleton, motion=before)
    found = find_same_moments(before, slower, [], (body, body))
    assert found.known
    assert found.changed
    assert found.estimated
    assert np.median(np.abs(found.before - 0.5 * found.now)) < 0.1

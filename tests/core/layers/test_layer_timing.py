"""Layers that go with a motion through new timings."""

import numpy as np
import pytest

from core.layers import Layer, retimed_layer
from core.motion import TimeMap


def layer(keys: int = 2) -> Layer:
    offsets = np.arange(keys * 3.0).reshape(keys, 1, 3) / 10.0
    times = np.linspace(1.0, 2.0, keys)
    made = Layer("Layer", ("hand",), times, offsets, offsets, offsets, 0.5, 3.0, ease_in=0.25, ease_out=0.5)
    return made.with_influence([0.2, 0.8], [1.0, 2.5])


@pytest.mark.parametrize("time_map", [TimeMap.scale(0.5), TimeMap.shift(0.7), TimeMap.reverse(0.0, 4.0)])
def test_the_same_share_and_offsets_are_seen_at_every_moment(time_map):
    before, after = layer(), retimed_layer(layer(), time_map.map_key_times)
    moments = np.linspace(0.55, 2.95, 41)
    np.testing.assert_allclose(after.share(time_map.map_key_times(moments)), before.share(moments), atol=1e-12)
    order = slice(None, None, time_map.direction)
    np.testing.assert_allclose(after.times, time_map.map_key_times(before.times)[order])
    np.testing.assert_array_equal(after.turns, before.turns[order])


def test_one_influence_counts_everywhere():
    before = layer().with_influence(0.3)
    after = retimed_layer(before, TimeMap.scale(2.0).map_key_times)
    np.testing.assert_array_equal(after.influence_values, before.influence_values)


def test_a_cut_scope_or_keys_that_meet_leave_the_layer():
    before = layer()
    assert retimed_layer(before, lambda times: np.where(times > 2.6, np.nan, times)) is before
    assert retimed_layer(before, lambda times: np.minimum(times, 1.0)) is before

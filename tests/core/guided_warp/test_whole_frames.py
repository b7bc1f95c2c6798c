"""Keys on whole frames: where they were to be, rounded, and even between them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.guided_warp import on_whole_frames
from core.motion import TimeMap

RATE = 24.0


@given(st.lists(st.integers(0, 100), min_size=1, max_size=20, unique=True), st.floats(0.4, 2.0))
def test_keys_come_to_lie_on_the_next_whole_frame(frames, pace):
    times = np.array(sorted({0, 100, *frames})) / RATE
    time_map = TimeMap.from_samples([0.0, 40.0 / RATE, 100.0 * pace / RATE + 1.0], [0.0, 60.0 / RATE, 100.0 / RATE])
    if time_map.new_times[-1] <= time_map.new_times[-2]:
        return
    before = time_map.map_key_times(times) * RATE
    after = on_whole_frames(time_map, times, RATE).map_key_times(times) * RATE
    assert (np.diff(after) > 0.0).all()
    assert after[[0, -1]] == pytest.approx(before[[0, -1]])
    apart = np.diff(np.floor(before + 0.5)) > 0
    alone = np.append(True, apart) & np.append(apart, True)
    inner = alone & (after > after[0]) & (after < after[-1])
    assert after[inner] == pytest.approx(np.round(after[inner]), abs=1e-6)


def test_a_stretch_that_keeps_its_time_keeps_its_frames():
    new, old = np.array([0.0, 10.3, 22.3, 40.0]) / RATE, np.array([0.0, 20.0, 32.0, 60.0]) / RATE
    time_map = TimeMap.from_samples(new, old)
    after = on_whole_frames(time_map, np.array([20.0, 32.0]) / RATE, RATE)
    assert np.diff(after.map_key_times(np.array([20.0, 32.0]) / RATE))[0] * RATE == pytest.approx(12.0, abs=1e-9)


def test_time_that_runs_backward_stays_backward():
    time_map = TimeMap.reverse(0.0, 2.0)
    after = on_whole_frames(time_map, [0.51, 1.3], RATE)
    assert after.direction == -1
    assert after.map_key_times([0.51]) * RATE == pytest.approx([36.0], abs=1e-6)

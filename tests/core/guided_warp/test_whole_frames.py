"""Keys on whole frames: where they were to be, rounded, and even between them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.guided_warp import SpanKind, TimeSpan, on_whole_frames, with_kept_frames
from core.guided_warp.options import SpanFate
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


@pytest.mark.parametrize("backward", [False, True])
def test_what_keeps_its_time_shows_the_frames_that_it_had(backward):
    """And the ends and keytimes stay to the last moment, and no time gets much quicker or slower."""
    new, old = np.array([0.0, 10.3, 22.3, 31.0, 40.6, 46.6, 60.0]), np.array([0.0, 20.0, 32.0, 36.0, 50.0, 56.0, 80.0])
    if backward:
        new, old = 60.0 - new[::-1], old[::-1]
    time_map = TimeMap.from_samples(new / RATE, old / RATE)
    spans = [TimeSpan(start / RATE, end / RATE, SpanKind.PROTECTED) for start, end in ((20.0, 32.0), (50.0, 56.0))]
    after = with_kept_frames(time_map, [SpanFate(span, span.length) for span in spans], [36.0 / RATE], RATE)
    for kept in (np.arange(20.0, 33.0), np.arange(50.0, 57.0)):
        shown = after.map_key_times(kept / RATE) * RATE
        assert shown == pytest.approx(np.round(shown), abs=1e-6)
        assert shown == pytest.approx(time_map.map_key_times(kept / RATE) * RATE, abs=0.5)
    fixed = np.array([0.0, 36.0, 80.0]) / RATE
    assert after.map_key_times(fixed) == pytest.approx(time_map.map_key_times(fixed), abs=1e-9)
    times = np.linspace(0.0, 60.0, 500) / RATE
    assert (np.abs(after.speed(times)) > 0.5 * np.abs(time_map.speed(times)).min()).all()


def test_spans_with_too_little_time_between_them_stay():
    new, old = np.array([0.0, 10.3, 20.3, 20.8, 30.8, 50.0]), np.array([0.0, 20.0, 30.0, 31.0, 41.0, 60.0])
    time_map = TimeMap.from_samples(new / RATE, old / RATE)
    spans = [TimeSpan(start / RATE, end / RATE, SpanKind.PROTECTED) for start, end in ((20.0, 30.0), (31.0, 41.0))]
    after = with_kept_frames(time_map, [SpanFate(span, span.length) for span in spans], [], RATE)
    assert after.map_key_times([20.0 / RATE]) * RATE == pytest.approx([10.0], abs=1e-6)
    assert (np.diff(after(np.linspace(0.0, 50.0, 500) / RATE)) > 0.0).all()


@pytest.mark.parametrize("start", range(11, 30))
def test_a_span_that_begins_at_a_keytime_stays_with_it(start):
    """Also where the last digits of both differ."""
    old = np.array([0.0, start, start + 12.0, 60.0]) / RATE
    new = np.array([0.0, old[1] - 7.0 / RATE, old[2] - 7.0 / RATE, 2.0])
    time_map = TimeMap.from_samples(new, old)
    span = TimeSpan(float(old[1]), float(old[2]), SpanKind.PROTECTED)
    after = with_kept_frames(time_map, [SpanFate(span, span.length)], [old[1]], RATE)
    assert after.map_key_times(old) == pytest.approx(new, abs=1e-9)

"""Protected, elastic and rhythmic spans: who gives way, and when."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_walks import PERIOD, made_walk

from core.analysis.events import Event, EventKind
from core.body import find_body
from core.guided_warp import KEPT, GuidedWarpOptions, SpanKind, TimeSpan, find_spans, guide_itself, spans_of, warp
from core.sample_motion import sample_events, sample_motion

MOTION = sample_motion(30.0)
BODY = find_body(MOTION.skeleton, motion=MOTION)
END = float(MOTION.times[-1])


def kept(start, end):
    return TimeSpan(start, end, SpanKind.PROTECTED, KEPT)


def lasts(time_map, start, end):
    return float(np.diff(time_map.map_key_times([start, end]))[0])


def shortened(spans, length, **options):
    guide = guide_itself(MOTION, BODY, spans=spans)
    return warp(guide, [(0.0, 0.0), (END, length)], GuidedWarpOptions(**options))


@st.composite
def protected_spans(draw):
    edges = sorted(draw(st.lists(st.floats(0.0, END), min_size=2, max_size=6, unique=True)))
    return [kept(start, end) for start, end in zip(edges[::2], edges[1::2], strict=False) if end - start > 0.05]


@given(protected_spans(), st.floats(0.3, 3.0), st.sampled_from([0.0, 0.1, 0.5]))
@settings(deadline=None, max_examples=40)
def test_a_protected_span_keeps_its_time_as_long_as_elastic_time_is_left(spans, share, smoothness):
    limit = 4.0
    result = shortened(spans, share * END, smoothness=smoothness, speed_limit=limit)
    protected = sum(span.length for span in spans)
    elastic = (END - protected) / limit if share < 1.0 else (END - protected) * limit
    has_room = share * END >= protected + elastic if share < 1.0 else share * END <= protected + elastic
    for span, fate in zip(spans, result.fates, strict=True):
        length = lasts(result.time_map, span.start, span.end)
        assert fate.length == pytest.approx(length, abs=1e-3)
        if has_room:
            assert length == pytest.approx(span.length, abs=1e-6)


def test_spans_without_elastic_time_share_what_is_missing():
    """Everything but a second is protected; half the length leaves each protected span the same share."""
    spans = [kept(0.0, 5.0), kept(6.0, END)]
    result = shortened(spans, 0.5 * END)
    shares = [fate.share for fate in result.fates]
    assert shares[0] == pytest.approx(shares[1], abs=1e-6)
    assert shares[0] == pytest.approx((0.5 * END - 0.25) / (END - 1.0), abs=1e-6)
    assert lasts(result.time_map, 5.0, 6.0) == pytest.approx(0.25, abs=1e-6)
    assert all(fate.lost(0.5 / 30.0) for fate in result.fates)


def test_all_of_a_motion_can_be_protected():
    assert shortened([kept(0.0, END)], 0.5 * END).time_map(0.25 * END) == pytest.approx(0.5 * END, abs=1e-6)


def test_flights_are_protected_with_their_run_out_and_punches_are_kept():
    spans = find_spans(MOTION, BODY)
    result = shortened(spans, 0.8 * END)
    start, end = sample_events().flight
    assert lasts(result.time_map, start - 0.2, end + 0.2) == pytest.approx(end - start + 0.4, abs=0.02)
    for _side, time in sample_events().punches:
        assert lasts(result.time_map, time - 0.2, time + 0.1) > 0.95 * 0.3


def test_a_flight_gives_way_after_its_run_out():
    """Half the length: what is around the flight is quicker, the flight itself is not."""
    spans = [TimeSpan(2.0, 2.5, SpanKind.PROTECTED, "Flight", run_out=4.0)]
    result = shortened(spans, 0.5 * END)
    assert lasts(result.time_map, 2.0, 2.5) == pytest.approx(0.5, abs=1e-6)
    assert lasts(result.time_map, 2.5, 6.0) < 3.0


def test_what_is_made_elastic_gives_way():
    spans = find_spans(MOTION, BODY)
    start, end = sample_events().flight
    (flight,) = (span for span in spans if span.name == EventKind.FLIGHT.value)
    others = [span for span in spans if span is not flight]
    elastic = [*others, TimeSpan(flight.start, flight.end, SpanKind.ELASTIC, flight.name)]
    assert lasts(shortened(elastic, 0.4 * END).time_map, start, end) < 0.95 * (end - start)
    assert lasts(shortened(spans, 0.4 * END).time_map, start, end) == pytest.approx(end - start, abs=0.02)


def test_overlapping_strikes_become_one_span():
    strikes = [Event(EventKind.STRIKE, start, start + 0.5) for start in (0.0, 0.3, 2.0)]
    assert [(span.start, span.end) for span in spans_of(strikes)] == [(0.0, 0.8), (2.0, 2.5)]
    assert not any(span.is_firm for span in spans_of(strikes))


def test_a_strike_in_a_jump_is_part_of_the_jump():
    events = [Event(EventKind.STRIKE, 1.0, 2.0), Event(EventKind.FLIGHT, 1.4, 1.8), Event(EventKind.STRIKE, 1.5, 1.7)]
    found = [(span.name, span.start, span.end) for span in spans_of(events)]
    assert found == [("Strike", 1.0, 1.4), ("Flight", 1.4, 1.8), ("Strike", 1.8, 2.0)]


@pytest.mark.parametrize("share", [0.65, 0.8, 1.3])
def test_turns_of_a_rhythm_get_their_new_timing_alike(share):
    motion = made_walk()
    body, end = find_body(motion.skeleton, motion=motion), float(motion.times[-1])
    # Beats of unequal turns: nothing but the tie makes the turns' paces alike.
    beats = tuple(0.3 + PERIOD * np.cumsum([0.0, 1.0, 1.05, 0.95, 1.0, 1.02]).round(4))
    spans = [TimeSpan(beats[0], beats[-1], SpanKind.RHYTHMIC, beats=beats)]
    guide = guide_itself(motion, body, spans=spans)
    time_map = warp(guide, [(0.0, 0.0), (end, share * end)]).time_map
    before, after = np.diff(beats), np.diff(time_map.map_key_times(beats))
    assert np.ptp(after / before) < 0.01
    free = warp(guide_itself(motion, body, spans=[]), [(0.0, 0.0), (end, share * end)]).time_map
    assert np.ptp(np.diff(free.map_key_times(beats)) / before) > np.ptp(after / before)


def test_a_rhythm_is_tied_within_a_part_only():
    motion = made_walk()
    body, end = find_body(motion.skeleton, motion=motion), float(motion.times[-1])
    beats = tuple(np.arange(7) * PERIOD)
    guide = guide_itself(motion, body, spans=[TimeSpan(0.0, beats[-1], SpanKind.RHYTHMIC, beats=beats)])
    time_map = warp(guide, [(0.0, 0.0), (3.0 * PERIOD, 2.0 * PERIOD), (end, end)]).time_map
    lengths = np.diff(time_map.map_key_times(np.array(beats))) / PERIOD
    assert lengths[:3] == pytest.approx(lengths[:3].mean(), abs=0.06)
    assert lengths[4:].mean() > 1.1


def test_a_loop_is_solved_as_a_loop():
    """Speed of time meets at the seam, although the pose there is anything but still."""
    motion = made_walk(turns=1.0)
    body, end = find_body(motion.skeleton, motion=motion), float(motion.times[-1])

    def gap(is_cyclic):
        guide = guide_itself(motion, body, spans=(), is_cyclic=is_cyclic)
        time_map = warp(guide, [(0.0, 0.0), (end, 0.8 * end)], GuidedWarpOptions(smoothness=0.2)).time_map
        return abs(float(np.diff(time_map.speed([0.0, 0.8 * end]))[0]))

    assert gap(is_cyclic=True) < 1e-9
    assert gap(is_cyclic=False) > 0.01

"""A motion cut into short intervals, in each of which time runs at one pace."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics import Array
from .guides.guide import Guide
from .guides.movement import RATE
from .spans import SpanKind, TimeSpan

Numbers = NDArray[np.intp]
Flags = NDArray[np.bool_]
# Seconds that intervals have at least, unless keytimes are nearer: what lies between is left out.
_LEAST = 0.3 / RATE


@dataclass(frozen=True, eq=False)
class Intervals:
    """N intervals of old time and what each belongs to.

    Attributes:
        knots: (N + 1,) seconds, rising; keytimes and ends of spans are among them.
        parts: (N,) number of the part between keytimes.
        firm: (N,) in a protected span that gives way last.
        soft: (N,) in a protected span that gives way if the rest would race, or in a run-out.
        turns: (N,) number of the moment of a rhythm that it is; -1 for none.
    """

    knots: Array
    parts: Numbers
    firm: Flags
    soft: Flags
    turns: Numbers

    @property
    def widths(self) -> Array:
        """(N,) seconds."""
        return np.diff(self.knots)


def lay_intervals(guide: Guide, keytimes: Array) -> Intervals:
    """Intervals of a thirtieth of a second, or less, between the first and last keytime (K,), rising."""
    spans = [span for span in guide.spans if span.end > keytimes[0] and span.start < keytimes[-1]]
    firm, soft = _protected(spans)
    rhythms = [span for span in spans if span.kind is SpanKind.RHYTHMIC and len(span.beats) > 1]
    knots = _knots(guide, keytimes, [*firm, *soft], rhythms)
    middles = 0.5 * (knots[1:] + knots[:-1])
    return Intervals(
        knots,
        np.searchsorted(keytimes, middles) - 1,
        _inside(middles, firm),
        _inside(middles, soft),
        _turns(middles, rhythms),
    )


def _protected(spans: Sequence[TimeSpan]) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Ends of what is firmly protected, and of what is so as long as the rest need not race."""
    chosen = [span for span in spans if span.kind is SpanKind.PROTECTED]
    firm = [(span.start, span.end) for span in chosen if span.is_firm]
    soft = [(span.start - span.run_out, span.end + span.run_out) for span in chosen if span.run_out or not span.is_firm]
    return firm, soft


def _inside(middles: Array, ends: Sequence[tuple[float, float]]) -> Flags:
    inside = np.zeros(len(middles), dtype=np.bool_)
    for start, end in ends:
        inside[np.searchsorted(middles, start) : np.searchsorted(middles, end)] = True
    return inside


def _knots(
    guide: Guide, keytimes: Array, protected: Sequence[tuple[float, float]], rhythms: Sequence[TimeSpan]
) -> Array:
    """Keytimes bit for bit, ends of spans, and enough between them."""
    first, last = keytimes[[0, -1]]
    edges = np.unique([edge for ends in protected for edge in ends if first < edge < last])
    turns = [_turn_knots(span) for span in rhythms]
    free = guide.times[~_inside(guide.times, [(span.start, span.end) for span in rhythms])]
    plain = np.unique(np.concatenate([free, *turns]))
    return _beside(_beside(plain[(plain > first) & (plain < last)], edges), keytimes)


def _beside(plain: Array, wanted: Array) -> Array:
    """All of the wanted places, and of the others those that are not too near to them."""
    if not len(wanted):
        return plain
    place = np.searchsorted(wanted, plain)
    after = wanted[np.minimum(place, len(wanted) - 1)] - plain
    before = plain - wanted[np.maximum(place - 1, 0)]
    kept = (np.abs(after) > _LEAST) & (np.abs(before) > _LEAST)
    return np.sort(np.concatenate([plain[kept], wanted]))


def _turn_knots(span: TimeSpan) -> Array:
    """Seconds at which a new moment of a turn begins; each turn has as many."""
    beats, count = np.array(span.beats), _moments(span)
    first, last = _phases(np.array([span.start, span.end]), beats) * count
    return _at_phases(np.arange(np.ceil(first), np.floor(last) + 1.0) / count, beats)


def _moments(span: TimeSpan) -> int:
    """How many moments a turn has."""
    return max(2, round(float(np.median(np.diff(span.beats))) * RATE))


def _at_phases(phases: Array, beats: Array) -> Array:
    """Seconds of phases, 1 for a turn; before the first beat and after the last turns are as long as usual."""
    turn = float(np.median(np.diff(beats)))
    seconds = np.interp(phases, np.arange(len(beats)), beats)
    outside: Array = np.minimum(phases, 0.0) * turn + np.maximum(phases - (len(beats) - 1), 0.0) * turn
    return seconds + outside


def _phases(seconds: Array, beats: Array) -> Array:
    """The inverse of `_at_phases`."""
    turn = float(np.median(np.diff(beats)))
    phases = np.interp(seconds, beats, np.arange(len(beats)))
    outside: Array = (np.minimum(seconds - beats[0], 0.0) + np.maximum(seconds - beats[-1], 0.0)) / turn
    return phases + outside


def _turns(middles: Array, rhythms: Sequence[TimeSpan]) -> Numbers:
    """(N,) number of the moment of a rhythm, the same in every turn; -1 outside of rhythms."""
    turns, first = np.full(len(middles), -1), 0
    for span in rhythms:
        inside = (middles > span.start) & (middles < span.end)
        count = _moments(span)
        turns[inside] = first + np.floor(_phases(middles[inside], np.array(span.beats)) * count).astype(np.intp) % count
        first += count
    return turns

"""Guided time warping: a timing that meets keytimes and moves as a guide asks for."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ..motion import TimeMap
from ..numerics import Array, PiecewiseCubic, knot_slopes
from .guides.guide import Guide
from .intervals import Intervals, lay_intervals
from .options import GuidedWarpOptions, SpanFate, Speeds, WarpResult
from .priorities import Bounds, plan_bounds
from .solver.pace import Numbers, PaceProblem, solve_pace
from .timing_limits import Keytime, checked_keytimes

# Seconds over which an even warp changes its speed at a keytime.
_EVEN_SMOOTHNESS = 0.3
# An even warp gets no quicker than so many times what its quickest part needs.
_EVEN_ROOM = 4.0
_ROUNDING = 1e-9


def warp(guide: Guide, keytimes: Sequence[Keytime], options: GuidedWarpOptions | None = None) -> WarpResult:
    """Find the timing that meets the keytimes and is nearest to what the guide asks for.

    Everything between the first and last keytime is shown, in order. The time that it takes grows with the length of
    the motion; nothing that does not depend on keytimes is computed here.

    Args:
        guide: What is wanted, from `own_guide` or `reference_guide`.
        keytimes: (old time, new time) in seconds, in order of new time. The first and last are the ends; old times
            that fall play the motion backward.
        options: Influence, smoothness, limits.

    Raises:
        ImpossibleTimingError: A keytime cannot be met; the message says what is possible.
        TimeOrderError: Keytimes are not in order.
    """
    options = options or GuidedWarpOptions()
    old, new = checked_keytimes(guide, keytimes, options.speed_limit, last_is_free=options.free_length)
    if options.speeds and len(options.speeds) != len(old):
        raise ValueError("speeds must name one speed, or None, for each keytime")
    if old[0] < old[-1]:
        return _forward(guide, old, new, options, free_part=len(old) - 2 if options.free_length else None)
    # Backward in new time is forward if new times are counted down.
    turned = replace(options, speeds=options.speeds[::-1])
    result = _forward(guide, old[::-1], -new[::-1], turned, free_part=0 if options.free_length else None)
    curve = result.time_map.curve
    back = PiecewiseCubic(-curve.knots[::-1], curve.values[::-1], -curve.slopes[::-1, ::-1])
    return replace(result, time_map=TimeMap(back))


def _forward(guide: Guide, old: Array, new: Array, options: GuidedWarpOptions, *, free_part: int | None) -> WarpResult:
    lengths = np.diff(new)
    if free_part is not None:
        lengths[free_part] = np.nan
    intervals = lay_intervals(guide, old)
    pace = _guided_pace(guide, intervals, lengths, options)
    if free_part is not None:
        found = float((intervals.widths * pace)[intervals.parts == free_part].sum())
        new[free_part + 1 :] += found - (new[free_part + 1] - new[free_part])
    if options.influence < 1.0:
        pace = (1.0 - options.influence) * _even_pace(intervals, np.diff(new), options) + options.influence * pace
    times = _new_times(intervals, pace, new)
    slopes = _slopes(times, intervals.knots, old, options.speeds, is_cyclic=guide.is_cyclic)
    # What is protected keeps its timing to the last moment.
    kept = (intervals.firm & (np.abs(pace - 1.0) < _ROUNDING))[:, None]
    curve = PiecewiseCubic(times, intervals.knots, np.where(kept, 1.0, np.stack([slopes[:-1], slopes[1:]], axis=-1)))
    return WarpResult(TimeMap(curve), _fates(guide, times, intervals.knots))


def _guided_pace(guide: Guide, intervals: Intervals, lengths: Array, options: GuidedWarpOptions) -> Array:
    given = _given(intervals, options.speeds)
    bounds = plan_bounds(guide, intervals, lengths, given, options.speed_limit)
    stiffness = guide.mean(guide.stiffness, intervals.knots)
    links, closing = _links(intervals, stiffness * _reach(intervals, lengths, options.smoothness) ** 2)
    problem = PaceProblem(
        intervals.widths,
        np.clip(guide.mean(guide.wanted, intervals.knots), 1.0 / options.speed_limit, options.speed_limit),
        stiffness,
        links,
        bounds.low,
        bounds.high,
        _unknowns(intervals, bounds),
        intervals.parts,
        lengths,
        closing if guide.is_cyclic else 0.0,
    )
    return solve_pace(problem)


def _reach(intervals: Intervals, lengths: Array, smoothness: float) -> Array:
    """(N,) seconds of old time that pass in the seconds of new time over which speeds fade."""
    paces = lengths / np.bincount(intervals.parts, intervals.widths, minlength=len(lengths))
    reach: Array = (smoothness / np.where(np.isnan(paces), 1.0, paces))[intervals.parts]
    return reach


def _links(intervals: Intervals, strengths: Array) -> tuple[Array, float]:
    """(N - 1,) how much neighbours should have the same pace, and how much the last one and the first should."""
    distances = 0.5 * (intervals.widths + np.roll(intervals.widths, -1))
    links = 0.5 * (strengths + np.roll(strengths, -1)) / distances
    return links[:-1], float(links[-1])


def _even_pace(intervals: Intervals, lengths: Array, options: GuidedWarpOptions) -> Array:
    """The same pace everywhere, but for a soft change at keytimes."""
    count, given = len(intervals.parts), _given(intervals, options.speeds)
    means = lengths / np.bincount(intervals.parts, intervals.widths)
    low = np.full(count, float(means.min()) / _EVEN_ROOM)
    free = np.isnan(given)
    problem = PaceProblem(
        intervals.widths,
        means[intervals.parts],
        np.ones(count),
        _links(intervals, np.full(count, _EVEN_SMOOTHNESS**2))[0],
        np.where(free, low, given),
        np.where(free, np.inf, given),
        np.arange(count),
        intervals.parts,
        lengths,
    )
    return solve_pace(problem)


def _given(intervals: Intervals, speeds: Speeds) -> Array:
    """(N,) paces beside keytimes whose speed was asked for, NaN elsewhere."""
    given = np.full(len(intervals.parts), np.nan)
    starts = np.append(0, np.flatnonzero(np.diff(intervals.parts)) + 1)
    for place, speed in zip([*starts.tolist(), len(given)], speeds, strict=False):
        if speed is not None:
            given[max(0, place - 1) : place + 1] = 1.0 / speed
    return given


def _unknowns(intervals: Intervals, bounds: Bounds) -> Numbers:
    """(N,) moments of a rhythm that may change share their pace within a part; all others have their own."""
    count = len(intervals.parts)
    tied = (intervals.turns >= 0) & (bounds.low < bounds.high)
    names = np.arange(count)
    moments = int(intervals.turns.max()) + 1
    names[tied] = count + intervals.parts[tied] * moments + intervals.turns[tied]
    _, first, numbers = np.unique(names, return_index=True, return_inverse=True)
    ranks: Numbers = np.argsort(np.argsort(first))
    return ranks[numbers]


def _new_times(intervals: Intervals, pace: Array, new: Array) -> Array:
    """(N + 1,) new seconds of the knots; keytimes bit for bit."""
    times, lengths = np.empty(len(pace) + 1), intervals.widths * pace
    ends = np.append(np.searchsorted(intervals.parts, np.arange(len(new) - 1)), len(pace))
    for part, (first, last) in enumerate(pairwise(ends.tolist())):
        times[first : last + 1] = new[part] + np.append(0.0, np.cumsum(lengths[first:last]))
    times[ends] = new
    return times


def _slopes(times: Array, knots: Array, old: Array, speeds: Speeds, *, is_cyclic: bool) -> Array:
    """(N + 1,) speeds at the knots, the given ones at keytimes; the same at both ends if time runs in circles."""
    slopes = knot_slopes(times, knots, monotone=True)
    if is_cyclic:
        slopes[[0, -1]] = 2.0 / (1.0 / slopes[0] + 1.0 / slopes[-1])
    for place, speed in zip(np.searchsorted(knots, old), speeds, strict=False):
        if speed is not None:
            slopes[place] = speed
    return slopes


def _fates(guide: Guide, times: Array, knots: Array) -> tuple[SpanFate, ...]:
    """What became of every span, as far as it is shown."""
    shown = [span for span in guide.spans if knots[0] <= span.start and span.end <= knots[-1]]
    return tuple(SpanFate(span, float(np.diff(np.interp([span.start, span.end], knots, times))[0])) for span in shown)

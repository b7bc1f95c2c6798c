"""Splines and displacement maps for knots: for all of them, or for those that are new.

Both fitting a motion and changing the knots of a model end here. What a motion does never changes:
the displacement maps take up whatever the splines leave over.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..motion import Indices, Motion
from ..numerics import Array
from .algebra import NUMBER, ROTATION, Algebra
from .curve_fit.interval_samples import IntervalSamples
from .curve_fit.joined_tangents import Splines, join_tangents
from .curve_fit.number_fit import fit_numbers
from .curve_fit.rotation_fit import FitOptions, fit_rotations
from .curve_samples import carried_rounds, closed_round, sampled
from .detail import Detail
from .layout import KnotLayout, rows
from .model import Fitted, StaggeredMotion
from .timing import Timing
from .track import Track
from .variables import Variables


@dataclass(frozen=True, eq=False)
class KeptKnots:
    """Knots that a track takes over from an earlier one.

    Attributes:
        track: The earlier one.
        origin: (n,) number in it of every knot, -1 for those that are new.
        stays: (N,) intervals of the earlier track that can go on: their time is as it was.
    """

    track: Track
    origin: Indices
    stays: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _Curves:
    """(F, C, w) curves of a motion to be described, with their frame times and knots; (C,) switches hold."""

    algebra: Algebra
    values: Array
    frame_times: Array
    layout: KnotLayout
    knot_times: Array
    steps: NDArray[np.bool_]
    timing: Timing

    def at_knots(self) -> Array:
        """(n, w) values at the knots, between frames if need be; switches have those of the frame before."""
        start, end = self.frame_times[[0, -1]]
        laps = np.zeros_like(self.knot_times)
        length = self.timing.round_length
        if self.timing.is_cyclic:
            outside = (self.knot_times < start) | (self.knot_times > end)
            laps = np.where(outside, np.floor((self.knot_times - start) / length), 0.0)
        times = np.clip(self.knot_times - laps * length, start, end)
        frame = np.clip(np.searchsorted(self.frame_times, times, side="right") - 1, 0, len(self.frame_times) - 1)
        values = self.at(frame, self.layout.curve)
        for curve in np.unique(self.layout.curve[(self.frame_times[frame] != times) | (laps != 0.0)]):
            own, column = self.layout.curve == curve, self.values[:, curve]
            if not self.steps[curve] and (column != column[:1]).any():
                frames, closed, onward = closed_round(self.frame_times, column, self.timing.seam)
                between = carried_rounds(sampled(frames, closed, times[own]), onward, laps[own])
                exact = ((self.frame_times[frame[own]] == times[own]) & (laps[own] == 0.0))[:, None]
                values[own] = np.where(exact, values[own], between)
        return values

    def at(self, frame: Indices, curve: Indices) -> Array:
        """Values of chosen frames of chosen curves."""
        return self.values.T[:, curve, frame].T


def build(
    source: Motion,
    variables: Variables,
    timing: Timing,
    *,
    options: FitOptions | None = None,
    kept: tuple[KeptKnots | None, KeptKnots | None] = (None, None),
) -> StaggeredMotion:
    """A model that gives the source motion and has the knots of the timing."""
    columns = np.arange(variables.joints), variables.variable_of_number
    values = source.rotations, variables.numbers(source)[..., None]
    switches = None, np.pad(source.steps, (len(columns[1]) - variables.scalars, 0))
    rotations, numbers = (
        build_track(algebra, column, curves, source.times, timing, options, earlier, steps)
        for algebra, column, curves, earlier, steps in zip(
            (ROTATION, NUMBER), columns, values, kept, switches, strict=True
        )
    )
    return StaggeredMotion.of(Fitted(source, variables, timing, rotations, numbers))


def build_track(
    algebra: Algebra,
    variable: Indices,
    values: Array,
    frame_times: Array,
    timing: Timing,
    options: FitOptions | None = None,
    kept: KeptKnots | None = None,
    steps: NDArray[np.bool_] | None = None,
) -> Track:
    """Describe (F, C, w) curves, whose timing is that of given control variables."""
    layout = KnotLayout(timing.slots_used[:, variable])
    knot_times = layout.times(timing.slot_times[:, variable])
    none = np.zeros(len(variable), dtype=np.bool_)
    steps = none if steps is None else steps
    curves = _Curves(algebra, values, frame_times, layout, knot_times, steps, timing)
    knots, old = curves.at_knots(), _kept_intervals(layout, kept)
    if kept is not None:
        knots[kept.origin >= 0] = rows(kept.track.values, kept.origin[kept.origin >= 0])
    new = np.flatnonzero(old < 0)
    samples = IntervalSamples.between(frame_times, knot_times[layout.left[new]], knot_times[layout.left[new] + 1])
    leaving, arriving = _tangents(curves, knots, new, samples, options)
    if kept is not None:
        taken = old >= 0
        leaving[taken], arriving[taken] = kept.track.leaving[old[taken]], kept.track.arriving[old[taken]]
    editing = _editing_knots(timing, variable, layout)
    join_tangents(Splines(algebra, layout.left, knots, knot_times, leaving, arriving), editing, old < 0)
    bare, strength = Detail.none(len(old), algebra.offset_width), np.ones(len(old))
    track = Track(algebra, variable, layout, knots, leaving, arriving, bare, strength)
    return _with_detail(track, curves, new, samples, old, kept)


def _kept_intervals(layout: KnotLayout, kept: KeptKnots | None) -> Indices:
    """(N,) interval of the earlier track that goes on unchanged, -1 for those to be fitted."""
    if kept is None or not len(kept.stays):
        return np.full(len(layout.left), -1)
    start, end = kept.origin[layout.left], kept.origin[layout.left + 1]
    same = (start >= 0) & (end == start + 1)
    number = np.searchsorted(kept.track.layout.left, np.where(same, start, 0))
    return np.where(same & kept.stays[number], number, -1)


def _tangents(
    curves: _Curves, knots: Array, new: Indices, samples: IntervalSamples, options: FitOptions | None
) -> tuple[Array, Array]:
    """Tangents (N, d) of all intervals, fitted to the samples for those that are new."""
    algebra, left = curves.algebra, curves.layout.left
    leaving, arriving = (np.zeros((algebra.offset_width, len(left))).T for _ in range(2))
    first, last = rows(knots, left[new]), rows(knots, left[new] + 1)
    values = curves.at(samples.frames, curves.layout.interval_curve[new][samples.owner])
    if algebra is ROTATION:
        second, third = fit_rotations(first, last, samples, values, options)
    else:
        second, third = fit_numbers(first, last, samples, values)
    leaving[new], arriving[new] = algebra.tangent(first, second), algebra.tangent(last, third)
    return leaving, arriving


def _editing_knots(timing: Timing, variable: Indices, layout: KnotLayout) -> Indices:
    """Numbers of the editing knots that lie between two intervals."""
    slots = timing.companion_slots[:, variable]
    numbers = np.take_along_axis(layout.number, slots, axis=0)[timing.has_companion[:, variable]]
    inner = np.isin(numbers, layout.left) & np.isin(numbers - 1, layout.left)
    return numbers[inner]


def _with_detail(
    track: Track,
    curves: _Curves,
    new: Indices,
    samples: IntervalSamples,
    old: Indices,
    kept: KeptKnots | None,
) -> Track:
    """The track with what its splines leave over, measured where intervals are new, else taken over."""
    measured = _measured(track, curves, new, samples)
    if kept is None:
        return track.changed(detail=measured)
    taken, earlier = np.flatnonzero(old >= 0), kept.track
    strength = np.ones(len(old))
    strength[taken] = earlier.strength[old[taken]]
    order = np.argsort(np.concatenate([new, taken]))
    detail = measured.followed_by(earlier.detail.chosen(old[taken])).chosen(order)
    return track.changed(detail=detail, strength=strength)


def measured_details(fitted: Fitted) -> tuple[Detail, Detail]:
    """What the splines of rotations and numbers leave over of the motion that they were fitted to."""
    values = fitted.source.rotations, fitted.variables.numbers(fitted.source)[..., None]
    rotations, numbers = (
        _measured_again(track, curves, fitted)
        for track, curves in zip((fitted.rotations, fitted.numbers), values, strict=True)
    )
    return rotations, numbers


def _measured_again(track: Track, values: Array, fitted: Fitted) -> Detail:
    layout, none, frame_times = track.layout, np.zeros(len(track.variable), dtype=np.bool_), fitted.source.times
    knot_times, every = fitted.knot_times(track), np.arange(len(layout.left))
    curves = _Curves(track.algebra, values, frame_times, layout, knot_times, none, fitted.timing)
    samples = IntervalSamples.between(frame_times, knot_times[layout.left], knot_times[layout.left + 1])
    bare = Detail.none(len(every), track.algebra.offset_width)
    return _measured(track.changed(detail=bare, strength=np.ones(len(every))), curves, every, samples)


def _measured(track: Track, curves: _Curves, new: Indices, samples: IntervalSamples) -> Detail:
    """Displacement maps of some intervals: the motion factored by its splines (4.1.1)."""
    algebra = curves.algebra
    # Without detail of its own the track gives its bare splines.
    spline = track.at(new, samples.owner, samples.times)
    values = curves.at(samples.frames, curves.layout.interval_curve[new][samples.owner])
    starts = np.concatenate([[0], np.cumsum(samples.counts + 2)])
    place = np.arange(len(samples.times)) + 2 * samples.owner + 1
    times, offsets = np.zeros(starts[-1]), np.zeros((algebra.offset_width, starts[-1])).T
    times[place], times[starts[1:] - 1] = samples.times, 1.0
    offsets[place] = algebra.log(algebra.factor(values, spline))
    return Detail(starts, times, offsets)

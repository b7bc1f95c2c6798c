"""From staggered poses back to a motion.

Every variable has a time of its own. Where that and its curve are as they were fitted, the source
motion is copied, so that what an edit does not touch stays bit for bit. Where only the time is
another, the source is sampled at that time. Only where curves differ are they evaluated.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..motion import Indices, Motion
from ..numerics import Array, quaternion, stepped_offsets
from .curve_samples import carried_rounds, closed_round, motion_at, sampled
from .model import StaggeredMotion
from .track import Track

Flags = NDArray[np.bool_]


def evaluate(model: StaggeredMotion, times: Any = None) -> Motion:
    """The motion that the poses describe.

    Before its first and after its last knot a variable holds its value; that of a loop goes on with the next round.

    Args:
        times: (F,) increasing, in seconds; the frames of the source motion if not given, with
            more or fewer of them where the first or last pose was moved.
    """
    frames = frame_times(model) if times is None else np.atleast_1d(np.asarray(times, dtype=np.float64))
    if not np.array_equal(frames, model.source.times):
        return _evaluated(model, frames, motion_at(model.source, frames))
    # A slider asks for the source's own frames again and again.
    if model not in _known:
        _known[model] = _evaluated(model, frames, model.source)
    return _known[model]


_known: WeakKeyDictionary[StaggeredMotion, Motion] = WeakKeyDictionary()


def known_motion(model: StaggeredMotion) -> Motion | None:
    """What a model shows at all its frames, if that was worked out before."""
    return _known.get(model)


def _evaluated(model: StaggeredMotion, frames: Array, motion: Motion) -> Motion:
    """What the poses describe at frames, of which the source's motion is given."""
    edited_rotations, edited_numbers = model.edited_intervals()
    changes = _changes(model, model.rotations, edited_rotations, frames)
    if changes:
        motion = replace(motion, rotations=_rotations(model, motion, changes, edited_rotations))
    changes = _changes(model, model.numbers, edited_numbers, frames)
    if changes:
        numbers = model.variables.numbers(motion)
        source = model.variables.numbers(model.source)
        for change in changes:
            numbers[change.frames, change.curve] = change.sampled(model, source[:, change.curve, None])[:, 0]
        _put_edited(model, model.numbers, changes, edited_numbers, numbers[..., None])
        motion = model.variables.with_numbers(motion, numbers)
        if model.source.steps.any():
            motion = replace(motion, scalars=np.where(model.source.steps, _switches(model, frames), motion.scalars))
    return motion


@dataclass(frozen=True, eq=False)
class _Change:
    """Frames that show a curve otherwise than the source does.

    Attributes:
        curve: Number of the curve in its track.
        frames: The frames.
        old: (P,) times of the fitted curve, within its first round.
        laps: (P,) rounds of a loop to add.
        edited: (P,) interval if the curve itself is another there, else -1.
    """

    curve: int
    frames: Indices
    old: Array
    laps: Array
    edited: Indices

    def sampled(self, model: StaggeredMotion, values: Array) -> Array:
        """(P, w) the source's own curve (F, w) at the old times."""
        times, curve, onward = closed_round(model.source.times, values, model.fitted.timing.seam)
        return carried_rounds(sampled(times, curve, self.old), onward, self.laps)


def _changes(model: StaggeredMotion, track: Track, edited: Flags, frames: Array) -> list[_Change]:
    """Where the curves of a track are not what the source has at the same times."""
    return list(_each_change(model, track, edited, frames))


def _each_change(model: StaggeredMotion, track: Track, edited: Flags, frames: Array) -> Iterator[_Change]:
    layout, knots, moved = track.layout, model.fitted.knot_times(track), model.warps.moved
    touched = np.zeros(len(track.variable), dtype=np.bool_)
    touched[layout.interval_curve[edited]] = True
    times: dict[int, tuple[Array, Array]] = {}
    first_knot = np.searchsorted(layout.curve, np.arange(len(track.variable)))
    first_interval = np.searchsorted(layout.interval_curve, np.arange(len(track.variable)))
    for curve in np.flatnonzero(touched | moved[track.variable]):
        variable = int(track.variable[curve])
        if variable not in times:
            times[variable] = _own_times(model, variable, frames)
        old, laps = times[variable]
        differs = (old != frames) | (laps != 0.0)
        interval = np.full(len(frames), -1)
        if touched[curve]:
            own = knots[first_knot[curve] : np.searchsorted(layout.curve, curve, side="right")]
            number = first_interval[curve] + np.clip(np.searchsorted(own, old, side="right") - 1, 0, len(own) - 2)
            interval = np.where(edited[number], number, -1)
            differs |= interval >= 0
        chosen = np.flatnonzero(differs)
        if len(chosen):
            yield _Change(int(curve), chosen, old[chosen], laps[chosen], interval[chosen])


def _own_times(model: StaggeredMotion, variable: int, frames: Array) -> tuple[Array, Array]:
    """Times of the fitted curves that a variable shows at frames, and in which round of a loop."""
    old = model.warps.old_times(variable, frames)
    timing = model.fitted.timing
    if not timing.is_cyclic:
        return old, np.zeros_like(old)
    (start, end), length = timing.span, timing.round_length
    laps = np.where((old >= start) & (old <= end), 0.0, np.floor((old - start) / length))
    return np.where(laps == 0.0, old, old - laps * length), laps


def _rotations(model: StaggeredMotion, motion: Motion, changes: list[_Change], edited: Flags) -> Array:
    rotations = np.array(motion.rotations.T).T
    for change in changes:
        source = model.source.rotations[:, change.curve]
        plain = change.edited < 0
        if plain.any():
            part = replace(change, old=change.old[plain], laps=change.laps[plain])
            rotations[change.frames[plain], change.curve] = part.sampled(model, source)
    _put_edited(model, model.rotations, changes, edited, rotations)
    # One sign joins an edited stretch to the copied ones around it.
    curves = np.array([change.curve for change in changes])
    chosen = rotations[:, curves]
    jumps = (quaternion.dot(chosen[1:], chosen[:-1]) < 0.0).any(axis=0)
    rotations[:, curves[jumps]] = quaternion.sign_continuous(chosen[:, jumps])
    return rotations


def _put_edited(model: StaggeredMotion, track: Track, changes: list[_Change], edited: Flags, target: Array) -> None:
    """Evaluate intervals whose curves are others into (F, C, w) values, all curves at once."""
    if not edited.any():
        return
    masks = [change.edited >= 0 for change in changes]
    curve = np.concatenate([np.full(int(mask.sum()), each.curve) for each, mask in zip(changes, masks, strict=True)])
    frame, old, laps, interval = (
        np.concatenate([getattr(each, name)[mask] for each, mask in zip(changes, masks, strict=True)])
        for name in ("frames", "old", "laps", "edited")
    )
    if not len(interval):
        return
    intervals, owner = np.unique(interval, return_inverse=True)
    knots, left = model.fitted.knot_times(track), track.layout.left[interval]
    length = knots[left + 1] - knots[left]
    time = np.clip((old - knots[left]) / np.where(length > 0.0, length, 1.0), 0.0, 1.0)
    values = track.at(intervals, np.ravel(owner), time)
    if laps.any():
        values = _with_rounds(model, track, curve, laps, values)
    if track.algebra.width == 4:
        values = quaternion.aligned(values, target.T[:, curve, frame].T)
    target.T[:, curve, frame] = values.T


def _with_rounds(model: StaggeredMotion, track: Track, curve: Indices, laps: Array, values: Array) -> Array:
    """Values of edited curves in other rounds of a loop."""
    is_rotation = track.algebra.width == 4
    source = model.source.rotations if is_rotation else model.variables.numbers(model.source)[..., None]
    result = np.array(values)
    for each in np.unique(curve[laps != 0.0]):
        own = (curve == each) & (laps != 0.0)
        _times, _curve, onward = closed_round(model.source.times, source[:, each], model.fitted.timing.seam)
        result[own] = carried_rounds(values[own], onward, laps[own])
    return result


def _switches(model: StaggeredMotion, frames: Array) -> Array:
    """(F, N) scalars that step: as the source had them when their knots were there, and as poses were changed."""
    layout, changes = model.numbers.layout, model.numbers.values - model.fitted.numbers.values
    now, scalars = model.knot_times(model.numbers), np.array(model.source.at(frames).scalars)
    for channel in np.flatnonzero(model.source.steps):
        knots = np.flatnonzero(layout.curve == layout.used.shape[1] - model.variables.scalars + channel)
        variable = len(model.variables) - model.variables.scalars + int(channel)
        shown, _laps = _own_times(model, variable, frames)
        held = stepped_offsets(frames, now[knots], changes[knots])
        scalars[:, channel] = model.source.at(shown).scalars[:, channel] + held[:, 0]
    return scalars


def frame_times(model: StaggeredMotion) -> Array:
    """(F,) the source's frame times, continued or cut where the ends of the motion were moved."""
    times, (start, end) = model.source.times, model.timing.span
    if start == times[0] and end == times[-1]:
        return times
    step = (times[-1] - times[0]) / (len(times) - 1)
    # A frame that rounding put a hair outside is kept.
    slack = 1e-6 * step
    before = times[0] - step * np.arange(int((times[0] - start + slack) / step), 0, -1)
    after = times[-1] + step * np.arange(1, 1 + int((end - times[-1] + slack) / step))
    inside = times[(times >= start - slack) & (times <= end + slack)]
    return np.concatenate([before, inside, after])

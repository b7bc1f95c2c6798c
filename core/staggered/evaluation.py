"""From staggered poses back to a motion.

Only intervals that differ from what was fitted are evaluated. Everything else is copied from the
source motion, so that what an edit does not touch stays bit for bit.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion import Indices, Motion
from ..numerics import Array, quaternion, stepped_offsets
from .layout import expanded
from .model import StaggeredMotion
from .track import Track


def evaluate(model: StaggeredMotion, times: Any = None) -> Motion:
    """The motion that the poses describe.

    Before its first and after its last knot a variable holds its value.

    Args:
        times: (F,) increasing, in seconds; the frames of the source motion if not given, with
            more or fewer of them where the first or last pose was moved.
    """
    frames = frame_times(model) if times is None else np.atleast_1d(np.asarray(times, dtype=np.float64))
    # The source at its own frames is itself: a slider asks for them again and again.
    source = model.source if np.array_equal(frames, model.source.times) else model.source.at(frames)
    changed_rotations, changed_numbers = model.changed_intervals()
    motion = source
    if changed_rotations.any():
        motion = replace(motion, rotations=_rotations(model, source, frames, changed_rotations))
    if changed_numbers.any():
        numbers = model.variables.numbers(source)
        _write(model, model.numbers, changed_numbers, frames, numbers[..., None])
        motion = model.variables.with_numbers(motion, numbers)
        if source.steps.any():
            motion = replace(motion, scalars=np.where(source.steps, _switches(model, frames), motion.scalars))
    return motion


def _switches(model: StaggeredMotion, frames: Array) -> Array:
    """(F, N) scalars that step: as the source had them when their knots were there, and as poses were changed."""
    fitted, layout = model.fitted, model.numbers.layout
    now, before = model.knot_times(model.numbers), layout.times(fitted.timing.slot_times[:, fitted.numbers.variable])
    changes = model.numbers.values - fitted.numbers.values
    scalars = np.array(model.source.at(frames).scalars)
    for channel in np.flatnonzero(model.source.steps):
        knots = np.flatnonzero(layout.curve == layout.used.shape[1] - model.variables.scalars + channel)
        shown = np.interp(frames, now[knots], before[knots])
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


def _rotations(model: StaggeredMotion, source: Motion, frames: Array, changed: NDArray[np.bool_]) -> Array:
    rotations = np.array(source.rotations.T).T
    curves = _write(model, model.rotations, changed, frames, rotations)
    # The sign nearer to the source joins an edited stretch to the copied ones around it.
    chosen = rotations[:, curves]
    jumps = (quaternion.dot(chosen[1:], chosen[:-1]) < 0.0).any(axis=0)
    rotations[:, curves[jumps]] = quaternion.sign_continuous(chosen[:, jumps])
    return rotations


def _write(model: StaggeredMotion, track: Track, changed: NDArray[np.bool_], frames: Array, target: Array) -> Indices:
    """Evaluate the changed intervals into (F, C, w) curves; return which curves those are."""
    intervals = np.flatnonzero(changed)
    owner, frame, time = _frames_of(model, track, intervals, frames)
    curve = track.layout.interval_curve[intervals]
    values = track.at(intervals, owner, time)
    if track.algebra.width == 4:
        values = quaternion.aligned(values, target.T[:, curve[owner], frame].T)
    target.T[:, curve[owner], frame] = values.T
    return np.unique(curve)


def _frames_of(
    model: StaggeredMotion, track: Track, intervals: Indices, frames: Array
) -> tuple[Indices, Indices, Array]:
    """Frames that lie in some intervals: which interval's each is, the frame, its normalised time."""
    knots, left = model.knot_times(track), track.layout.left[intervals]
    start, end = knots[left], knots[left + 1]
    low = np.where(track.layout.is_first[intervals], 0, np.searchsorted(frames, start, side="left"))
    high = np.where(track.layout.is_last[intervals], len(frames), np.searchsorted(frames, end, side="left"))
    owner, frame = expanded(low, np.maximum(high - low, 0))
    length = np.where(end > start, end - start, 1.0)
    time = np.clip((frames[frame] - start[owner]) / length[owner], 0.0, 1.0)
    return owner, frame, time

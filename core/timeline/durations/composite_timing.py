"""One timing from many windows: each window's own curve, and mere shifts between them.

Every window is described by its own old times, and all curves are laid side by side at once. So it is
exactly its own frames that a window retimes, however many windows before it have moved it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...motion import Ends, Motion, TimeMap
from ...numerics import Array, PiecewiseCubic, from_pieces, knot_slopes
from ..frame_errors import EmptyWindowError, OverlappingWindowsError

# Seconds, or frames, that are rounding and no gap or overlap of two windows.
_ROUNDING = 1e-9
# Steepest slope of a cubic piece, in multiples of its own steepness, that surely never turns round.
_STEEPEST = 3.0


def seconds_at(motion: Motion, frames: Any) -> Array:
    """Times of frames with fractions; beyond the ends frames follow each other at the motion's rate."""
    wanted = np.asarray(frames, dtype=np.float64)
    beyond = wanted - np.clip(wanted, 0.0, len(motion) - 1.0)
    return np.interp(wanted, np.arange(len(motion)), motion.times) + beyond / motion.rate


def window_frames(motion: Motion, windows: Iterable[Any]) -> Array:
    """(N, C) frames of windows as they are given, checked: increasing, inside the motion, apart.

    Raises:
        EmptyWindowError: There is no window, or one holds no motion.
        OverlappingWindowsError: Two windows share frames.
    """
    rows = np.array([tuple(window) for window in windows], dtype=np.float64)
    if not len(rows):
        raise EmptyWindowError("No window is chosen; enable one, or drag across the strip to make one")
    last = len(motion) - 1.0
    # Comparisons that hold for good rows only refuse NaN too.
    good = (np.diff(rows) > 0.0).all(axis=1) & (rows[:, 0] >= -_ROUNDING) & (rows[:, -1] <= last + _ROUNDING)
    if not good.all():
        row = rows[np.argmin(good)].tolist()
        named = " to ".join(["{}"] * len(row))
        raise EmptyWindowError(
            f"Frames {named} must increase and lie within {{}} to {{}}; choose another window", *row, 0.0, last
        )
    refuse_overlaps(rows)
    return np.clip(rows, 0.0, last)


def refuse_overlaps(rows: Array) -> None:
    """Refuse windows (N, C), in any order, that share more than an end.

    Raises:
        OverlappingWindowsError: Two windows share frames.
    """
    ranked = rows[np.argsort(rows[:, 0], kind="stable")]
    shared = ranked[1:, 0] < ranked[:-1, -1] - _ROUNDING
    if shared.any():
        place = int(np.argmax(shared))
        (start, end), (other_start, other_end) = ranked[place, [0, -1]], ranked[place + 1, [0, -1]]
        raise OverlappingWindowsError(
            "Frames {} to {} overlap frames {} to {}; disable one of the two", other_start, other_end, start, end
        )


def composite_map(motion: Motion, curves: Sequence[PiecewiseCubic]) -> TimeMap:
    """The timing in which each curve retimes its own old times and all others are shifted only.

    Where nothing was shifted, times come back bit for bit.

    Args:
        curves: Old over new seconds of each window, in any order, at least one, written as if it were
            the only one: it starts at the new time that is its old time. Only the first may start
            elsewhere; then all before it is shifted with it.
    """
    ranked = sorted(curves, key=lambda curve: float(curve.values[0]))
    ends = [float(curve.values[0]) for curve in ranked[1:]] + [float(motion.times[-1])]
    head = float(ranked[0].knots[0] - ranked[0].values[0])
    parts, shift = [_shifted(float(motion.times[0]), float(ranked[0].values[0]), head)], 0.0
    for curve, end in zip(ranked, ends, strict=True):
        parts.append(_pieces(curve, shift))
        shift += float(curve.knots[-1] - curve.values[-1])
        parts.append(_shifted(float(curve.values[-1]), end, shift))
    pieces = np.concatenate(parts)
    pieces = pieces[pieces[:, 4] - pieces[:, 1] > _ROUNDING].T
    return TimeMap(from_pieces((pieces[0], pieces[1], pieces[2]), (pieces[3], pieces[4], pieces[5])), Ends.EXTEND)


def _pieces(curve: PiecewiseCubic, shift: float) -> Array:
    """(N, 6) new time, old time and speed at the start and at the end of every piece."""
    starts = [curve.knots[:-1] + shift, curve.values[:-1], curve.slopes[:, 0]]
    return np.stack([*starts, curve.knots[1:] + shift, curve.values[1:], curve.slopes[:, 1]], axis=-1)


def _shifted(start: float, end: float, shift: float) -> Array:
    """(1, 6) the old times from start to end, only shown later."""
    return np.array([[start + shift, start, 1.0, end + shift, end, 1.0]])


def smooth_curve(new: Array, old: Array) -> PiecewiseCubic:
    """A monotone curve through pairs of increasing times that is left and entered at speed 1.

    Where a window starts or ends more than three times as slow as before, speed is cut down there
    so that time does not run backward.
    """
    slopes = knot_slopes(new, old, monotone=True)
    steepness = np.diff(old) / np.diff(new)
    slopes[0], slopes[-1] = np.minimum(1.0, _STEEPEST * steepness[[0, -1]])
    return PiecewiseCubic(new, old, np.stack([slopes[:-1], slopes[1:]], axis=-1))

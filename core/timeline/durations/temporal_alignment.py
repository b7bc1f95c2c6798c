"""Windows that take over timing and duration of another part (pose timeline paper, 5.2).

Which frames belong together comes from slope-limited dynamic time warping: the match web has found it
beforehand for parts of one motion, at few frames a second, and it is found closer here; for a reference
elsewhere it is found here alone.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...analysis import UnalignableError, align, low_passed
from ...editing import PropagationWindow
from ...motion import Motion, TimeMap
from ...numerics import Array, PiecewiseCubic
from .composite_timing import composite_map, refuse_overlaps, seconds_at, smooth_curve, window_frames

# Places of a window at which its correspondence is read, and knots of the timing made from it.
_READ, _KNOTS = 65, 17
# Alignment goes by whole frames, in steps of half, full and double speed; averaged over this share of a
# window on each side they become a steady speed. Averages of what increases increase.
_SMOOTHED = 0.1
# Moments a second, at least, at which windows are compared: at 30 a second steps of people hardly differ.
_RATE = 120.0


def align_map(
    motion: Motion,
    operation: tuple[float, float],
    windows: Iterable[PropagationWindow],
    *,
    features: Any = None,
    amount: float = 1.0,
) -> TimeMap:
    """Give every window the timing and duration of the operation window; all else is only shifted.

    A window that was cut takes those of the part that it belongs to. Speed outside the windows is 1
    and changes without corners.

    Args:
        operation: First and last frame of the operation window, which keeps its own timing.
        windows: With their correspondence to the operation window.
        features: (F, D) of the motion's frames, to find that correspondence closer; as it is if not given.
        amount: How far, from 0, which keeps all as it is, to 1.

    Raises:
        EmptyWindowError: There is no window, or one holds no motion.
        OverlappingWindowsError: Two windows, or a window and the operation window, share frames.
    """
    chosen = list(windows)
    frames = window_frames(motion, [(window.start, window.end) for window in chosen])
    refuse_overlaps(np.vstack([frames, operation]))
    own = np.linspace(frames[:, 0], frames[:, 1], _READ, axis=-1)
    wanted = [window.operation_at(row) for window, row in zip(chosen, own, strict=True)]
    both = [(seconds_at(motion, row), seconds_at(motion, each)) for row, each in zip(own, wanted, strict=True)]
    if features is not None:
        both = [_closer(motion, features, *times) for times in both]
    return composite_map(motion, [_aligned_curve(*times, amount=amount) for times in both])


def _closer(motion: Motion, features: Any, own: Array, wanted: Array) -> tuple[Array, Array]:
    """Seconds of a window and of the operation window that belong together, found between the ends of these."""
    rate = max(motion.rate, _RATE)
    one, other = (_sampled_between(motion, features, times[[0, -1]], rate) for times in (wanted, own))
    try:
        path = align(one[1], other[1]).path
    except UnalignableError:  # one of them stands still for long, and the match web knew where
        return own, wanted
    return other[0][path[:, 1]], one[0][path[:, 0]]


def align_to_reference(
    motion: Motion,
    windows: Iterable[tuple[float, float]],
    reference_motion: Motion,
    reference_window: tuple[float, float],
    *,
    features: tuple[Any, Any],
    slope_limit: int = 2,
    amount: float = 1.0,
) -> TimeMap:
    """Give every window the timing and duration of a part of any motion; all else is only shifted.

    Args:
        windows: First and last frames, with fractions, in any order.
        reference_motion: The same motion or another one, at any rate.
        reference_window: First and last frame of the part that is followed.
        features: (F, D) of the motion's frames and (G, D) of the reference's, as `shared_features`
            gives them: what is to happen at the same moments.
        slope_limit: How many times as fast as the reference a window may run, and the reverse.
        amount: How far, from 0, which keeps all as it is, to 1.

    Raises:
        EmptyWindowError: There is no window, or one holds no motion.
        OverlappingWindowsError: Two windows share frames.
        UnalignableError: A window is too long or too short for the reference.
    """
    frames = window_frames(motion, windows)
    step = motion.rate
    reference = _sampled(reference_motion, features[1], window_frames(reference_motion, [reference_window])[0], step)
    curves = []
    for row in frames:
        own_times, own = _sampled(motion, features[0], row, step)
        path = align(reference[1], own, slope_limit=slope_limit).path
        curves.append(_aligned_curve(own_times[path[:, 1]], reference[0][path[:, 0]], amount=amount))
    return composite_map(motion, curves)


def _sampled(motion: Motion, features: Any, frames: Array, rate: float) -> tuple[Array, Array]:
    """Seconds (N,) and features (N, D) of a window at the given number of samples a second."""
    return _sampled_between(motion, features, seconds_at(motion, frames), rate)


def _sampled_between(motion: Motion, features: Any, ends: Array, rate: float) -> tuple[Array, Array]:
    start, end = ends
    count = max(2, round((end - start) * rate) + 1)
    times = np.linspace(start, end, count)
    return times, low_passed(motion.times, features, times, radius=0.0)


def _aligned_curve(own: Array, wanted: Array, *, amount: float) -> PiecewiseCubic:
    """The timing of a window whose seconds `own` (N,) come when `wanted` (N,) do in the reference."""
    if not 0.0 <= amount <= 1.0:
        raise ValueError("amount must be from 0 to 1")
    length = own[-1] - own[0]
    places = np.linspace(own[0], own[-1], _KNOTS)
    steady = low_passed(own, wanted, places, radius=_SMOOTHED * float(length))
    new = places + amount * ((steady - steady[0]) - (places - places[0]))
    if not (np.diff(new) > 0.0).all():
        raise ValueError("The correspondence of a window must increase")
    return smooth_curve(new, places)

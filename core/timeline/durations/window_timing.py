"""Longer, shorter, earlier, later: new durations of windows and new moments of poses in them.

The time-warp of a window is a cubic B-spline (pose timeline paper, 5.1 and Figure 4b): it is entered and
left at the speed of the original, 1, and in between its speed rises or falls to an even one. Speed
has no corners; being quadratic between knots, its integral is cubic there and kept without error.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...errors import MotionEditError
from ...motion import Motion, TimeMap
from ...numerics import Array, PiecewiseCubic, from_pieces
from .composite_timing import composite_map, seconds_at, window_frames

# Factors by which a duration can be changed.
LEAST_FACTOR, MOST_FACTOR = 0.01, 100.0
# Share of its duration that the part after a moved pose keeps at least.
LEAST_REST = 0.1
# Speed over the mean speed of its part that is rounding and no change.
_ROUNDING = 1e-12


class ImpossibleFactorError(MotionEditError):
    """A duration cannot be changed by this factor."""


def stretch_map(motion: Motion, windows: Iterable[tuple[float, float]], factor: Any, *, ease: float = 0.25) -> TimeMap:
    """Multiply the duration of every window; all else is only shifted.

    The even speed in the middle is 1 + (1 / factor - 1) / (1 - ease). A factor above 2.5 with the usual
    ease, in general above (1 + 1 / ease) / 2, has its ease cut down to 1 / (2 factor - 1), so that
    time passes at least half as fast as on average and never stands still.

    Args:
        windows: First and last frames, with fractions, in any order; they may touch but not overlap.
        factor: New duration over old, 0.01 to 100: one for all windows or one for each.
        ease: Share of the window's new duration, 0 to 0.5, over which speed changes at each end;
            at 0 it jumps.

    Raises:
        EmptyWindowError: There is no window, or one holds no motion.
        OverlappingWindowsError: Two windows share frames.
        ImpossibleFactorError: The factor is not between 0.01 and 100.
    """
    seconds = seconds_at(motion, window_frames(motion, windows))
    factors = np.broadcast_to(_checked(factor), len(seconds))
    lengths = (seconds[:, 1] - seconds[:, 0]) * factors
    new = np.stack([seconds[:, 0], np.where(factors == 1.0, seconds[:, 1], seconds[:, 0] + lengths)], axis=-1)
    return composite_map(motion, [eased_curve(*both, ease=ease) for both in zip(new, seconds, strict=True)])


def move_pose_map(
    motion: Motion, windows: Iterable[tuple[float, float, float]], factor: Any, *, ease: float = 0.25
) -> TimeMap:
    """Show one pose of every window earlier or later; each window keeps its place and duration.

    The part before the pose is scaled by the factor and the part after it takes what is left, but
    never less than a tenth of its own duration: in windows where it would, the pose stops there.

    Args:
        windows: First frame, frame of the pose and last frame, with fractions, in any order.
        factor: New duration over old of the part before the pose, 0.01 to 100: below 1 the pose comes
            earlier. One for all windows or one for each.
        ease: Share of each part's new duration, 0 to 0.5, over which speed changes at its ends.

    Raises:
        EmptyWindowError: There is no window, or a pose does not lie inside its window.
        OverlappingWindowsError: Two windows share frames.
        ImpossibleFactorError: The factor is not between 0.01 and 100.
    """
    seconds = seconds_at(motion, window_frames(motion, windows))
    before, after = np.diff(seconds).T
    most = 1.0 + (1.0 - LEAST_REST) * after / before
    lengths = np.minimum(np.broadcast_to(_checked(factor), len(seconds)), most) * before
    new = np.stack([seconds[:, 0], seconds[:, 0] + lengths, seconds[:, 2]], axis=-1)
    return composite_map(motion, [eased_curve(*both, ease=ease) for both in zip(new, seconds, strict=True)])


def _checked(factor: Any) -> Array:
    factors = np.asarray(factor, dtype=np.float64)
    # Limits that come back from single precision are still the limits.
    possible = (factors >= LEAST_FACTOR * (1.0 - 1e-6)) & (factors <= MOST_FACTOR * (1.0 + 1e-6))
    if not possible.all():
        raise ImpossibleFactorError(
            f"A duration cannot become {factors[~possible].flat[0]:g} times as long; "
            f"choose a factor from {LEAST_FACTOR:g} to {MOST_FACTOR:g}"
        )
    return factors


def eased_curve(new: Array, old: Array, *, ease: float) -> PiecewiseCubic:
    """The time-warp that takes each stretch between old times to that between new times.

    Args:
        new: (N,) increasing new seconds at which the old ones are shown exactly, at speed 1.
        old: (N,) increasing old seconds.
        ease: Share of each new stretch over which speed changes at both of its ends.
    """
    if not 0.0 <= ease <= 0.5:
        raise ValueError("ease must be from 0 to 0.5")
    length, speed = np.diff(new), np.diff(old) / np.diff(new)
    share = _possible_ease(speed, ease)
    places, ways, shape = _profile(share)
    change = (speed - 1.0) / (1.0 - share)
    change[np.abs(speed - 1.0) <= _ROUNDING] = 0.0
    knots = new[:-1, None] + length[:, None] * places
    values = old[:-1, None] + length[:, None] * (places + change[:, None] * ways)
    knots[:, -1], values[:, -1] = new[1:], old[1:]
    return _joined(knots, values, 1.0 + change[:, None] * shape)


def _possible_ease(speed: Array, ease: float) -> Array:
    """(N,) ease that leaves at least half of the mean speed in the middle of slowed stretches."""
    most = np.where(speed < 1.0, 1.0 / (2.0 / np.minimum(speed, 1.0) - 1.0), 1.0)
    most[np.abs(speed - 1.0) <= _ROUNDING] = 0.0
    # Rounded, two knots are either the same or clearly apart.
    return np.asarray(np.round(np.minimum(ease, most), 6), dtype=np.float64)


def _profile(share: Array) -> tuple[Array, Array, Array]:
    """Knots of the change of speed in stretches of length 1, (N, 6) each but the last (6,).

    A quadratic B-spline rises from 0 to 1 over the ease, stays and falls: where its knots lie, its
    integral up to there, and its height.
    """
    none, whole = np.zeros_like(share), np.ones_like(share)
    places = [none, share / 2, share, whole - share, whole - share / 2, whole]
    ways = [none, share / 12, share / 2, whole - 1.5 * share, whole - share * (13 / 12), whole - share]
    return np.stack(places, axis=-1), np.stack(ways, axis=-1), np.array([0.0, 0.5, 1.0, 1.0, 0.5, 0.0])


def _joined(knots: Array, values: Array, speeds: Array) -> PiecewiseCubic:
    """A curve of stretches (N, 6), each a row of knots; knots that fall together are one."""
    apart = knots[:, 1:] > knots[:, :-1]
    starts = (knots[:, :-1][apart], values[:, :-1][apart], speeds[:, :-1][apart])
    ends = (knots[:, 1:][apart], values[:, 1:][apart], speeds[:, 1:][apart])
    return from_pieces(starts, ends)

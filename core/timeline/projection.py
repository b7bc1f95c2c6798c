"""From which side every pose is drawn on the pose timeline (pose timeline paper, 3.1).

Icons stand upright; only the angle about the up axis is chosen. Either the joints spread as widely
as possible across the picture, which makes them easy to pick, or the motion goes across the picture,
which shows where it leads.
"""

from enum import Enum
from typing import Any

import numpy as np

from ..analysis import screen_axes
from ..errors import NotFiniteError
from ..numerics import Array

# Share of the clearest direction below which a frame has none of its own.
_VAGUE = 1e-9


class ViewBy(Enum):
    """What the angle of view brings out."""

    SPREAD = "spread"
    VELOCITY = "velocity"


def view_angles(
    positions: Any,
    times: Any,
    up: Any,
    *,
    by: ViewBy = ViewBy.SPREAD,
    smoothing: float = 0.5,
    forward: Any = None,
) -> Array:
    """(F,) angles for `pose_picture.view.screen_axes`, in degrees, without jumps along time.

    Args:
        positions: (F, J, 3) joints and ends to be drawn.
        times: (F,) seconds.
        up: (3,) direction away from the ground.
        by: Widest spread of the joints, or most motion across the picture.
        smoothing: Seconds over which directions are averaged. Raise it if neighbouring icons are
            seen from too different sides; 0 takes every frame for itself.
        forward: (F, 3) where the body faces: more often towards the viewer. If not given, the whole
            motion leads to the right.

    Raises:
        NotFiniteError: A position is NaN or infinite.
    """
    points, seconds = np.asarray(positions, dtype=np.float64), np.asarray(times, dtype=np.float64)
    if not np.isfinite(points).all():
        raise NotFiniteError("A bone's place is NaN or infinite; repair the motion's curves first")
    right, _, towards = screen_axes(0.0, up)
    flat = points @ np.stack([right, -towards], axis=1)
    spread = flat - flat.mean(axis=1, keepdims=True) if by is ViewBy.SPREAD else _velocities(flat, seconds)
    # Twice the angle, so that a direction and its opposite are the same; as long as it is clear.
    doubled = (spread[..., 0] + 1j * spread[..., 1]) ** 2
    angles = 0.5 * np.unwrap(np.angle(_filled(_averaged(doubled.sum(axis=1), seconds, smoothing))))
    turned: Array = np.degrees(angles + _half_turn(angles, flat, forward, right, towards))
    return turned


def _velocities(flat: Array, seconds: Array) -> Array:
    if len(seconds) < 2:
        return np.zeros_like(flat)
    velocities: Array = np.gradient(flat, seconds, axis=0)
    return velocities


def _averaged(values: Any, seconds: Array, width: float) -> Any:
    """Means over a time around every frame, fewer frames at the ends."""
    first = np.searchsorted(seconds, seconds - 0.5 * width - 1e-9)
    last = np.searchsorted(seconds, seconds + 0.5 * width + 1e-9, side="right")
    sums = np.concatenate([[0.0], np.cumsum(values)])
    return (sums[last] - sums[first]) / (last - first)


def _filled(directions: Any) -> Any:
    """Frames without a direction take that of the nearest frame that has one."""
    size = np.abs(directions)
    clear = np.flatnonzero(size > _VAGUE * size.max(initial=0.0))
    if not len(clear):
        return np.ones_like(directions)
    after = np.minimum(np.searchsorted(clear, np.arange(len(directions))), len(clear) - 1)
    before = np.maximum(after - 1, 0)
    frames = np.arange(len(directions))
    nearer = np.abs(clear[before] - frames) < np.abs(clear[after] - frames)
    return directions[np.where(nearer, clear[before], clear[after])]


def _half_turn(angles: Array, flat: Array, forward: Any, right: Array, towards: Array) -> float:
    """Radians, nothing or half a turn, that bring the front, or the way forward, to its side."""
    cosine, sine = np.cos(angles), np.sin(angles)
    if forward is not None:
        facing = np.asarray(forward, dtype=np.float64)
        # The viewer stands at a right angle to the right of the picture.
        good = float((cosine * (facing @ towards) + sine * (facing @ right)).sum())
    else:
        travel = np.diff(flat.mean(axis=1), axis=0, append=flat[-1:].mean(axis=1))
        good = float((cosine * travel[:, 0] + sine * travel[:, 1]).sum())
    if abs(good) <= _VAGUE:
        good = float(cosine.sum())
    return np.pi if good < 0.0 else 0.0

"""Smooth curves through keys, and smooth steps from 0 to 1."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..numerics import Array


@dataclass(frozen=True)
class Key:
    """Value of a curve at a time in seconds; slope and bend are found where they are not given."""

    time: float
    value: float
    slope: float | None = None
    bend: float | None = None


class Curve:
    """Quintic pieces through keys: position, velocity and acceleration are continuous.

    Found slopes keep the curve between its keys, as Blender's clamped handles do: extremes
    stay where they were keyed. Before the first and after the last key the value is held.
    """

    def __init__(self, keys: list[Key]) -> None:
        ordered = sorted(keys, key=lambda key: key.time)
        self.times = np.array([key.time for key in ordered])
        self.values = np.array([key.value for key in ordered])
        if len(ordered) > 1 and not (np.diff(self.times) > 0.0).all():
            raise ValueError("A curve needs keys at different times")
        slopes, bends = _found_slopes(self.times, self.values), np.zeros(len(ordered))
        for number, key in enumerate(ordered):
            slopes[number] = slopes[number] if key.slope is None else key.slope
        if len(ordered) > 1:
            bends = _found_bends(self.times, self.values, slopes)
        for number, key in enumerate(ordered):
            bends[number] = bends[number] if key.bend is None else key.bend
        self.slopes, self.bends = slopes, bends

    def at(self, times: Any) -> Array:
        """Values at any times."""
        times = np.asarray(times, dtype=np.float64)
        if len(self.times) == 1:
            return np.full(times.shape, self.values[0])
        held = np.clip(times, self.times[0], self.times[-1])
        before = np.clip(np.searchsorted(self.times, held, side="right") - 1, 0, len(self.times) - 2)
        after = before + 1
        span = self.times[after] - self.times[before]
        u = (held - self.times[before]) / span
        return _quintic(
            u,
            (self.values[before], self.slopes[before] * span, self.bends[before] * span**2),
            (self.values[after], self.slopes[after] * span, self.bends[after] * span**2),
        )


def _quintic(u: Array, start: tuple[Array, ...], end: tuple[Array, ...]) -> Array:
    """Polynomial on 0 to 1 with given value, slope and bend at both ends."""
    p0, v0, a0 = start
    p1, v1, a1 = end
    step = p1 - p0 - v0 - 0.5 * a0
    turn = v1 - v0 - a0
    curl = a1 - a0
    cubic = 10.0 * step - 4.0 * turn + 0.5 * curl
    quartic = -15.0 * step + 7.0 * turn - curl
    fifth = 6.0 * step - 3.0 * turn + 0.5 * curl
    value: Array = p0 + u * (v0 + u * (0.5 * a0 + u * (cubic + u * (quartic + u * fifth))))
    return value


def _found_slopes(times: Array, values: Array) -> Array:
    """Zero at extremes and ends, elsewhere the weighted harmonic mean of both sides."""
    slopes = np.zeros(len(times))
    if len(times) < 3:
        return slopes
    span = np.diff(times)
    rise = np.diff(values) / span
    same = rise[1:] * rise[:-1] > 0.0
    weight = (span[:-1] + 2.0 * span[1:]) / (3.0 * (span[:-1] + span[1:]))
    divisor = weight * rise[1:] + (1.0 - weight) * rise[:-1]
    slopes[1:-1] = np.where(same, rise[1:] * rise[:-1] / np.where(same, divisor, 1.0), 0.0)
    return slopes


def _found_bends(times: Array, values: Array, slopes: Array) -> Array:
    """The gentler of the bends that cubic pieces have on both sides, zero where they differ in sign.

    A stronger one would make the gentler side overshoot its keys.
    """
    span = np.diff(times)
    rise = np.diff(values) / span
    leaving = (6.0 * rise - 4.0 * slopes[:-1] - 2.0 * slopes[1:]) / span
    arriving = (-6.0 * rise + 2.0 * slopes[:-1] + 4.0 * slopes[1:]) / span
    bends = np.zeros(len(times))
    before, after = arriving[:-1], leaving[1:]
    gentler = np.where(np.abs(before) < np.abs(after), before, after)
    bends[1:-1] = np.where(before * after > 0.0, gentler, 0.0)
    return bends


def ease(times: Any, start: float, end: float) -> Array:
    """From 0 at start to 1 at end, at rest with zero acceleration at both."""
    u = np.clip((np.asarray(times, dtype=np.float64) - start) / (end - start), 0.0, 1.0)
    eased: Array = u**3 * (10.0 + u * (6.0 * u - 15.0))
    return eased


def glide(times: Any, start: float, end: float, *, ramp: float = 0.4) -> Array:
    """Like ease, but with an even speed between a soft start and a soft end.

    Args:
        times: Seconds.
        start: Where it begins to move.
        end: Where it stands still again.
        ramp: Part of the duration for getting up to speed, 0 to 0.5; longer is softer and
            has a higher speed in the middle.
    """
    u = np.clip((np.asarray(times, dtype=np.float64) - start) / (end - start), 0.0, 1.0)
    mirrored = np.minimum(u, 1.0 - u)
    slow = 0.5 * mirrored - ramp / (2.0 * np.pi) * np.sin(np.pi * mirrored / ramp)
    covered = np.where(mirrored < ramp, slow, mirrored - 0.5 * ramp) / (1.0 - ramp)
    share: Array = np.where(u > 0.5, 1.0 - covered, covered)
    return share

"""Which lengths and keytimes a speed limit allows."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..errors import MotionEditError, TimeOrderError
from ..numerics import Array
from .guides.guide import Guide

# Old time and the new time at which it is to be seen, in seconds.
Keytime = tuple[float, float]
# Seconds by which rounding may move a keytime.
_ROUNDING = 1e-6


class ImpossibleTimingError(MotionEditError):
    """A length or keytime that the speed limit does not allow; the message says what is possible."""


def checked_keytimes(
    guide: Guide, keytimes: Sequence[Keytime], speed_limit: float, *, last_is_free: bool
) -> tuple[Array, Array]:
    """Old and new times (K,) of keytimes that can be met.

    Raises:
        TimeOrderError: New times do not increase or old times turn round.
        ImpossibleTimingError: A keytime lies outside the motion or asks for too much speed.
    """
    if len(keytimes) < 2:
        raise ValueError("A warp needs a keytime at both ends")
    old, new = np.array(keytimes, dtype=np.float64).T
    if last_is_free:
        new[-1] = new[-2] + abs(old[-1] - old[-2])
    _refuse_disorder(old, new)
    _refuse_outside(guide.times, old)
    for (start, end), (new_start, new_end) in zip(pairwise(old), pairwise(new), strict=True):
        _refuse_speed(guide.rate, (start, end), new_end - new_start, speed_limit)
    return np.clip(old, guide.times[0], guide.times[-1]), new


def _range(length: float, speed_limit: float) -> tuple[float, float]:
    return length / speed_limit, length * speed_limit


def _refuse_disorder(old: Array, new: Array) -> None:
    if (np.diff(new) <= 0.0).any():
        place = int(np.argmax(np.diff(new) <= 0.0))
        raise TimeOrderError(
            f"The keytime at {new[place + 1]:.4g} s must lie after the one at {new[place]:.4g} s; move one of the two"
        )
    turns = np.diff(old) * np.sign(old[-1] - old[0])
    if (turns <= 0.0).any():
        place = int(np.argmax(turns <= 0.0))
        raise TimeOrderError(
            f"Old time {old[place + 1]:.4g} s follows {old[place]:.4g} s: time would stand still or turn round; "
            "put the keytimes in order"
        )


def _refuse_outside(times: Array, old: Array) -> None:
    start, end = float(times[0]), float(times[-1])
    outside = (old < start - _ROUNDING) | (old > end + _ROUNDING)
    if outside.any():
        raise ImpossibleTimingError(
            f"The motion lasts from {start:.4g} s to {end:.4g} s, a keytime shows {old[outside][0]:.4g} s of it; "
            "move it into the motion"
        )


def _refuse_speed(rate: float, part: tuple[float, float], new_length: float, speed_limit: float) -> None:
    shortest, longest = _range(abs(part[1] - part[0]), speed_limit)
    if shortest - _ROUNDING <= new_length <= longest + _ROUNDING:
        return
    frames = int(np.ceil(shortest * rate - 1e-3)), int(np.floor(longest * rate + 1e-3))
    raise ImpossibleTimingError(
        f"The part from {part[0]:.4g} s to {part[1]:.4g} s cannot last {new_length:.4g} s: at a speed limit of "
        f"{speed_limit:.4g} it can last {shortest:.4g} s to {longest:.4g} s ({frames[0]} to {frames[1]} frames); "
        "move the keytime or raise the limit"
    )

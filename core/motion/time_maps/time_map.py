"""Timing as a value of its own: which old time is shown at every new time.

Retiming, guided warps, alignment and loops all make a `TimeMap`; it can then be combined with
others and applied to any motion or to bare keys (motion editing chapter, 1.6.2).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import NotInvertibleError, TimeOrderError
from ...numerics import Array, PiecewiseCubic
from ..motion import Motion
from . import resampling, time_map_algebra
from .time_map_algebra import Ends as Ends

# Seconds by which a key may lie outside a map because of rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class TimeMap:
    """A map from new time to old time, in seconds.

    Attributes:
        curve: Old time over new time. Two knots at one new time are a cut.
        ends: What happens outside the knots.
    """

    curve: PiecewiseCubic
    ends: Ends = Ends.HOLD

    @classmethod
    def identity(cls, start: float, end: float, *, ends: Ends = Ends.EXTEND) -> "TimeMap":
        """Leave time as it is."""
        return cls.from_samples([start, end], [start, end], ends=ends)

    @classmethod
    def shift(cls, offset: float, *, start: float = 0.0, end: float = 1.0, ends: Ends = Ends.EXTEND) -> "TimeMap":
        """Show everything `offset` seconds later.

        Args:
            offset: Seconds; below zero shows everything earlier.
            start: First old time that moves; together with `end` it matters unless time extends.
            end: Last old time.
            ends: What is seen before and after: the first and last pose held, more of the motion,
                or the motion once more.
        """
        return cls.from_samples([start + offset, end + offset], [start, end], ends=ends)

    @classmethod
    def scale(cls, factor: float, pivot: float = 0.0) -> "TimeMap":
        """Play `factor` times as fast (2 takes half as long); the time `pivot` stays where it is."""
        if not factor > 0.0:
            raise ValueError("factor must be above zero; use reverse to play backward")
        return cls.from_samples([pivot, pivot + 1.0], [pivot, pivot + factor], ends=Ends.EXTEND)

    @classmethod
    def reverse(cls, start: float, end: float, *, ends: Ends = Ends.EXTEND) -> "TimeMap":
        """Play the range backward in its place."""
        return cls.from_samples([start, end], [end, start], ends=ends)

    @classmethod
    def through(
        cls,
        new_times: Any,
        old_times: Any,
        *,
        smooth: bool = True,
        monotone: bool = True,
        ends: Ends = Ends.HOLD,
    ) -> "TimeMap":
        """Show each old time at its new time.

        Args:
            new_times: (K,) increasing, two or more.
            old_times: (K,) the times that are to be seen there.
            smooth: Without sudden changes of speed; otherwise the speed is constant in between.
            monotone: Never run against the direction of the correspondences, which must then
                not turn round. Switch off only where overshooting in time is wanted.
            ends: What happens outside the correspondences.
        """
        new, old = np.asarray(new_times, dtype=np.float64), np.asarray(old_times, dtype=np.float64)
        _refuse_disorder(new, old, monotone)
        if smooth:
            return cls(PiecewiseCubic.smooth(new, old, monotone=monotone), ends)
        return cls(PiecewiseCubic.straight(new, old), ends)

    @classmethod
    def from_samples(cls, new_times: Any, old_times: Any, *, ends: Ends = Ends.HOLD) -> "TimeMap":
        """Straight lines between pairs of times, for example one pair for every frame."""
        return cls.through(new_times, old_times, smooth=False, monotone=False, ends=ends)

    @property
    def new_times(self) -> Array:
        """(K,) new times of the knots."""
        return self.curve.knots

    @property
    def old_times(self) -> Array:
        """(K,) old times of the knots."""
        return self.curve.values

    @cached_property
    def direction(self) -> int:
        """1 where old time never falls, -1 where it never rises, 0 where it does both."""
        steps = np.diff(self.old_times)
        if self.ends is Ends.CYCLE or len(self.curve.turning_points()):
            return 0
        return 1 if (steps >= 0.0).all() else -1 if (steps <= 0.0).all() else 0

    def __call__(self, times: Any) -> Array:
        """Old time at new times of any shape; at a knot its old time bit for bit."""
        times = np.asarray(times, dtype=np.float64)
        return self.curve.value(self._inside(times)) + self._extension(times)

    def speed(self, times: Any) -> Array:
        """Seconds of old time that pass in a second of new time."""
        times = np.asarray(times, dtype=np.float64)
        speed = self.curve.slope(self._inside(times))
        if self.ends is Ends.HOLD:
            speed = np.where((times < self.new_times[0]) | (times > self.new_times[-1]), 0.0, speed)
        return speed

    def _inside(self, times: Array) -> Array:
        """The time within the knots whose old time, or that plus an extension, is shown."""
        start, end = self.new_times[0], self.new_times[-1]
        if self.ends is Ends.CYCLE:
            # Remainders round; times of the first round are passed on as they are.
            wrapped = np.minimum(start + np.mod(times - start, end - start), np.nextafter(end, start))
            return np.where((times >= start) & (times < end), times, wrapped)
        return np.clip(times, start, end)

    def _extension(self, times: Array) -> Array:
        if self.ends is not Ends.EXTEND:
            return np.zeros_like(times)
        before, after = np.minimum(times - self.new_times[0], 0.0), np.maximum(times - self.new_times[-1], 0.0)
        extension: Array = before * self.curve.slopes[0, 0] + after * self.curve.slopes[-1, 1]
        return extension

    def unrolled(self, start: float, end: float) -> "TimeMap":
        """The same map whose knots reach at least from start to end: its ends spelled out."""
        return time_map_algebra.unrolled(self, start, end)

    def compose(self, inner: "TimeMap") -> "TimeMap":
        """The map that shows `self(inner(time))`: first the inner edit is seen, then this one.

        Exact where either map is straight, elsewhere within a ten-millionth of a second.

        Raises:
            MotionEditError: An endless cycle would have to be warped; hold the inner map's ends.
        """
        return time_map_algebra.compose(self, inner)

    def inverse(self) -> "TimeMap":
        """The map from old to new time, exact or within a ten-millionth of a second.

        Raises:
            NotInvertibleError: Time stands still, turns round, is cut or repeats.
        """
        return time_map_algebra.inverse(self)

    def blend(self, other: "TimeMap", weight: float) -> "TimeMap":
        """This map at weight 0, the other at 1, the weighted mean of their old times between."""
        return time_map_algebra.blend(self, other, weight)

    def weakened(self, weight: float, start: float, end: float, *, step: float) -> "TimeMap":
        """The present timing at weight 0, this one at 1: each moment is seen on the way between its two times.

        Args:
            weight: From 0 to 1.
            start: First old time that has to be seen.
            end: Last one.
            step: Old time between two that are met exactly; knots are, too.

        Raises:
            NotInvertibleError: Time stands still, turns round, is cut or repeats.
        """
        return time_map_algebra.weakened(self, weight, start, end, step)

    def map_key_times(self, old_key_times: Any) -> Array:
        """New times of keys: each key moves to where its old time is shown.

        Raises:
            NotInvertibleError: The map has no inverse, or holds its end before it shows a key.
        """
        old = np.asarray(old_key_times, dtype=np.float64)
        time_map_algebra.refuse_not_invertible(self)
        low, high = sorted((self.old_times[0], self.old_times[-1]))
        outside = (old < low - _ROUNDING) | (old > high + _ROUNDING)
        if self.ends is Ends.HOLD and outside.any():
            raise NotInvertibleError(
                f"The key at {old[outside].flat[0]:.4g} s is never shown: the new timing covers "
                f"{low:.4g} s to {high:.4g} s; limit the edit to these keys or extend the timing"
            )
        return time_map_algebra.solve(self, old)

    def one_way_parts(self) -> "list[TimeMap]":
        """The map itself, or the parts between the times at which it turns round or is cut."""
        return time_map_algebra.one_way_parts(self)

    def first_seen(self, old_times: Any) -> Array:
        """New times at which old times of any shape are first seen between the knots; NaN for those that are not."""
        old = np.asarray(old_times, dtype=np.float64)
        new = np.full(old.shape, np.nan)
        for part in self.one_way_parts():
            low, high = sorted((part.old_times[0], part.old_times[-1]))
            unseen = np.isnan(new) & (old >= low - _ROUNDING) & (old <= high + _ROUNDING)
            new[unseen] = time_map_algebra.entered(part, old[unseen])
        return new

    def covering(self, old_start: float, old_end: float) -> tuple[float, float]:
        """New times between which the old range is seen, as far as the map shows it.

        A map that cycles or runs both ways has no such range; its own knots are given.
        """
        return time_map_algebra.covering(self, old_start, old_end)

    def apply(
        self, motion: Motion, new_times: Any = None, *, prefilter: bool = False, keep_accents: bool = False
    ) -> Motion:
        """Show the motion with this timing.

        Args:
            motion: Motion whose times are old times.
            new_times: (N,) times of the new frames. If not given, frames of the motion's own
                spacing over the new times in which the motion is seen whole.
            prefilter: Where time is compressed, average the poses that fall into a new frame.
                Without it vibrations quicker than the new frames show up as slower ones; with it
                quick accents get softer.
            keep_accents: The prefilter takes away what is as small as noise and nothing else.
        """
        new = resampling.new_frames(motion, self) if new_times is None else np.asarray(new_times, np.float64)
        sampled = motion.at(self(new))
        if prefilter:
            mean = resampling.averaged(motion, sampled, self.speed(new), new)
            sampled = resampling.without_noise(sampled, mean) if keep_accents else mean
        return resampling.with_times(sampled, new)


def _refuse_disorder(new: Array, old: Array, monotone: bool) -> None:
    if new.ndim != 1 or new.shape != old.shape or len(new) < 2:
        raise ValueError("A time map needs two or more new times and as many old times")
    if not (np.isfinite(new).all() and np.isfinite(old).all()):
        raise ValueError("Times must be finite")
    steps = np.diff(new)
    if (steps <= 0.0).any():
        place = int(np.argmax(steps <= 0.0))
        raise TimeOrderError(f"New time {new[place + 1]:.4g} s must lie after {new[place]:.4g} s; move one of the two")
    turns = np.diff(old)
    if monotone and (turns > 0.0).any() and (turns < 0.0).any():
        place = int(np.argmax(turns < 0.0))
        raise TimeOrderError(
            f"Old time {old[place + 1]:.4g} s follows {old[place]:.4g} s: time would run backward; "
            "put the correspondences in order"
        )

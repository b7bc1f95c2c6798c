"""Moments of a motion and when they shall happen: what an animator drags to retime it."""

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionEditError
from ..numerics import Array
from .spans import SpanKind, TimeSpan

# Speed of old time at every keytime; None leaves it to the warp.
Speeds = tuple[float | None, ...]
# Keytimes stay at least this many seconds apart.
_LEAST_GAP = 1e-3


class OutsideMotionError(MotionEditError):
    """A keytime would not lie between the ends of the motion.

    Attributes:
        ends: Seconds of the first and the last moment; what lies between them is allowed.
    """

    def __init__(self, time: float, ends: tuple[float, float]) -> None:
        """Tell the times in seconds; whoever knows frames may say it in frames."""
        super().__init__(
            f"A keytime goes between {ends[0]:.2f} s and {ends[1]:.2f} s of the motion, not to {time:.2f} s"
        )
        self.ends = ends


@dataclass(frozen=True, eq=False)
class Keytimes:
    """K moments, the first and the last being the ends of the motion.

    Attributes:
        old: (K,) seconds in the motion as it is, increasing.
        new: (K,) seconds at which they shall happen, increasing.
        locked: (K - 1,) the span to the next keytime keeps its length.
    """

    old: Array
    new: Array
    locked: NDArray[np.bool_]

    @classmethod
    def ends(cls, start: float, end: float) -> "Keytimes":
        """A motion whose timing is as it was.

        Raises:
            MotionEditError: It does not last any time.
        """
        if not end > start:
            raise MotionEditError("A single frame has no timing: the action needs keys at two frames or more")
        times = np.array([start, end])
        return cls(times, times.copy(), np.zeros(1, dtype=np.bool_))

    def __len__(self) -> int:
        return len(self.old)

    def __post_init__(self) -> None:
        if len(self.old) < 2 or (np.diff(self.old) <= 0.0).any() or (np.diff(self.new) <= 0.0).any():
            raise MotionEditError("Keytimes must follow each other in both the old and the new timing")

    def pairs(self) -> list[tuple[float, float]]:
        """(old, new) time of each."""
        return [(float(old), float(new)) for old, new in zip(self.old, self.new, strict=True)]

    def locked_spans(self) -> tuple[TimeSpan, ...]:
        """Spans that keep their length, for a guide."""
        return tuple(
            TimeSpan(float(self.old[span]), float(self.old[span + 1]), SpanKind.PROTECTED, "Locked")
            for span in np.flatnonzero(self.locked)
        )

    def at_new(self, time: float) -> float:
        """The old moment that is seen at a new time, straight between keytimes."""
        return float(np.interp(time, self.new, self.old))

    def add(self, new_time: float) -> "Keytimes":
        """Hold the moment that is seen at a new time where it is now.

        Raises:
            OutsideMotionError: It lies outside the motion, or on one of its ends.
            MotionEditError: It lies on another keytime.
        """
        if not self.new[0] + _LEAST_GAP < new_time < self.new[-1] - _LEAST_GAP:
            raise OutsideMotionError(new_time, (float(self.new[0]), float(self.new[-1])))
        if (np.abs(self.new - new_time) < _LEAST_GAP).any():
            raise MotionEditError("There is a keytime already")
        place = int(np.searchsorted(self.new, new_time))
        return Keytimes(
            np.insert(self.old, place, self.at_new(new_time)),
            np.insert(self.new, place, new_time),
            np.insert(self.locked, place, self.locked[place - 1]),
        )

    def _refuse_unknown(self, number: int, count: int) -> None:
        if not 0 <= number < count:
            raise MotionEditError(f"There are {count}, numbered from 0 on; {number} is none of them")

    def remove(self, number: int) -> "Keytimes":
        """Let a moment go; the ends stay."""
        self._refuse_unknown(number, len(self))
        if number in (0, len(self) - 1):
            raise MotionEditError("The ends of the motion stay; drag the last one to change its length")
        return Keytimes(np.delete(self.old, number), np.delete(self.new, number), np.delete(self.locked, number))

    def lock(self, span: int, locked: bool = True) -> "Keytimes":
        """Let the span after a keytime keep the length it had, or free it."""
        self._refuse_unknown(span, len(self.locked))
        flags = self.locked.copy()
        flags[span] = locked
        return replace(self, locked=flags).move(span, float(self.new[span]), ripple=True)

    def move(self, number: int, new_time: float, *, ripple: bool = False) -> "Keytimes":
        """Let a moment happen at another time.

        Args:
            number: Of the keytime; moving the first one moves the whole motion.
            new_time: In seconds; kept between its neighbours.
            ripple: Everything after it moves along, and the motion gets longer or shorter;
                otherwise the keytimes after it stay.
        """
        self._refuse_unknown(number, len(self))
        new = np.array(self.new)
        shift = new_time - new[number]
        if number > 0:
            shift = max(shift, new[number - 1] + _LEAST_GAP - new[number])
        if not ripple and 0 < number < len(new) - 1:
            shift = min(shift, new[number + 1] - _LEAST_GAP - new[number])
        if ripple or number == 0:
            new[number:] += shift
        else:
            new[number] += shift
        return replace(self, new=self._with_locks(new))

    def with_length(self, length: float) -> "Keytimes":
        """The same motion in so many seconds; interior keytimes and free spans share the change."""
        if not length > 0.0:
            raise MotionEditError("The length must be above zero")
        spans, free = np.diff(self.new), ~self.locked
        wanted = length - float(spans[self.locked].sum())
        if wanted <= _LEAST_GAP * free.sum() or not free.any():
            raise MotionEditError(f"The locked spans alone take {length - wanted:.2f} s")
        spans[free] *= wanted / spans[free].sum()
        return replace(self, new=self.new[0] + np.concatenate([[0.0], np.cumsum(spans)]))

    def fitted(self, start: float, end: float) -> "Keytimes":
        """The same keytimes for a motion that has other ends by now, in seconds.

        What it has got keeps its length; moments that are gone are let go.
        """
        if not end > start:
            return self
        inside = (self.old > start + _LEAST_GAP) & (self.old < end - _LEAST_GAP)
        inside[[0, -1]] = False
        kept = np.array([0, *np.flatnonzero(inside), len(self) - 1])
        ends = np.array([start, end])
        reached = np.clip(ends, self.old[0], self.old[-1])
        old, new = self.old[kept], self.new[kept]
        old[[0, -1]], new[[0, -1]] = ends, np.interp(reached, self.old, self.new) + ends - reached
        keeps_length = np.abs(np.diff(old) - np.diff(new)) < _LEAST_GAP
        return Keytimes(old, new, self.locked[kept[:-1]] & keeps_length)

    def _with_locks(self, new: Array) -> Array:
        """Spans that are locked get their own length again; what follows them gives way."""
        for span in np.flatnonzero(self.locked):
            wrong = new[span] + (self.old[span + 1] - self.old[span]) - new[span + 1]
            new[span + 1 :] += wrong
        return new

    def to_text(self, rate: float, speeds: Speeds = ()) -> str:
        """Keytimes in frames, with locks and speeds, to be kept with an edit."""
        known = speeds or (None,) * len(self)
        rows = zip(self.old, self.new, [*self.locked, False], known, strict=True)
        return json.dumps(
            [[round(old * rate, 4), round(new * rate, 4), bool(lock), each] for old, new, lock, each in rows]
        )

    @classmethod
    def from_text(cls, text: str, rate: float) -> "tuple[Keytimes, Speeds]":
        """The same again, and the speeds.

        Raises:
            MotionEditError: It is no such text.
        """
        try:
            old, new, locked, speeds = zip(*json.loads(text), strict=True)
        except ValueError as error:
            raise MotionEditError("The keytimes of this edit are damaged: set them anew") from error
        keytimes = cls.from_lists(np.array(old) / rate, np.array(new) / rate, locked[:-1])
        return keytimes, speeds if any(speeds) else ()

    @classmethod
    def from_lists(cls, old: Any, new: Any, locked: Any) -> "Keytimes":
        """Keytimes from what was saved."""
        return cls(np.array(old, dtype=np.float64), np.array(new, dtype=np.float64), np.array(locked, dtype=np.bool_))

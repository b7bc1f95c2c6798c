"""Curves held as Bézier keys, many at once, and their exact values at any time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array

Indices = NDArray[np.intp]
_PER_KEY = ("times", "values", "left", "right", "constant")


@dataclass(frozen=True, eq=False)
class KeyedCurves:
    """Bézier keys of N curves, one after the other.

    Handles lie at one third of the way to the neighbouring key, so that time runs evenly
    along each piece and the piece is a plain cubic in time.

    Attributes:
        offsets: (N + 1,) curve n owns the keys offsets[n] up to, not including, offsets[n + 1].
        times: (K,) key times, in the unit of the times that were reduced.
        values: (K,) key values.
        left: (K, 2) time and value of each key's left handle.
        right: (K, 2) time and value of each key's right handle.
        constant: (K,) the curve holds the key's value until the next key, and steps there.
    """

    offsets: Indices
    times: Array
    values: Array
    left: Array
    right: Array
    constant: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, curve: int) -> "KeyedCurves":
        """One curve by itself."""
        curve = range(len(self))[curve]
        return self.part(curve, curve + 1)

    def __iter__(self) -> Iterator["KeyedCurves"]:
        return (self[curve] for curve in range(len(self)))

    def part(self, first: int, last: int) -> "KeyedCurves":
        """The curves first up to, not including, last."""
        offsets = self.offsets[first : last + 1]
        own = slice(offsets[0], offsets[-1])
        return KeyedCurves(offsets - offsets[0], *(getattr(self, name)[own] for name in _PER_KEY))

    @property
    def counts(self) -> Indices:
        """(N,) keys of every curve."""
        return np.diff(self.offsets)


def join(parts: Sequence[KeyedCurves]) -> KeyedCurves:
    """All curves of several parts, in their order."""
    counts = np.concatenate([part.counts for part in parts]) if parts else np.zeros(0, dtype=np.intp)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)
    if not parts:
        none = np.empty(0)
        return KeyedCurves(offsets, none, none, np.empty((0, 2)), np.empty((0, 2)), np.empty(0, dtype=np.bool_))
    return KeyedCurves(offsets, *(np.concatenate([getattr(part, name) for part in parts]) for name in _PER_KEY))


def from_slopes(
    counts: Any, times: Array, values: Array, arriving: Array, leaving: Array, constant: Any = None
) -> KeyedCurves:
    """Keys of curves whose slopes on both sides of every key (K,) are known, and after which they hold.

    A curve's first left and last right handle point along its own slope, as far from the
    key as the other handle.
    """
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)
    thirds = np.diff(times, append=times[-1:]) / 3.0
    after = np.array(thirds)
    before = np.roll(thirds, 1)
    first, last = offsets[:-1], offsets[1:] - 1
    before[first] = np.where(first == last, 1.0 / 3.0, after[first])
    after[last] = before[last]
    left = np.stack([times - before, values - before * arriving], axis=-1)
    right = np.stack([times + after, values + after * leaving], axis=-1)
    holds = np.zeros(len(times), dtype=np.bool_) if constant is None else constant
    return KeyedCurves(offsets, times, values, left, right, holds)


def evaluate_keys(keyed: KeyedCurves, times: Any) -> Array:
    """Values (T, N) of all curves at any times (T,); outside its keys a curve holds its end value."""
    times = np.asarray(times, dtype=np.float64)
    before = _keys_before(keyed, times)
    after = np.minimum(before + 1, keyed.offsets[1:, None] - 1)
    start, end = keyed.times[before], keyed.times[after]
    held = np.clip(times, start, end)
    span = np.where(end > start, end - start, 1.0)
    part = (held - start) / span
    rest = np.where(end > start, (end - held) / span, 1.0)
    values: Array = rest * rest * (rest * keyed.values[before] + 3.0 * part * keyed.right[before, 1]) + part * part * (
        part * keyed.values[after] + 3.0 * rest * keyed.left[after, 1]
    )
    stands = keyed.constant[before] & (times < end)
    values = np.where(stands, keyed.values[before], values) if stands.any() else values
    return values.T


def _keys_before(keyed: KeyedCurves, times: Array) -> Indices:
    """(N, T) the key at whose right side each time lies, at most a curve's last but one."""
    order = np.argsort(times, kind="stable")
    reached = np.searchsorted(times[order], keyed.times, side="left")
    width = len(times) + 1
    owner = np.repeat(np.arange(len(keyed)), keyed.counts)
    passed = np.bincount(owner * width + reached, minlength=len(keyed) * width).reshape(len(keyed), width)
    number = np.empty((len(keyed), len(times)), dtype=np.intp)
    number[:, order] = np.cumsum(passed, axis=1)[:, :-1] - 1
    last = np.maximum(keyed.counts - 2, 0)[:, None]
    before: Indices = keyed.offsets[:-1, None] + np.clip(number, 0, last)
    return before

"""Functions of one variable made of cubic pieces that are given by values and slopes at knots.

A straight piece is the special case whose two slopes are its own steepness, so that curves with
corners need no type of their own. Two knots at the same place are a jump: from there on the
later one holds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .quaternion import Array

Pieces = NDArray[np.intp]
# Place, value and slope at a share (0 to 1) of each of N stretches of some curve.
Sampled = tuple[Array, Array, Array]

# Steepest slope, in multiples of the piece's own steepness, that keeps a cubic piece monotone
# whatever its other end does (Fritsch and Carlson 1980).
_MONOTONE_LIMIT = 3.0
_MOST_HALVINGS = 40


@dataclass(frozen=True, eq=False)
class PiecewiseCubic:
    """Knots with values, and two slopes for each piece between them.

    Attributes:
        knots: (K,) places, at least two, never decreasing.
        values: (K,) the function there.
        slopes: (K - 1, 2) derivative at the start and at the end of every piece.
    """

    knots: Array
    values: Array
    slopes: Array

    def __post_init__(self) -> None:
        for name in ("knots", "values", "slopes"):
            array = np.array(getattr(self, name), dtype=np.float64)
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        count = len(self.knots)
        if count < 2 or self.values.shape != (count,) or self.slopes.shape != (count - 1, 2):
            raise ValueError("A curve needs two knots or more, a value for each, two slopes for each piece")
        if not all(np.isfinite(array).all() for array in (self.knots, self.values, self.slopes)):
            raise ValueError("Knots, values and slopes must be finite")
        if (np.diff(self.knots) < 0.0).any() or self.knots[0] == self.knots[-1]:
            raise ValueError("Knots must increase")

    @classmethod
    def straight(cls, knots: Any, values: Any) -> "PiecewiseCubic":
        """Straight lines from knot to knot."""
        steepness = _steepness(np.asarray(knots, dtype=np.float64), np.asarray(values, dtype=np.float64))
        return cls(knots, values, np.stack([steepness, steepness], axis=-1))

    @classmethod
    def smooth(cls, knots: Any, values: Any, *, monotone: bool) -> "PiecewiseCubic":
        """A curve without corners; `monotone` limits its slopes so that it never overshoots."""
        knots, values = np.asarray(knots, dtype=np.float64), np.asarray(values, dtype=np.float64)
        slopes = knot_slopes(knots, values, monotone=monotone)
        return cls(knots, values, np.stack([slopes[:-1], slopes[1:]], axis=-1))

    @cached_property
    def steepness(self) -> Array:
        """(K - 1,) mean slope of every piece; 0 for a jump."""
        return _steepness(self.knots, self.values)

    @cached_property
    def monotone_pieces(self) -> NDArray[np.bool_]:
        """(K - 1,) the piece certainly stays between the values of its two knots."""
        kept: NDArray[np.bool_] = (_limited(self.slopes, self.steepness) == self.slopes.T).all(axis=0)
        return kept

    @cached_property
    def has_jumps(self) -> bool:
        """Some two knots share a place."""
        return bool((np.diff(self.knots) == 0.0).any())

    def piece_at(self, places: Array) -> Pieces:
        """The piece that holds at every place; outside, the first or the last one."""
        found = np.searchsorted(self.knots, places, side="right") - 1
        return np.clip(found, 0, len(self.knots) - 2)

    def value(self, places: Array, pieces: Pieces | None = None) -> Array:
        """Evaluate; at a knot the result is its value bit for bit."""
        piece = self.piece_at(places) if pieces is None else pieces
        start, end = self.knots[piece], self.knots[piece + 1]
        first, last = self.values[piece], self.values[piece + 1]
        step = places - start
        linear, square, cube = self._coefficients[:, piece]
        # The difference to the place itself is what is summed up: where a piece is the identity
        # nothing is added, and the place comes back without rounding.
        result = places + ((first - start) + step * ((linear - 1.0) + step * (square + step * cube)))
        bounded = np.clip(result, np.minimum(first, last), np.maximum(first, last))
        inside = self.monotone_pieces[piece] & (places >= start) & (places <= end)
        result = np.where(inside, bounded, result)
        result = np.where(places == start, first, result)
        return np.where(places == end, last, result)

    def slope(self, places: Array, pieces: Pieces | None = None) -> Array:
        """Derivative; at a corner that of the piece on the right."""
        piece = self.piece_at(places) if pieces is None else pieces
        step = places - self.knots[piece]
        linear, square, cube = self._coefficients[:, piece]
        result: Array = linear + step * (2.0 * square + step * 3.0 * cube)
        # At the far end the sum is rounded; a slope of 0 there has to stay 0.
        return np.where(places == self.knots[piece + 1], self.slopes[piece, 1], result)

    @cached_property
    def _coefficients(self) -> Array:
        """(3, K - 1) factors of the first, second and third power of the way into a piece."""
        width = np.diff(self.knots)
        width = np.where(width == 0.0, 1.0, width)
        first, last = self.slopes.T
        square = (3.0 * self.steepness - 2.0 * first - last) / width
        cube = (first + last - 2.0 * self.steepness) / width**2
        straight = (first == self.steepness) & (last == self.steepness)
        return np.stack([first, np.where(straight, 0.0, square), np.where(straight, 0.0, cube)])

    def turning_points(self) -> Array:
        """Places inside the pieces at which the curve changes direction."""
        linear, square, cube = self._coefficients
        width = np.diff(self.knots)
        with np.errstate(divide="ignore", invalid="ignore"):
            root = np.sqrt(square**2 - 3.0 * cube * linear)
            far = -(square + np.copysign(root, square))
            steps = np.stack([far / (3.0 * cube), linear / far])
        # A piece as steep at one end as it may be touches such a point without turning.
        inside = (steps > 0.0) & (steps < width) & np.isfinite(steps) & ~self.monotone_pieces
        return np.unique((self.knots[:-1] + steps)[inside])

    def solve(self, values: Array, pieces: Pieces) -> Array:
        """Place at which each piece, monotone and not flat, takes the value (Newton, safeguarded)."""
        low, high = self.knots[pieces], self.knots[pieces + 1]
        first, last = self.values[pieces], self.values[pieces + 1]
        start, end, rising = low, high, last > first
        with np.errstate(divide="ignore", invalid="ignore"):
            place = np.clip(low + (high - low) * ((values - first) / (last - first)), low, high)
            for _ in range(100):
                difference = self.value(place, pieces) - values
                beyond = (difference > 0.0) == rising
                low, high = np.where(beyond, low, place), np.where(beyond, place, high)
                newton = place - difference / self.slope(place, pieces)
                usable = (newton > low) & (newton < high)
                better = np.where(difference == 0.0, place, np.where(usable, newton, 0.5 * (low + high)))
                if (np.abs(better - place) <= 1e-15 * np.maximum(1.0, np.abs(place))).all():
                    break
                place = better
        return np.where(values == first, start, np.where(values == last, end, place))


def _steepness(knots: Array, values: Array) -> Array:
    width = np.diff(knots)
    steepness: Array = np.where(width == 0.0, 0.0, np.diff(values) / np.where(width == 0.0, 1.0, width))
    return steepness


def _limited(slopes: Array, steepness: Array) -> Array:
    """(2, K - 1) start and end slopes cut down to what keeps every piece monotone."""
    limit = _MONOTONE_LIMIT * np.abs(steepness)
    return np.where(np.sign(slopes.T) == np.sign(steepness), np.clip(slopes.T, -limit, limit), 0.0)


def knot_slopes(knots: Array, values: Array, *, monotone: bool) -> Array:
    """(K,) slopes of a curve without corners: those of the parabola through three neighbours.

    With `monotone` they are limited (Hyman 1983): zero where the values turn round, else at most
    three times the steepness on either side. The outermost slopes are then those of the outermost
    pieces as a whole, so that a curve that goes on beyond its knots neither stops nor races.
    """
    steepness, width = _steepness(knots, values), np.diff(knots)
    if len(steepness) == 1:
        return np.repeat(steepness, 2)
    inner = (steepness[:-1] * width[1:] + steepness[1:] * width[:-1]) / (width[:-1] + width[1:])
    slopes = np.concatenate([[2.0 * steepness[0] - inner[0]], inner, [2.0 * steepness[-1] - inner[-1]]])
    if not monotone:
        return slopes
    left, right = np.append(steepness[0], steepness), np.append(steepness, steepness[-1])
    limit = _MONOTONE_LIMIT * np.minimum(np.abs(left), np.abs(right))
    slopes[0], slopes[-1] = steepness[0], steepness[-1]
    same = (np.sign(left) == np.sign(right)) & (np.sign(slopes) == np.sign(left))
    return np.where(same, np.clip(slopes, -limit, limit), 0.0)


def from_pieces(starts: Sampled, ends: Sampled) -> PiecewiseCubic:
    """Join pieces, given in order, by place, value and slope at both of their ends.

    Neighbours whose values differ by more than rounding get a jump between them.
    """
    gap = np.abs(starts[1][1:] - ends[1][:-1])
    jumps = np.flatnonzero(gap > 1e-12 * np.maximum(1.0, np.abs(ends[1][:-1])))
    knots = np.insert(np.append(starts[0], ends[0][-1]), jumps + 1, ends[0][jumps])
    values = np.insert(np.append(starts[1], ends[1][-1]), jumps + 1, ends[1][jumps])
    slopes = np.insert(np.stack([starts[2], ends[2]], axis=-1), jumps + 1, 0.0, axis=0)
    return PiecewiseCubic(knots, values, slopes)


def fit(sample: Callable[[Array, Pieces], Sampled], count: int, *, tolerance: float) -> PiecewiseCubic:
    """Cubic pieces that follow a curve, halved until they do so within the tolerance.

    Slopes are limited so that no piece overshoots; the curve must be monotone in every stretch.

    Args:
        sample: Gives place, value and slope at a share (0 to 1) of each of the numbered stretches.
        count: Number of stretches, in order.
        tolerance: Largest difference in value at a quarter, half and three quarters of a piece.
    """
    stretch = np.arange(count)
    low, high = np.zeros(count), np.ones(count)
    for halving in range(_MOST_HALVINGS + 1):
        starts, ends = sample(low, stretch), sample(high, stretch)
        starts, ends = _with_limited_slopes(starts, ends)
        poor = _misses(sample, starts, ends, low, high, stretch) > tolerance
        if halving == _MOST_HALVINGS or not poor.any():
            break
        middle = 0.5 * (low + high)
        poor &= _wide_enough(starts[0], sample(middle, stretch)[0], ends[0])
        after = np.flatnonzero(poor) + 1
        low, high = np.insert(low, after, middle[poor]), np.insert(np.where(poor, middle, high), after, high[poor])
        stretch = np.insert(stretch, after, stretch[poor])
    return from_pieces(starts, ends)


def _wide_enough(starts: Array, middles: Array, ends: Array) -> NDArray[np.bool_]:
    """Both halves can be told from a jump; where a curve is all but upright rounding ends the halving."""
    smallest = 8.0 * np.spacing(np.maximum(np.abs(starts), np.abs(ends)))
    wide: NDArray[np.bool_] = (middles - starts > smallest) & (ends - middles > smallest)
    return wide


def _with_limited_slopes(starts: Sampled, ends: Sampled) -> tuple[Sampled, Sampled]:
    width = ends[0] - starts[0]
    steepness = (ends[1] - starts[1]) / np.where(width == 0.0, 1.0, width)
    first, last = _limited(np.stack([starts[2], ends[2]], axis=-1), steepness)
    return (starts[0], starts[1], first), (ends[0], ends[1], last)


def _misses(
    sample: Callable[[Array, Pieces], Sampled],
    starts: Sampled,
    ends: Sampled,
    low: Array,
    high: Array,
    stretch: Pieces,
) -> Array:
    """Largest distance in value between every piece and the curve it stands for."""
    width = ends[0] - starts[0]
    safe = np.where(width == 0.0, 1.0, width)
    steepness = (ends[1] - starts[1]) / safe
    worst = np.zeros(len(stretch))
    for share in (0.25, 0.5, 0.75):
        place, value, _ = sample(low + share * (high - low), stretch)
        way = (place - starts[0]) / safe
        square = 3.0 * steepness - 2.0 * starts[2] - ends[2]
        cube = starts[2] + ends[2] - 2.0 * steepness
        piece = starts[1] + width * way * (starts[2] + way * (square + way * cube))
        worst = np.maximum(worst, np.abs(piece - value))
    return worst

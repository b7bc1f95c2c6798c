"""Which frames of two motions correspond: slope-limited dynamic time warping.

A path leads through the grid of all frame pairs, from the first pair to the last, by steps (1, 1),
(1, s) and (s, 1): time never stands still, and one motion never runs more than a given number of
times as fast as the other (time alignment of the pose timeline paper, 5.2). A step (1, s) first goes
diagonally and then along one motion; what it costs is the sum over all pairs that it visits, so
that no frame can be skipped because it does not fit. Only pairs that lie on some complete path are
looked at, which for a limit of 2 is a third of the grid.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionEditError, NotFiniteError, TooFewFramesError
from ..motion import TimeMap
from ..numerics import Array

Flags = NDArray[np.bool_]
Choices = list[Flags]
DistanceRows = Iterator[tuple[int, list[Array]]]

# Rows of the grid whose distances are computed together: enough for a fast product, few enough that
# they stay in the cache.
_BLOCK = 64
# Squared distances below this share of the largest squared size are rounding and count as none.
_ROUNDING = 1e-13


class UnalignableError(MotionEditError):
    """Two parts differ so much in length that no allowed timing leads from one to the other."""


@dataclass(frozen=True, eq=False)
class Alignment:
    """Corresponding frames of two sequences.

    Attributes:
        path: (P, 2) pairs of frames, from the first pair to the last; both columns increase.
        cost: Sum of the distances of all pairs that the path visits, those inside its steps included.
    """

    path: NDArray[np.intp]
    cost: float

    @property
    def visited(self) -> NDArray[np.intp]:
        """(V, 2) all pairs that count for the cost: those of the path and those inside its steps."""
        return _visited(self.path)

    def time_map(self, first_times: Any, second_times: Any) -> TimeMap:
        """The timing that shows the second motion in step with the first.

        Args:
            first_times: (N,) seconds of the first sequence's frames: new times.
            second_times: (M,) seconds of the second sequence's frames: old times.

        Raises:
            TooFewFramesError: A single frame has no timing.
        """
        if len(self.path) < 2:
            raise TooFewFramesError("A timing needs 2 frames, the aligned parts have 1")
        new, old = np.asarray(first_times), np.asarray(second_times)
        return TimeMap.from_samples(new[self.path[:, 0]], old[self.path[:, 1]])


def align(first: Any, second: Any, *, slope_limit: int = 2) -> Alignment:
    """Find the correspondence with the least sum of Euclidean distances.

    Time grows with N M / 3 and with D; memory is `2 slope_limit - 2`
    bytes for every pair that is looked at.

    Args:
        first: (N, D) features of the frames.
        second: (M, D) features of the frames, in the same units.
        slope_limit: How many frames of one may pass while one frame of the other passes. Raise it
            where pauses are to be skipped; 1 allows parts of the same length only.

    Raises:
        UnalignableError: One part is too long for the other.
        TooFewFramesError: A part has no frames.
        NotFiniteError: A feature is NaN or infinite.
    """
    one, other = _checked(first, second, slope_limit)
    low, high = _feasible(len(one), len(other), slope_limit)
    rows = _distance_rows(one, other, low, high, slope_limit)
    path = _traced_back(_best_steps(rows, low, high, slope_limit), low)
    visited = _visited(path)
    gaps = one[visited[:, 0]] - other[visited[:, 1]]
    return Alignment(path, float(np.sqrt(np.einsum("vd,vd->v", gaps, gaps)).sum()))


def align_table(table: Any, *, slope_limit: int = 2) -> Alignment:
    """Find the cheapest path through a table of distances that are known already.

    Args:
        table: (N, M) distances of all pairs of frames, none below 0.
        slope_limit: As in `align`.

    Raises:
        UnalignableError: One side is too long for the other.
        TooFewFramesError: A side has no frames.
    """
    distances = np.asarray(table, dtype=np.float64)
    rows, columns = distances.shape
    _refuse_lengths(rows, columns, slope_limit)
    low, high = _feasible(rows, columns, slope_limit)
    choices = _best_steps(_table_rows(distances, low, high, slope_limit), low, high, slope_limit)
    path = _traced_back(choices, low)
    return Alignment(path, float(distances[tuple(_visited(path).T)].sum()))


def _checked(first: Any, second: Any, slope_limit: int) -> tuple[Array, Array]:
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.ndim != 2 or other.ndim != 2 or one.shape[1] != other.shape[1]:
        raise ValueError(f"Features must be (N, D) and (M, D), not {one.shape} and {other.shape}")
    _refuse_lengths(len(one), len(other), slope_limit)
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        raise NotFiniteError("A feature is NaN or infinite; repair the motion's curves first")
    return one, other


def _refuse_lengths(first: int, second: int, slope_limit: int) -> None:
    if slope_limit < 1:
        raise ValueError("slope_limit must be 1 or more")
    short, long = sorted((first, second))
    if not short:
        raise TooFewFramesError("An alignment needs at least 1 frame on both sides")
    if long - 1 > slope_limit * (short - 1):
        raise UnalignableError(
            f"Parts of {first} and {second} frames cannot be aligned: one would run more than "
            f"{slope_limit} times as fast as the other; choose parts of more similar length"
        )


def _feasible(rows: int, columns: int, limit: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """First and last column (N,) of every row that a complete path can come through."""
    done = np.arange(rows)
    left, last = rows - 1 - done, columns - 1
    low = np.maximum(-(-done // limit), last - limit * left)
    high = np.minimum(limit * done, last + (-left // limit))
    return low, high


def _best_steps(rows: DistanceRows, low: Any, high: Any, limit: int) -> Choices:
    """For every row and column between low and high how the least cost comes there.

    Each row has (2 limit - 2, W) flags. The last one that is set tells the step: number 2 s - 4 is
    the step (1, s), number 2 s - 3 the step (s, 1); if none is set, it is the diagonal.
    """
    # Costs of the last rows; a margin on the left takes the steps that would come from outside.
    costs = [np.full(int(high[-1]) + 1 + limit, np.inf) for _ in range(limit + 1)]
    costs[0][limit] = 0.0
    choices = [np.zeros((2 * limit - 2, 1), dtype=np.bool_)]
    for row, distances in rows:
        before = [costs[(row - back) % (limit + 1)] for back in range(1, min(limit, row) + 1)]
        own = costs[row % (limit + 1)]
        own.fill(np.inf)
        start, width = int(low[row]) + limit, int(high[row] - low[row]) + 1
        flags = np.zeros((2 * limit - 2, width), dtype=np.bool_)
        _one_row(before, distances, start, own[start : start + width], flags)
        choices.append(flags)
    return choices


def _one_row(before: list[Array], distances: list[Array], start: int, costs: Array, flags: Flags) -> None:
    """Least costs and choices of a row, written into the last two arguments.

    Args:
        before: Costs of the rows before, nearest first.
        distances: Of the row itself and those before. Their first entry lies `len(distances) - 1`
            columns left of the first column that is asked for.
        start: Place of that column in `before`.
        costs: (W,) least costs.
        flags: (N, W) choices.
    """
    width, margin = len(costs), len(distances) - 1
    costs[:] = before[0][start - 1 : start - 1 + width]
    along = across = None
    for back in range(1, margin + 1):
        beside = distances[0][margin - back : margin - back + width]
        along = beside if along is None else along + beside
        candidate = before[0][start - 1 - back : start - 1 - back + width] + along
        np.less(candidate, costs, out=flags[2 * back - 2])
        np.minimum(candidate, costs, out=costs)
        if back < len(before):
            above = distances[back][margin : margin + width]
            across = above if across is None else across + above
            candidate = before[back][start - 1 : start - 1 + width] + across
            np.less(candidate, costs, out=flags[2 * back - 1])
            np.minimum(candidate, costs, out=costs)
    costs += distances[0][margin : margin + width]


def _distance_rows(one: Array, other: Array, low: Any, high: Any, limit: int) -> DistanceRows:
    """Rows from the second on, each with its own distances and those of the rows before it."""
    middle = 0.5 * (one.mean(axis=0) + other.mean(axis=0))
    first, second = one - middle, other - middle
    margin = limit - 1
    for start in range(1, len(one), _BLOCK):
        stop, top = min(start + _BLOCK, len(one)), max(0, start - margin)
        left, right = int(low[start]) - margin, int(high[stop - 1]) + 1
        block = _distances(first[top:stop], second[max(0, left) : right], missing=max(0, -left))
        for row in range(start, stop):
            place = int(low[row]) - margin - left
            width = int(high[row] - low[row]) + 1 + margin
            yield row, [block[max(row - back - top, 0), place : place + width] for back in range(margin + 1)]


def _table_rows(table: Array, low: Any, high: Any, limit: int) -> DistanceRows:
    """The same from a table of all distances."""
    margin = limit - 1
    padded = np.pad(table, ((0, 0), (margin, 0)))
    for row in range(1, len(table)):
        columns = slice(int(low[row]), int(high[row]) + 1 + margin)
        yield row, [padded[max(row - back, 0), columns] for back in range(margin + 1)]


def _distances(first: Array, second: Array, *, missing: int) -> Array:
    """(N, missing + M) Euclidean distances; columns that do not exist are 0.

    |x|² + |y|² - 2 x·y cancels where both are alike: what rounding leaves there is taken off, so
    that equal frames have no distance.
    """
    squares, others = np.einsum("nd,nd->n", first, first), np.einsum("md,md->m", second, second)
    rounding = _ROUNDING * (float(squares.max()) + float(others.max()))
    block = np.zeros((len(first), missing + len(second)))
    inner = block[:, missing:]
    np.matmul(first * -2.0, second.T, out=inner)
    inner += (squares - rounding)[:, None]
    inner += others
    np.maximum(inner, 0.0, out=inner)
    np.sqrt(inner, out=inner)
    return block


def _traced_back(choices: Choices, low: Any) -> NDArray[np.intp]:
    """(P, 2) the path that ends in the last column of the last row."""
    row, column = len(choices) - 1, int(low[-1])
    path, first = [(row, column)], low.tolist()
    while row or column:
        flags, place = choices[row], column - first[row]
        number = next((number for number in reversed(range(len(flags))) if flags[number, place]), -2)
        longer, downward = number // 2 + 2, number % 2 == 1
        row, column = row - (longer if downward else 1), column - (1 if downward else longer)
        path.append((row, column))
    return np.array(path[::-1], dtype=np.intp)


def _visited(path: NDArray[np.intp]) -> NDArray[np.intp]:
    """(V, 2) pairs of the path and those inside its steps, in order."""
    steps = np.diff(path, axis=0, prepend=path[:1] - 1)
    counts = steps.max(axis=1)
    ends = np.cumsum(counts)
    behind = np.repeat(ends, counts) - 1 - np.arange(int(ends[-1]))
    pairs: NDArray[np.intp] = np.repeat(path, counts, axis=0)
    pairs -= behind[:, None] * (np.repeat(steps, counts, axis=0) > 1)
    return pairs

"""Chains of local minima in the grid of all pairs of moments (Kovar and Gleicher 2004, 4.1).

Where a part of a motion is like another part, the grid has a valley that runs diagonally. Its floor
consists of cells that are the least of their row or column nearby; cells that follow each other make
a chain, and chains with a short gap between them are one.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .window_grid import Single, WindowGrid

Cells = NDArray[np.intp]

# Size of the blocks of the grid that are looked at one after the other: a few MB.
_ROWS, _COLUMNS = 256, 512
# Steps from a cell to the next one of its chain, the plain one first.
_STEPS = ((1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2))
# Cells of a chain below which it is a chance minimum and joined with nothing.
_SHORTEST = 3
# Minima that are held at most. In a long pause every moment is like every other; then only the most
# alike half is kept and the threshold falls for the rest.
_MOST = 400_000
# Chains that are joined at most, the longest ones: noise of a long pause makes any number of short ones.
_MOST_CHAINS = 6000


@dataclass(frozen=True, eq=False)
class Minima:
    """Local minima of the grid's upper half.

    Attributes:
        cells: (N, 2) row and column, in order of rows.
        values: (N,) distances.
    """

    cells: Cells
    values: Single

    def part(self, chosen: Any) -> "Minima":
        """Some of them, by index, mask or slice."""
        return Minima(self.cells[chosen], self.values[chosen])


def find_minima(grid: WindowGrid, *, threshold: float, gap: int) -> Generator[float, None, Minima]:
    """Cells that are the least of their row or of their column, and not above a threshold.

    Yields the share that is done; no more than a block of the grid is held at once.

    Args:
        grid: Windows of the motion.
        threshold: Largest distance that counts as alike.
        gap: Pairs of moments nearer to each other in time are left out: every moment is like the next.
    """
    found = Minima(np.empty((0, 2), dtype=np.intp), np.empty(0, dtype=np.float32))
    parts: list[Minima] = []
    blocks = [
        (row, column)
        for row in range(0, len(grid), _ROWS)
        for column in range(row, len(grid), _COLUMNS)
        if min(column + _COLUMNS, len(grid)) > row + gap
    ]
    for number, (row, column) in enumerate(blocks):
        parts.append(_minima_of_block(grid, row, column, threshold, gap))
        if sum(len(part.values) for part in parts) > _MOST:
            found = _together(parts)
            threshold = float(np.median(found.values))
            parts = [found.part(found.values < threshold)]
        yield (number + 1) / len(blocks)
    found = _together([found.part(slice(0)), *parts])
    return found.part(np.lexsort(found.cells.T[::-1]))


def _together(parts: list[Minima]) -> Minima:
    return Minima(np.concatenate([part.cells for part in parts]), np.concatenate([part.values for part in parts]))


def _minima_of_block(grid: WindowGrid, row: int, column: int, threshold: float, gap: int) -> Minima:
    # One cell more on each side tells whether a cell at the border is a minimum.
    top, left = max(0, row - 1), max(0, column - 1)
    bottom, right = min(len(grid), row + _ROWS + 1), min(len(grid), column + _COLUMNS + 1)
    squared = grid.squared(slice(top, bottom), slice(left, right))
    rows, columns = np.nonzero(squared <= threshold**2)
    kept = (columns + left >= rows + top + gap) & (rows + top >= row) & (columns + left >= column)
    kept &= (rows + top < row + _ROWS) & (columns + left < column + _COLUMNS)
    rows, columns = rows[kept], columns[kept]
    own = squared[rows, columns]
    # Below the one before: of equal cells in a row only the first is taken, of a pause none.
    least_of_row = ((own < squared[rows, columns - 1]) | (columns == 0)) & (
        own <= squared[rows, np.minimum(columns + 1, squared.shape[1] - 1)]
    )
    least_of_column = ((own < squared[rows - 1, columns]) | (rows == 0)) & (
        own <= squared[np.minimum(rows + 1, squared.shape[0] - 1), columns]
    )
    chosen = least_of_row | least_of_column
    cells = np.stack([rows[chosen] + top, columns[chosen] + left], axis=1)
    return Minima(cells, np.sqrt(own[chosen]))


def chains_of(minima: Minima, *, width: int, longest_gap: int, slope_limit: int) -> list[Cells]:
    """(N, 2) cells of every chain, both columns rising; each cell belongs to one chain.

    Args:
        minima: From `find_minima`.
        width: Rows of the grid.
        longest_gap: Rows or columns between two chains that are joined.
        slope_limit: Steepest line from one chain to the next.
    """
    follower = _mutual(_followers(minima, width, forward=True), _followers(minima, width, forward=False))
    chains = _collected(minima.cells, follower)
    return _joined(chains, longest_gap, slope_limit)


def _followers(minima: Minima, width: int, *, forward: bool) -> Cells:
    """(N,) the best cell that a cell can be followed by, or come from; -1 if there is none."""
    keys = minima.cells[:, 0] * width + minima.cells[:, 1]
    best, value = np.full(len(keys), -1, dtype=np.intp), np.full(len(keys), np.inf)
    for down, right in _STEPS if forward else tuple((-down, -right) for down, right in _STEPS):
        columns = minima.cells[:, 1] + right
        wanted = keys + down * width + right
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        # A long step is taken only if no shorter one leads on.
        there = (keys[place] == wanted) & (columns >= 0) & (columns < width)
        cost = minima.values[place] * max(abs(down), abs(right))
        better = there & (cost < value)
        best[better], value[better] = place[better], cost[better]
    return best


def _mutual(after: Cells, before: Cells) -> Cells:
    """Followers that see the cell as theirs; -1 elsewhere."""
    agreed = (after >= 0) & (before[after] == np.arange(len(after)))
    return np.where(agreed, after, -1)


def _collected(cells: Cells, follower: Cells) -> list[Cells]:
    """The chains, each from its first cell on; those of a few cells are left out."""
    first = np.arange(len(cells))
    has_before = follower[follower >= 0]
    first[has_before] = np.flatnonzero(follower >= 0)
    # Every cell learns the first cell of its chain by jumps of doubled length.
    while True:
        further = first[first]
        if (further == first).all():
            break
        first = further
    counts = np.bincount(first, minlength=len(first))
    limit = np.sort(counts)[-_MOST_CHAINS - 1] + 1 if len(counts) > _MOST_CHAINS else 0
    long_enough = np.flatnonzero(counts[first] >= max(_SHORTEST, limit))
    order = long_enough[np.lexsort((cells[long_enough, 0], first[long_enough]))]
    borders = np.flatnonzero(np.diff(first[order])) + 1
    return [cells[part] for part in np.split(order, borders) if len(part)]


def _joined(chains: list[Cells], longest_gap: int, slope_limit: int) -> list[Cells]:
    """Chains that go on near to where others end made one, nearest first."""
    if not chains:
        return []
    starts, ends = np.array([chain[0] for chain in chains]), np.array([chain[-1] for chain in chains])
    order = np.argsort(starts[:, 0], kind="stable")
    first_rows = starts[order, 0]
    links = []
    for one, end in enumerate(ends):
        # A chain that begins beside the end of another may go on from it with its later cells.
        rows = np.searchsorted(first_rows, [end[0] - longest_gap, end[0] + longest_gap + 1])
        near = order[rows[0] : rows[1]]
        fits = (np.abs(starts[near, 1] - end[1]) <= longest_gap) & (ends[near] > end).all(axis=1)
        for other in near[fits].tolist():
            cost = _way_on(chains[other], end, longest_gap, slope_limit)
            if cost is not None and other != one:
                links.append((cost, one, other))
    follower: dict[int, int] = {}
    taken = set()
    for _, one, other in sorted(links):
        if one not in follower and other not in taken:
            follower[one] = other
            taken.add(other)
    return [_run(chains, follower, number, slope_limit) for number in range(len(chains)) if number not in taken]


def _way_on(chain: Cells, end: Cells, longest_gap: int, slope_limit: int) -> int | None:
    """Length of the step from a cell to the first cell of a chain that lies after it; None if it is too far."""
    later = _after(chain, end, slope_limit)
    if not len(later) or (later[0] - end).max() > longest_gap:
        return None
    return int((later[0] - end).sum())


def _after(chain: Cells, cell: Cells, slope_limit: int) -> Cells:
    """The cells of a chain from the first on that an allowed slope leads to."""
    down, right = (chain - cell).T
    fits = (down > 0) & (right > 0) & (down <= slope_limit * right) & (right <= slope_limit * down)
    return chain[int(np.argmax(fits)) :] if fits.any() else chain[:0]


def _run(chains: list[Cells], follower: dict[int, int], number: int, slope_limit: int) -> Cells:
    """A chain with all that follow it; of each only what lies after the one before."""
    parts = [chains[number]]
    while (number := follower.get(number, -1)) >= 0:
        parts.append(_after(chains[number], parts[-1][-1], slope_limit))
    return np.concatenate(parts)

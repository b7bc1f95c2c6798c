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

from ...analysis import Single, WindowGrid

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
# Body heights below which two likenesses are the same: of exact repetitions the nearest in time are kept.
_SAME = 1e-2
# Chains that are joined at most, the longest ones, for every so many rows of a long grid: noise of a long
# pause makes any number of short ones.
_MOST_CHAINS, _ROWS_OF_MOST = 6000, 5000


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
        threshold: Largest distance that counts as alike.
        gap: Pairs of moments nearer to each other in time are left out: every moment is like the next.
    """
    parts = [Minima(np.empty((0, 2), dtype=np.intp), np.empty(0, dtype=np.float32))]
    blocks = [
        (row, column)
        for row in range(0, len(grid), _ROWS)
        for column in range(row, len(grid), _COLUMNS)
        if min(column + _COLUMNS, len(grid)) > row + gap
    ]
    for number, (row, column) in enumerate(blocks):
        parts.append(_minima_of_block(grid, row, column, threshold, gap))
        if sum(len(part.values) for part in parts) > _MOST:
            parts = [_most_alike_half(_together(parts))]
            threshold = min(threshold, float(parts[0].values.max()) + _SAME)
        yield (number + 1) / len(blocks)
    found = _together(parts)
    return found.part(np.lexsort(found.cells.T[::-1]))


def _together(parts: list[Minima]) -> Minima:
    return Minima(np.concatenate([part.cells for part in parts]), np.concatenate([part.values for part in parts]))


def _most_alike_half(minima: Minima) -> Minima:
    """Half of the minima; of those that are equally alike the nearest in time."""
    apart = minima.cells[:, 1] - minima.cells[:, 0]
    ranked = np.lexsort((apart, np.round(minima.values / _SAME)))
    return minima.part(ranked[: len(ranked) // 2])


def _minima_of_block(grid: WindowGrid, row: int, column: int, threshold: float, gap: int) -> Minima:
    # One cell more on each side tells whether a cell at the border is a minimum; there is nothing
    # beyond the border of the grid.
    bottom, right = min(len(grid), row + _ROWS), min(len(grid), column + _COLUMNS)
    padded = np.full((bottom - row + 2, right - column + 2), np.inf, dtype=np.float32)
    top, left, below, beside = (
        max(0, row - 1),
        max(0, column - 1),
        min(len(grid), bottom + 1),
        min(len(grid), right + 1),
    )
    inside = padded[top - row + 1 : below - row + 1, left - column + 1 : beside - column + 1]
    inside[...] = grid.squared(slice(top, below), slice(left, beside))
    own = padded[1:-1, 1:-1]
    # Below the one before: of equal cells in a row only the first is taken, of a pause none.
    chosen = (own < padded[1:-1, :-2]) & (own <= padded[1:-1, 2:])
    chosen |= (own < padded[:-2, 1:-1]) & (own <= padded[2:, 1:-1])
    chosen &= own <= np.float32(threshold**2)
    if column < bottom + gap:
        chosen &= np.arange(column, right) >= np.arange(row, bottom)[:, None] + gap
    rows, columns = np.nonzero(chosen)
    cells = np.stack([rows + row, columns + column], axis=1)
    return Minima(cells, np.sqrt(own[chosen]))


def chains_of(minima: Minima, *, width: int, longest_gap: int, slope_limit: int) -> list[Cells]:
    """(N, 2) cells of every chain, both columns rising; each cell belongs to one chain.

    Args:
        minima: From `find_minima`.
        width: Rows of the grid.
        longest_gap: Rows or columns between two chains that are joined.
        slope_limit: Steepest line from one chain to the next.
    """
    follower = _mutual(*_neighbours(minima, width))
    chains = _collected(minima.cells, follower, most=_MOST_CHAINS * max(1, width // _ROWS_OF_MOST))
    return _joined(chains, longest_gap, slope_limit)


def _neighbours(minima: Minima, width: int) -> tuple[Cells, Cells]:
    """(N,) the best cell that a cell can be followed by, and the best it can come from; -1 if there is none."""
    keys = minima.cells[:, 0] * width + minima.cells[:, 1]
    after, before = (np.full(len(keys), -1, dtype=np.intp) for _ in range(2))
    least_after, least_before = (np.full(len(keys), np.inf, dtype=np.float32) for _ in range(2))
    for down, right in _STEPS:
        wanted = keys + (down * width + right)
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        here = np.flatnonzero((keys[place] == wanted) & (minima.cells[:, 1] + right < width))
        there = place[here]
        # A long step is taken only if no shorter one leads on.
        far = np.float32(max(down, right))
        _take_better(after, least_after, here, there, minima.values[there] * far)
        _take_better(before, least_before, there, here, minima.values[here] * far)
    return after, before


def _take_better(best: Cells, least: Single, cells: Cells, found: Cells, costs: Single) -> None:
    """Write what was found for cells where it costs less than what they have."""
    better = costs < least[cells]
    best[cells[better]], least[cells[better]] = found[better], costs[better]


def _mutual(after: Cells, before: Cells) -> Cells:
    """Followers that see the cell as theirs; -1 elsewhere."""
    agreed = (after >= 0) & (before[after] == np.arange(len(after)))
    return np.where(agreed, after, -1)


def _collected(cells: Cells, follower: Cells, *, most: int) -> list[Cells]:
    """The chains, each from its first cell on; those of a few cells, and the shortest beyond `most`, are left out."""
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
    limit = np.sort(counts)[-most - 1] + 1 if len(counts) > most else 0
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
    # A chain that begins beside the end of another may go on from it with its later cells.
    reach = ends[:, :1] + np.array([-longest_gap, longest_gap + 1])
    places = np.searchsorted(starts[order, 0], reach).tolist()
    links = []
    for one, (low, high) in enumerate(places):
        end, near = ends[one], order[low:high]
        fits = (np.abs(starts[near, 1] - end[1]) <= longest_gap) & (ends[near, 0] > end[0]) & (ends[near, 1] > end[1])
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

"""The best choice of input samples for a given number of output samples (guided warp paper, 3.3).

A state is a pair of neighbouring output samples: the input sample shown last and the gap before
it. Every further sample adds the score of one triple, so that m samples add m - 2 scores; the
first pair costs nothing and starts at the first input sample.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics import Array

Path = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Reach:
    """First and last input sample that every output sample may show.

    Attributes:
        low: (m,) never falls.
        high: (m,) never falls.
    """

    low: Path
    high: Path

    @classmethod
    def between(cls, places: Path, samples: Path, most_steps: int) -> "Reach":
        """What is left by pins: output sample `places[i]` shows input sample `samples[i]`."""
        at = np.arange(places[-1] + 1)
        span = np.clip(np.searchsorted(places, at, side="right") - 1, 0, len(places) - 2)
        done, left = at - places[span], places[span + 1] - at
        start, end = samples[span], samples[span + 1]
        return cls(np.maximum(start + done, end - left * most_steps), np.minimum(start + done * most_steps, end - left))

    def part(self, count: int) -> "Reach":
        """The first output samples only."""
        return Reach(self.low[:count], self.high[:count])

    def within(self, low: Path, high: Path) -> "Reach":
        """What both allow."""
        return Reach(np.maximum(self.low, low), np.minimum(self.high, high))


def shortest_path(scores: Array, reach: Reach) -> tuple[Path, float]:
    """(m,) input samples with the least sum of scores, and that sum.

    Args:
        scores: (s, s, n) from `score_triples`.
        reach: Where each output sample may lie; the first and last are one sample.
    """
    if len(reach.low) < 2:
        return reach.low, 0.0
    costs = forward_costs(scores, reach)
    last = costs[-1][:, -1]
    return backtrack(scores, reach, costs, int(np.argmin(last))), float(last.min())


def forward_costs(scores: Array, reach: Reach) -> list[Array]:
    """For every output sample but the first the (s, w) least costs by gap and input sample."""
    steps = len(scores)
    widths = reach.high - reach.low + 1
    first = np.full((steps, widths[1]), np.inf)
    gaps = np.arange(reach.low[1], reach.high[1] + 1) - reach.low[0]
    first[gaps - 1, np.arange(widths[1])] = 0.0
    costs = [first]
    sums = np.empty(steps * steps * int(widths.max()))
    for place in range(2, len(widths)):
        low, high = int(reach.low[place - 1]), int(reach.high[place - 1])
        width = high - low + 1
        total = sums[: steps * steps * width].reshape(steps, steps, width)
        np.add(costs[-1][:, None], scores[:, :, low : high + 1], out=total)
        sheared, ends = _sheared(steps, width)
        np.minimum.reduce(total, axis=0, out=sheared)
        costs.append(ends[:, reach.low[place] - low - 1 : reach.high[place] - low])
    return costs


def _sheared(steps: int, width: int) -> tuple[Array, Array]:
    """One memory seen by (gap, sample before) and by (gap, sample after), the gap apart.

    Rows that are one longer than those they are laid over start one place later each time.
    """
    reached = width + steps - 1
    memory = np.full(steps * (reached + 1), np.inf)
    return memory.reshape(steps, reached + 1)[:, :width], memory[: steps * reached].reshape(steps, reached)


def backtrack(scores: Array, reach: Reach, costs: list[Array], gap: int) -> Path:
    """The samples that lead to the last one over a gap of `gap + 1`; choices are made again."""
    path = np.empty(len(reach.low), dtype=np.intp)
    path[-1] = reach.high[-1]
    for place in range(len(path) - 1, 1, -1):
        path[place - 1] = before = path[place] - gap - 1
        column = before - reach.low[place - 1]
        gap = int(np.argmin(costs[place - 2][:, column] + scores[:, gap, before]))
    path[0] = reach.low[0]
    return path

"""The best choice of input samples when the number of output samples does not matter."""

import numpy as np

from ..numerics import Array
from .shortest_path import Path, Reach, backtrack, forward_costs


def free_path(scores: Array, reach: Reach) -> tuple[Path, float]:
    """Input samples with the least sum of scores from the first to the last one, and that sum.

    Args:
        scores: (s, s, n) from `score_triples`.
        reach: Where the first output samples must lie, the last of them at one place; a single
            one leaves everything after the first input sample free.
    """
    start = int(reach.high[-1])
    costs = forward_costs(scores, reach) if len(reach.low) > 1 else []
    best, by_sample = _all_costs(scores, start, costs[-1][:, -1] if costs else None)
    path, gap = _tail(best, by_sample, start)
    if not costs:
        return path, float(best[-1].min())
    state = costs[-1][:, -1]
    gap = int(np.argmin(state + scores[:, gap, start]))
    return np.concatenate([backtrack(scores, reach, costs, gap), path[1:]]), float(best[-1].min())


def _all_costs(scores: Array, start: int, state: Array | None) -> tuple[Array, Array]:
    """(n, s) least cost of showing a sample after a gap, and the scores by sample (n, s, s)."""
    steps, _, count = scores.shape
    by_sample = np.ascontiguousarray(scores.transpose(2, 0, 1))
    best = np.full((count + steps, steps), np.inf)
    gaps = np.arange(steps)
    best[start + 1 + gaps, gaps] = 0.0 if state is None else (state[:, None] + by_sample[start]).min(axis=0)
    # Gap c of sample j is written to sample j + c: one memory row and one column further each time.
    memory, row = best.reshape(-1), steps + 1
    for sample in range(start + 1, count - 1):
        reached = (best[sample][:, None] + by_sample[sample]).min(axis=0)
        place = (sample + 1) * steps
        memory[place : place + steps * row : row] = reached
    return best[:count], by_sample


def _tail(best: Array, by_sample: Array, start: int) -> tuple[Path, int]:
    """Samples from the start to the last one, and the first gap (less one)."""
    sample, gap = len(best) - 1, int(np.argmin(best[-1]))
    path = [sample]
    while sample - gap - 1 > start:
        sample -= gap + 1
        path.append(sample)
        gap = int(np.argmin(best[sample] + by_sample[sample][:, gap]))
    return np.array([start, *reversed(path)], dtype=np.intp), gap

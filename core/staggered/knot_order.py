"""Keeping the knots of one variable in order."""

import numpy as np
from numpy.typing import NDArray

from ..numerics import Array


def in_order(times: Array, present: NDArray[np.bool_], margin: float) -> Array:
    """Move knots that cross by as little as keeps them `margin` apart; leave all others bit for bit.

    The result is the nearest one in the sense of least squares: knots that crossed end up around
    their common mean.

    Args:
        times: (K, V) wanted time of every knot, in seconds.
        present: (K, V) which knots there are.
        margin: Least distance of two knots of one variable, in seconds.
    """
    result = np.array(times)
    held = np.maximum.accumulate(np.where(present, times, -np.inf), axis=0)
    # A hair less than the margin: knots that were put exactly at it are not touched again.
    crossing = present[1:] & (times[1:] - held[:-1] < margin * (1.0 - 1e-9))
    for variable in np.flatnonzero(crossing.any(axis=0)):
        rows = np.flatnonzero(present[:, variable])
        result[rows, variable] = _spread(times[rows, variable], margin)
    return result


def _spread(times: Array, margin: float) -> Array:
    """Isotonic regression of one sequence of times by pooling neighbours that violate the order."""
    steps = margin * np.arange(len(times))
    blocks: list[tuple[float, int]] = []
    for value in times - steps:
        mean, count = float(value), 1
        while blocks and blocks[-1][0] > mean:
            other, size = blocks.pop()
            mean, count = (mean * count + other * size) / (count + size), count + size
        blocks.append((mean, count))
    counts = [count for _, count in blocks]
    spread = np.repeat([mean for mean, _ in blocks], counts) + steps
    return np.where(np.repeat(counts, counts) == 1, times, spread)

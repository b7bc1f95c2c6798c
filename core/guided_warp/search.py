"""Choosing samples: exactly, or in long motions near a coarse solution."""

from itertools import pairwise

import numpy as np

from ..numerics import Array
from .features import Features
from .free_path import free_path
from .grid import RATE, Grid, plan_grid
from .likeness import unlikeness, with_own_timing
from .objective import score_triples
from .shortest_path import Path, Reach, shortest_path

# Input samples from which on the coarse solution saves more than it costs.
LONG = 4000
# The coarse solution has a sample for each of so many, and so many samples around it are searched.
# Narrower costs more than the twentieth that is allowed.
_COARSE, _RADIUS = 4, 32


def search(
    grid: Grid, features: Features, reference: Features, *, free: bool, coarse: bool, keep_unlike: bool = False
) -> tuple[Path, float]:
    """Input samples of all output samples and their cost.

    Args:
        reference: What the output should resemble.
        free: The last part's length is free.
        coarse: Search around a coarse solution only.
        keep_unlike: What is unlike the reference asks for its own speed.
    """
    scores = _scores(grid, features, reference.at_rate(RATE), free=free, keep_unlike=keep_unlike)
    if free:
        return free_path(_by_input(scores, grid.upsampling), grid.reach.part(int(grid.places[-2]) + 1))
    if coarse:
        path, cost = shortest_path(scores, _corridor(grid, features, reference, keep_unlike))
        if np.isfinite(cost):
            return path, cost
    return shortest_path(scores, grid.reach)


def _scores(grid: Grid, features: Features, reference: Array, *, free: bool, keep_unlike: bool) -> Array:
    """(s, s, n) of all triples of the grid; a free length must not grow wherever nothing moves."""
    samples = features.at(grid.old_times)
    scores = score_triples(samples, reference, grid.most_steps)
    if grid.one_way:
        _close_other_way(scores, grid)
    if not free and not keep_unlike:
        return scores
    unlike = unlikeness(scores, reference) if keep_unlike else 0.0
    return with_own_timing(scores, samples, grid.upsampling, unlike=unlike)


def _close_other_way(scores: Array, grid: Grid) -> None:
    """Forbid gaps below the old speed in parts that get shorter, and above it in parts that get longer."""
    gaps = np.arange(1, len(scores) + 1)
    for (start, end), outputs in zip(pairwise(grid.samples), np.diff(grid.places), strict=True):
        shorter = end - start >= outputs * grid.upsampling
        forbidden = gaps < grid.upsampling if shorter else gaps > grid.upsampling
        scores[forbidden, :, start + 1 : end + 1] = np.inf
        scores[:, forbidden, start:end] = np.inf


def _by_input(scores: Array, upsampling: int) -> Array:
    """Scores that count as much as the input that each sample stands for.

    Counted once for every output sample, as where their number is given, the cheapest length would
    be the shortest wherever the reference has no like poses.
    """
    gaps = np.arange(1, len(scores) + 1) / (2.0 * upsampling)
    return scores * (gaps[:, None] + gaps)[..., None]


def _corridor(grid: Grid, features: Features, reference: Features, keep_unlike: bool) -> Reach:
    """What the output samples may show near the solution of a coarser grid."""
    coarse = plan_grid(
        grid.old_times[grid.samples],
        grid.new_times[grid.places],
        upsampling=grid.upsampling,
        speed_limit=grid.most_steps / grid.upsampling,
        own_reference=grid.one_way,
        rate=RATE / _COARSE,
    )
    scores = _scores(coarse, features, reference.at_rate(RATE / _COARSE), free=False, keep_unlike=keep_unlike)
    path, _ = shortest_path(scores, coarse.reach)
    centre = _finer(grid, np.interp(grid.new_times, coarse.new_times, coarse.old_times[path]))
    return grid.reach.within(centre - _RADIUS, centre + _RADIUS)


def _finer(grid: Grid, old_times: Array) -> Path:
    """The nearest samples that move on by at least one and at most the allowed steps."""
    direction = np.sign(grid.old_times[-1] - grid.old_times[0])
    exact = np.interp(direction * old_times, direction * grid.old_times, np.arange(len(grid.old_times)))
    at = np.arange(len(exact))
    rising = np.maximum.accumulate(np.round(exact).astype(np.intp) - at) + at
    limited: Path = np.minimum.accumulate(rising - grid.most_steps * at) + grid.most_steps * at
    return limited

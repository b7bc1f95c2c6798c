"""Peaks of signals, and how far they stand out."""

from typing import Any

import numpy as np

from ...motion import Indices
from ...numerics import Array


def maxima(signal: Array) -> Indices:
    """Frames (N,) higher than the frame before and not lower than the one after; never the ends."""
    inner = signal[1:-1]
    return np.flatnonzero((inner > signal[:-2]) & (inner >= signal[2:])) + 1


def prominences(signal: Array, peaks: Indices) -> Array:
    """(N,) how far a way from each peak to any higher point has to go down at least; to the ends if there is none."""
    # Lowest points before the first peak, between each and the next, and after the last.
    valleys = np.minimum.reduceat(signal, np.concatenate([[0], peaks])).tolist()
    heights = signal[peaks].tolist()
    before, after = _bases(heights, valleys[:-1]), _bases(heights[::-1], valleys[:0:-1])[::-1]
    found: Array = np.array(heights) - np.maximum(before, after)
    return found


def _bases(heights: list[float], valleys: list[float]) -> list[float]:
    """Lowest points between each peak and the next higher one before it; `valleys` lie before each peak."""
    stack: list[tuple[float, float]] = []
    bases = []
    for height, valley in zip(heights, valleys, strict=True):
        base = valley
        while stack and stack[-1][0] <= height:
            base = min(base, stack.pop()[1])
        stack.append((height, base))
        bases.append(base)
    return bases


def signal_extremes(signal: Array, least: float) -> tuple[Indices, Array]:
    """Frames (N,) of maxima and minima that stand out by at least so much, and by how much each does."""
    turns = _without_small_swings(signal, least)
    heights = signal[turns]
    frames: list[Any] = []
    amounts: list[Any] = []
    for side in (heights, -heights):
        peaks = maxima(side)
        amount = prominences(side, peaks)
        frames.append(turns[peaks[amount >= least]])
        amounts.append(amount[amount >= least])
    return np.concatenate(frames), np.concatenate(amounts)


def _without_small_swings(signal: Array, least: float) -> Indices:
    """Frames (N,) of both ends and of the turns of a signal, without pairs of turns that a small swing lies between.

    A swing that is smaller than those on both sides of it tells nothing about how far other turns stand out.
    """
    turns = np.unique(np.concatenate([[0], maxima(signal), maxima(-signal), [len(signal) - 1]]))
    while len(turns) > 3:
        swings = np.abs(np.diff(signal[turns]))
        inner = swings[1:-1]
        small = (inner < least) & (inner < swings[:-2]) & (inner <= swings[2:])
        if not small.any():
            break
        first = np.flatnonzero(small) + 1
        turns = np.delete(turns, np.concatenate([first, first + 1]))
    return turns

"""How long work takes: the fastest of several turns counts, since a shared machine has slow moments."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

Work = Callable[[], Any]
# What other programs do changes little of the processor's time, but all of the clock on the wall.
WALL, PROCESSOR = time.perf_counter, time.process_time


def milliseconds(work: Work, turns: int = 3, *, clock: Callable[[], float] = WALL) -> float:
    """Milliseconds of the fastest turn."""
    return each_in_turn({"it": work}, turns, clock=clock)["it"]


def seconds(work: Work, turns: int = 3, *, clock: Callable[[], float] = WALL) -> float:
    """Seconds of the fastest turn."""
    return 1e-3 * milliseconds(work, turns, clock=clock)


def seconds_within(work: Work, patience: float) -> float:
    """Seconds of the fastest turn of as many as there is patience for, in seconds, after one to warm up."""
    work()
    best, begin = float("inf"), WALL()
    while WALL() - begin < patience:
        best = min(best, seconds(work, 1))
    return best


def each_in_turn(works: dict[str, Work], turns: int, *, clock: Callable[[], float] = WALL) -> dict[str, float]:
    """Milliseconds of the fastest turn of each; one after the other takes its turn, so that slow moments meet all."""
    best = dict.fromkeys(works, float("inf"))
    for _turn in range(turns):
        for name, work in works.items():
            begin = clock()
            work()
            best[name] = min(best[name], 1e3 * (clock() - begin))
    return best

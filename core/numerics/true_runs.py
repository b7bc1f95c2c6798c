"""Runs of true values."""

from typing import Any

import numpy as np


def runs(chosen: Any) -> list[slice]:
    """Every run of true values (F,), in order."""
    edges = np.flatnonzero(np.diff(np.asarray(chosen, dtype=np.int8), prepend=0, append=0))
    return [slice(start, stop) for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)]


def first_and_last(chosen: Any) -> list[tuple[int, int]]:
    """First and last place of every run of true values (F,), in order."""
    return [(run.start, run.stop - 1) for run in runs(chosen)]

"""What a search for faults of the capture finds: where, when and how large."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np


class FlawKind(Enum):
    """What is wrong."""

    SPIKE = "spike"
    HELD = "held"
    MISSING = "missing"
    JUMP = "jump"
    BELOW_FLOOR = "below floor"


@dataclass(frozen=True)
class Flaw:
    """One fault in one channel of a joint.

    Attributes:
        kind: What is wrong.
        joint: Name of the joint.
        channel: 'rotation', 'location' or 'scale'.
        first: Number of the first frame that is wrong.
        last: Number of the last one.
        size: How far off it is at most: radians of rotations, units of everything else.
    """

    kind: FlawKind
    joint: str
    channel: str
    first: int
    last: int
    size: float


def runs(chosen: Any) -> Iterator[tuple[int, int]]:
    """First and last frame of every run of true values (F,)."""
    edges = np.diff(np.concatenate([[0], np.asarray(chosen, dtype=np.int8), [0]]))
    starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    for start, stop in zip(starts, stops, strict=True):
        yield int(start), int(stop) - 1

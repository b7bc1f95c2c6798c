"""The joints that a filter has to look at, a few at a time.

A block of joints and everything that a filter makes of it fit into the processor's cache, which makes
long motions several times faster than filtering all joints at once.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics import Array
from .motion import Motion
from .skeleton import Indices

Mask = NDArray[np.bool_]

# Samples of one channel that are filtered at once.
_BLOCK = 40_000


def chosen_joints(motion: Motion, joints: Any) -> Mask:
    """(J,) the joints to filter; all if none are given."""
    if joints is None:
        return np.ones(len(motion.skeleton), dtype=np.bool_)
    chosen = np.asarray(joints, dtype=np.bool_)
    if chosen.shape != (len(motion.skeleton),):
        raise ValueError(f"joints must have shape {(len(motion.skeleton),)}, not {chosen.shape}")
    return chosen


def moving_blocks(values: Array, chosen: Mask) -> Iterator[Indices]:
    """Numbers of the chosen joints whose channels (F, J, C) change, in blocks."""
    return blocks(np.flatnonzero(chosen & (values != values[:1]).any(axis=(0, 2))), len(values))


def blocks(joints: Indices, frames: int) -> Iterator[Indices]:
    """Joints parted into blocks of a size that is quick to filter."""
    size = max(1, _BLOCK // max(frames, 1))
    for start in range(0, len(joints), size):
        yield joints[start : start + size]

"""Shapes of a face among the scalar channels of a motion: numbers that say how much of an expression is shown.

Other scalar channels are custom properties, many of which are switches.
"""

import re
from dataclasses import replace
from typing import Any

import numpy as np

from ..numerics import Array
from .joint_blocks import Mask, moving_blocks
from .motion import Motion

_SHAPE = re.compile(r'key_blocks\["((?:[^"\\]|\\.)*)"\]\.value$')
# What a shape may always show, however little of it a motion does: from nothing to all of it.
_NONE, _ALL = 0.0, 1.0


def shape_name(channel: str) -> str | None:
    """The shape key whose value a scalar channel is, as people know it; None for other channels."""
    found = _SHAPE.search(channel)
    return re.sub(r"\\(.)", r"\1", found.group(1)) if found else None


def shape_channels(motion: Motion) -> Mask:
    """(N,) true for the scalar channels that are shapes and change little by little."""
    are_shapes = np.array([shape_name(name) is not None for name in motion.scalar_names], dtype=np.bool_)
    return are_shapes & ~motion.steps


def with_shapes(motion: Motion, after: Motion, joints: Any, of_vectors: Any) -> Motion:
    """An edit of a motion with its shapes filtered too; they go with the first joint, as the object does.

    What a filter swings beyond nothing or all of a shape is cut off, unless the motion itself went there.

    Args:
        motion: Before the edit.
        after: The edit.
        joints: (J,) which joints are filtered; all if None.
        of_vectors: From channels (F, N, C) to new ones.
    """
    chosen = shape_channels(motion)
    if not chosen.any() or not (joints is None or np.asarray(joints, dtype=np.bool_)[0]):
        return after
    before: Array = motion.scalars[:, :, None]
    scalars = np.array(motion.scalars)
    for block in moving_blocks(before, chosen):
        scalars[:, block] = of_vectors(before[:, block])[..., 0]
    low = np.minimum(motion.scalars.min(axis=0), _NONE)
    high = np.maximum(motion.scalars.max(axis=0), _ALL)
    return replace(after, scalars=np.where(chosen, np.clip(scalars, low, high), motion.scalars))

"""Poses as frames of a motion: choosing, joining and replacing some of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...numerics import quaternion
from ..motion import Motion

_ARRAYS = ("rotations", "locations", "scales", "scalars")


def chosen(poses: Motion, rows: Any) -> Motion:
    """The poses of some rows, in that order."""
    return _with({name: getattr(poses, name)[rows] for name in _ARRAYS}, poses)


def joined(parts: Sequence[Motion]) -> Motion:
    """Poses of several motions of one skeleton after each other."""
    return _with({name: np.concatenate([getattr(part, name) for part in parts]) for name in _ARRAYS}, parts[0])


def replaced(poses: Motion, rows: Any, others: Motion) -> Motion:
    """The same poses with some rows exchanged."""

    def put(name: str) -> Any:
        values = np.array(getattr(poses, name))
        values[rows] = getattr(others, name)
        return values

    return _with({name: put(name) for name in _ARRAYS}, poses)


def _with(arrays: dict[str, Any], like: Motion) -> Motion:
    arrays["rotations"] = quaternion.sign_continuous(arrays["rotations"])
    return replace(like, times=np.arange(len(arrays["rotations"])) / like.rate, **arrays)

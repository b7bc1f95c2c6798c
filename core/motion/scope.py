"""Keeping an edit to the joints it was meant for."""

from dataclasses import replace
from typing import Any

import numpy as np

from .motion import Motion


def within_scope(before: Motion, after: Motion, joints: Any, *, scalars: Any = True) -> Motion:
    """The edited motion with every joint outside the scope put back bit for bit.

    Args:
        before: The motion that was edited.
        after: The edit, with the same times.
        joints: (J,) true for the joints that may change.
        scalars: (N,) true for the scalar channels that may change, or one answer for all.
    """
    allowed, free = np.asarray(joints, dtype=np.bool_), np.asarray(scalars, dtype=np.bool_)
    if allowed.all() and free.all():
        return after
    chosen = allowed[:, None]
    return replace(
        after,
        rotations=np.where(chosen, after.rotations, before.rotations),
        locations=np.where(chosen, after.locations, before.locations),
        scales=np.where(chosen, after.scales, before.scales),
        scalars=np.where(free, after.scalars, before.scalars),
    )

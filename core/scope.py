"""Keeping an edit to the joints it was meant for."""

from dataclasses import replace
from typing import Any

import numpy as np

from .motion import Motion


def within_scope(before: Motion, after: Motion, joints: Any, *, scalars: bool = True) -> Motion:
    """The edited motion with every joint outside the scope put back bit for bit.

    Args:
        before: The motion that was edited.
        after: The edit, with the same times.
        joints: (J,) true for the joints that may change.
        scalars: Whether the scalar channels may change.
    """
    allowed = np.asarray(joints, dtype=np.bool_)
    if allowed.all() and scalars:
        return after
    chosen = allowed[:, None]
    return replace(
        after,
        rotations=np.where(chosen, after.rotations, before.rotations),
        locations=np.where(chosen, after.locations, before.locations),
        scales=np.where(chosen, after.scales, before.scales),
        scalars=after.scalars if scalars else before.scalars,
    )

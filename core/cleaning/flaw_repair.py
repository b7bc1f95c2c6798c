"""Flaws of all kinds put right."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..analysis.flaws import Flaw, FlawKind
from ..motion import Motion
from .below_floor import lifted
from .better_repair import repaired_where_better

if TYPE_CHECKING:
    from ..editing import Take

_FILLED = {FlawKind.SPIKE, FlawKind.HELD, FlawKind.MISSING}


def mended(take: "Take", flaws: Sequence[Flaw], *, tolerance: float) -> tuple[Motion, tuple[Flaw, ...]]:
    """The motion with spikes and gaps filled in and feet lifted; flips are a matter of the channels.

    Args:
        take: In whose motion they were found; its body is asked for where feet are below the floor.
        flaws: To be put right.
        tolerance: Body heights by which feet may be below the level on which they stand.

    Returns:
        The motion, and the flaws that were left since filling them in would be worse.
    """
    filled, left = repaired_where_better(take.motion, [flaw for flaw in flaws if flaw.kind in _FILLED])
    low = [flaw for flaw in flaws if flaw.kind is FlawKind.BELOW_FLOOR]
    if not low:
        return filled, left
    return _in_stretches_of(low, filled, lifted(filled, take.body, tolerance=tolerance)[0]), left


def _in_stretches_of(flaws: Sequence[Flaw], before: Motion, after: Motion) -> Motion:
    """The later motion in every unbroken stretch of change that one of the flaws lies in, the earlier one elsewhere."""
    changed = (before.rotations != after.rotations).any(axis=(1, 2)) | (before.locations != after.locations).any(
        axis=(1, 2)
    )
    stretch = np.cumsum(np.diff(changed, prepend=False))
    wanted = {int(number) for flaw in flaws for number in stretch[flaw.first : flaw.last + 1]}
    taken = (changed & np.isin(stretch, list(wanted)))[:, None, None]
    return replace(
        after,
        rotations=np.where(taken, after.rotations, before.rotations),
        locations=np.where(taken, after.locations, before.locations),
    )

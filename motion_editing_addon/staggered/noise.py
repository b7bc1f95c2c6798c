"""Shake that a timing edit uncovers: smoothing before it, a warning after it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.staggered import added_noise, evaluate, high_frequency_energy, smooth_chain, with_motion
from ..border.lengths import length_text
from ..border.translation import counted_text, report_text

if TYPE_CHECKING:
    from ...core.motion import Motion
    from .edits.poses_run import Target

# Shake worth a warning: this share of the figure's size, and so many times what was there before.
_VISIBLE, _TIMES_MORE = 2e-4, 3.0


def smoothed(target: Target) -> Target:
    """The target with its chosen joints smoothed; later edits carry that along."""
    motion = smooth_chain(evaluate(target.model), np.flatnonzero(target.joints))
    return replace(target, session=replace(target.session, model=with_motion(target.model, motion)))


def noise_warning(before: Motion, after: Motion) -> str | None:
    """Where shake has appeared, in one line; None if it cannot be seen."""
    if len(before) < 5 or len(before) != len(after):
        return None
    size = float(np.ptp(before.poses.positions[0], axis=0).max()) or 1.0
    added, old = added_noise(before, after), high_frequency_energy(before)
    shaken = (added > (_VISIBLE * size) ** 2) & (added > (_TIMES_MORE**2 - 1.0) * old)
    if not shaken.any():
        return None
    worst = int(np.argmax(np.where(shaken, added, 0.0)))
    return report_text(
        "{bones} more than before, most of all {bone} (by {distance}): try Smooth First",
        bones=counted_text(int(shaken.sum()), "bone shakes", "bones shake"),
        bone=before.skeleton.names[worst],
        distance=length_text(float(np.sqrt(added[worst]))),
    )

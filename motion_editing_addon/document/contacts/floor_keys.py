"""Few keys that keep a figure above the floor between them, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...border.action_io.any_frames import read_frames
from ...border.action_io.reduction.sparse_keys import Closely, follow_closely
from .standing_keys import standing_keys

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....core.motion import Motion, Skeleton
    from ....core.solve.whole_body import Ground
    from ...border.action_io import WriteReport
    from ...border.action_io.written_motion import Plan

# A new key changes its curve on both sides, where something else may sink then.
_ROUNDS = 4


def lift_between_keys(
    plan: Plan,
    report: WriteReport,
    wanted: Motion,
    ground: Ground,
    *closely: Closely,
    seen: Callable[[Motion], Motion] | None = None,
) -> None:
    """Add breakdown keys to curves that have been written, where they let the figure sink and the motion does not.

    Args:
        plan: What was written.
        report: Of the writing; gets what is added.
        wanted: The motion that was to be written.
        ground: What nothing goes below.
        closely: Where else curves may not stray: a new key bends them on both sides.
        seen: Gives the figure that is seen of a motion of the channels; they are its own if not given.
    """
    clip, options = plan.clip, standing_keys(ground.height)
    allowed = ground.sunk((seen(wanted) if seen else wanted).poses.positions)
    rows = np.zeros((len(clip.frames), len(clip.channels.joints)), dtype=np.bool_)
    for _round in range(_ROUNDS):
        now = read_frames(clip.armature, clip.frames, rate=clip.motion.rate).motion
        figure = seen(now) if seen else now
        low = _carriers(ground.sunk(figure.poses.positions) > allowed, figure.skeleton)
        # Of a control rig all controls follow: which of them hold a foot differs from rig to rig.
        low = low if figure is now else np.repeat(low.any(axis=1, keepdims=True), rows.shape[1], axis=1)
        if not (low & ~rows).any():
            return
        rows |= low
        follow_closely(plan, report, (), *closely, Closely(rows, options).on_whole_frames(clip))


def _carriers(low: np.ndarray, skeleton: Skeleton) -> np.ndarray:
    """(F, J) joints that are too low, and all that carry them."""
    found = low.copy()
    for joint in np.flatnonzero(low.any(axis=0)).tolist():
        found[:, list(skeleton.ancestors(joint))] |= low[:, [joint]]
    return found

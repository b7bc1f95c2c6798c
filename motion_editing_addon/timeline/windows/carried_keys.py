"""Few keys of the operation window carried to other windows as keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ....core.timeline import carried_poses
from ...border.action_io import EditedKeys
from ...border.action_io.curves.key_arrays import check_key_arrays, unpack_keys
from ...border.key_options import AUTOMATIC
from ..frames import frames_of
from .memory import remembered

if TYPE_CHECKING:
    import numpy as np

    from ....core.editing import PropagationWindow
    from ....core.motion import Motion
    from ....core.timeline import PropagateEdit
    from ...border.action_io import CarriedKeys, Clip, KeyOptions
    from ..timeline_take import TimelineTake


def edited_keys(take: TimelineTake, options: KeyOptions) -> EditedKeys | None:
    """What was done to few keys of the operation window; None where keys are made anew, or were not remembered."""
    arrays = remembered(take.clip.armature)
    if options.keys != AUTOMATIC or "curves" not in arrays:
        return None
    check_key_arrays(arrays)
    operation = take.windows.operation
    span = frames_of(take.clip, [operation.start, operation.end])
    return EditedKeys.since(take.clip, unpack_keys(arrays), (float(span[0]), float(span[1])), take.joints)


def carried_keys(take: TimelineTake, edited: EditedKeys, tool: PropagateEdit) -> CarriedKeys:
    """The keys of all enabled windows with the same done to them."""
    clip, before = take.clip, take.remembered
    base = edited.base(before)

    def poses(moments: np.ndarray) -> Motion:
        return carried_poses(before, clip.motion, base, moments / clip.motion.rate, amount=tool.amount, body=take.body)

    return edited.carried([_in_frames(clip, window) for window in tool.targets(take)], poses)


def _in_frames(clip: Clip, window: PropagationWindow) -> PropagationWindow:
    """A window in frames of the action."""
    start, end = frames_of(clip, [window.start, window.end]).tolist()
    return replace(
        window,
        start=start,
        end=end,
        operation_frames=frames_of(clip, window.operation_frames),
        own_frames=frames_of(clip, window.own_frames),
    )

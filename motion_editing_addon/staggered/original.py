"""The poses when the original keys come back: those of the original, or at least none that count as un-staggered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.errors import MotionEditError

if TYPE_CHECKING:
    from bpy.types import Action, Object


def follow(armature: Object, original: Action) -> None:
    """Bring back the poses that the action had with these keys; where it had none, forget that stagger was taken away.

    Poses that were made since stay in the list, to be rebuilt.
    """
    from . import pose_list, session

    try:
        if session.bring_back(armature, original):
            action = armature.animation_data.action
            action.motion_editing_staggered["share"] = original.motion_editing_staggered.share
        saved = session.load(armature)
    except MotionEditError:  # said by the tools
        return
    if saved is not None:
        pose_list.refresh(armature, saved)

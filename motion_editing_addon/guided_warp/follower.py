"""What an action has marked goes with its motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import action_marks, keytimes

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ..document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """Markers, the manual frame range and keytimes."""
    action_marks.follow(change)
    keytimes.follow(change)


def restore(armature: Object, original: Action) -> None:
    """Markers, the manual frame range and keytimes as the original has them."""
    action_marks.restore(armature, original)
    keytimes.restore(armature, original)

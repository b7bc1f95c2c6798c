"""What an action has marked goes with its motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import keytimes, time_spans
from . import action_marks

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ...document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """Markers, the manual frame range, keytimes and spans."""
    action_marks.follow(change)
    keytimes.follow(change)
    time_spans.follow(change)


def restore(armature: Object, original: Action) -> None:
    """Markers, the manual frame range, keytimes and spans as the original has them."""
    action_marks.restore(armature, original)
    keytimes.restore(armature, original)
    time_spans.restore(armature, original)

"""What plays an action, and what it has marked, go with its motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import action_marks, keytimes, nla_strips

if TYPE_CHECKING:
    from ..document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """Strips, markers, the manual frame range and keytimes."""
    nla_strips.follow(change)
    action_marks.follow(change)
    keytimes.follow(change)

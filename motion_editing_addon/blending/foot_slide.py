"""What is told of feet that slide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.errors import MotionEditError
from ..border.lengths import length_text
from ..document import scope
from ..document.take.clip_take import ClipTake

if TYPE_CHECKING:
    from bpy.types import Object


def slide_text(armature: Object, *, first: float = -np.inf, last: float = np.inf, where: str = "") -> str:
    """A remark about the foot slide of what an armature plays now, between two action frames; empty without feet.

    Args:
        armature: Who plays it.
        first: Contacts are cut here.
        last: And here.
        where: Names what is between the two frames.
    """
    facts = ClipTake(scope.read_clip(bpy.context, armature))
    rate = facts.clip.motion.rate
    try:
        facts.contacts = facts.contacts.between(first / rate, last / rate)
    except MotionEditError:
        return ""
    slide, is_slow = facts.shown_slide()
    if is_slow:
        return "; foot slide not measured, because playing this control rig takes long"
    return "" if slide is None else f"; foot slide {length_text(slide)}{where}"

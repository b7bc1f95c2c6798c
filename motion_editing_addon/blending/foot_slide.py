"""What is told of feet that slide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...core.errors import MotionEditError
from ..border.lengths import length_text
from ..border.translation import report_text
from ..document import scope
from ..document.take.clip_take import ClipTake

if TYPE_CHECKING:
    from bpy.types import Object


def slide_text(armature: Object, transition: tuple[float, float] | None = None) -> str:
    """A remark about the foot slide of what an armature plays now; empty without feet.

    Args:
        armature: Who plays it.
        transition: Action frames between which alone it is measured.
    """
    take = ClipTake(scope.read_clip(bpy.context, armature))
    try:
        if transition is not None:
            take.contacts = take.contacts.between(*(frame / take.motion.rate for frame in transition))
    except MotionEditError:
        return ""
    slide, is_slow = take.shown_slide()
    if is_slow:
        return report_text("; foot slide not measured, because playing this control rig takes long")
    if slide is None:
        return ""
    told = "; foot slide {slide}" if transition is None else "; foot slide {slide} in the transition"
    return report_text(told, slide=length_text(slide))

"""The panel's choices as a guide for the warp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.guided_warp import GuidedWarpOptions
from ..document import scope
from .keytimes import speeds_of
from .warp import Guide

if TYPE_CHECKING:
    from bpy.types import Object


def guide_of(armature: Object) -> Guide:
    """What the Time panel says."""
    settings = scope.action_of(armature).motion_editing_time
    options = GuidedWarpOptions(
        influence=settings.influence,
        smoothness=settings.smoothness,
        speed_limit=settings.speed_limit,
        free_length=settings.free_length and settings.reference != "SELF",
        keep_unlike=settings.keep_unlike and settings.reference == "RANGE",
        speeds=speeds_of(armature),
    )
    action = settings.reference_action.name if settings.reference_action else ""
    return Guide(options, settings.reference, action, settings.reference_start, settings.reference_end)

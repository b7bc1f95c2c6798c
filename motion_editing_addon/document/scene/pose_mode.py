"""Pose mode of the character that is edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from bpy.types import Context, Object


def enter(context: Context, armature: Object) -> None:
    """Bring an armature to pose mode; where its mesh was active, the armature becomes so. Hidden ones stay as is."""
    if context.object != armature and not _activate(context, armature):
        return
    bpy.ops.object.mode_set(mode="POSE")


def _activate(context: Context, armature: Object) -> bool:
    """Make an object active and selected, if it can be seen."""
    view_layer = context.view_layer
    if armature.name not in view_layer.objects or not armature.visible_get(view_layer=view_layer):
        return False
    if context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    view_layer.objects.active = armature
    armature.select_set(True)
    return True

"""Where Blender 4.5, 5.0 and 5.2 differ; nothing else asks for the version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

if TYPE_CHECKING:
    from bpy.types import ID, Bone, Context, PoseBone, PropertyGroup, Strip

# From 5.0 on the pose bone itself is selected or hidden, before that its bone in the armature.
_POSE_BONES_HAVE_FLAGS = bpy.app.version >= (5, 0, 0)

# Before 5.2 Blender crashes when a script adds retiming keys to a sequencer strip itself; the
# Sequencer's operator does it safely.
CAN_RETIME_STRIPS = bpy.app.version >= (5, 2, 0)


def notice_deletions(settings: PropertyGroup, _context: Context | None = None) -> None:
    """Have Blender empty a property of an action when the other action that it points to is deleted.

    Blender 5.0 looks for actions in no other actions than those with custom properties: the rest would go on
    pointing to where an action was, and reading that crashes.
    """
    settings.id_data.id_properties_ensure()


def stored_settings(owner: ID | PropertyGroup) -> Any:
    """The settings that hang on something as Blender stores them: copied as a whole, without telling of changes."""
    return owner.bl_system_properties_get(do_create=True) if bpy.app.version >= (5, 0, 0) else owner


def _flags(bone: PoseBone) -> PoseBone | Bone:
    return bone if _POSE_BONES_HAVE_FLAGS else bone.bone


def is_selected(bone: PoseBone) -> bool:
    """Whether a pose bone is selected."""
    return _flags(bone).select


def select(bone: PoseBone, state: bool = True) -> None:
    """Select or deselect a pose bone."""
    _flags(bone).select = state


def is_hidden(bone: PoseBone) -> bool:
    """Whether a pose bone is hidden by itself; its collections may hide it too."""
    return _flags(bone).hide


def strip_ends(strip: Strip) -> tuple[float, float]:
    """First frame of a sequencer strip in the scene, and the one after its last."""
    if bpy.app.version >= (5, 2, 0):
        return strip.left_handle, strip.right_handle
    return strip.frame_final_start, strip.frame_final_end


def content_start(strip: Strip) -> tuple[float, float]:
    """Frame at which the content of a sequencer strip starts, and frames cut off before it."""
    if bpy.app.version >= (5, 2, 0):
        return strip.content_start, strip.content_trim_start
    return strip.frame_start, strip.animation_offset_start


def move_strip(strip: Strip, frames: int) -> None:
    """Let a sequencer strip begin so many frames later."""
    name = "content_start" if bpy.app.version >= (5, 2, 0) else "frame_start"
    setattr(strip, name, getattr(strip, name) + frames)

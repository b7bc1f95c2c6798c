"""Pictures of poses beside the rows of the list, made when they are first drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
import bpy.utils.previews

from ....core.errors import MotionEditError
from .. import session
from . import pose_icons

if TYPE_CHECKING:
    from bpy.types import Context, Object

_SIZE = 48
# Pictures of one state of the poses: drawing a list must not make them again.
_made: dict[str, Any] = {}


def icon_of(context: Context, armature: Object, pose: int) -> int:
    """Number of the picture of a pose for Blender's lists; 0 where there is none."""
    if bpy.app.background:
        return 0
    try:
        saved = session.load(armature)
        if saved is None:
            return 0
        state = (armature.name_full, saved.revision)
        if _made.get("state") != state:
            forget()
            _made["state"], _made["icons"] = state, pose_icons.icons_of(context, armature, saved)
            _made["previews"] = bpy.utils.previews.new()
    except MotionEditError:  # said by the tools; drawing cannot
        return 0
    icons, previews = _made["icons"], _made["previews"]
    if not 0 <= pose < len(icons):
        return 0
    name = str(pose)
    if name not in previews:
        picture = previews.new(name)
        picture.icon_size = picture.image_size = (_SIZE, _SIZE)
        pixels = pose_icons.pixels_of(icons[pose], _SIZE).ravel()
        picture.icon_pixels_float.foreach_set(pixels)
        picture.image_pixels_float.foreach_set(pixels)
    return int(previews[name].icon_id)


def forget() -> None:
    """Give the pictures back."""
    if "previews" in _made:
        bpy.utils.previews.remove(_made["previews"])
    _made.clear()

"""Draws the control spaces of pose trees in the 3D View.

Draw handlers exist only while the file has a tree. Everything is read anew at every redraw, since
Blender's own tools move targets and cursors, but built anew only where something has changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...border.lazy_modules import is_loaded
from ...border.redraw import tag_redraw
from . import overlay_painter

if TYPE_CHECKING:
    from bpy.types import Context

_handles: dict[str, object] = {}
_owners: list[str] = []


def follow(owner_names: list[str]) -> None:
    """Draw the trees of these objects from now on; without any there are no draw handlers."""
    _owners[:] = owner_names
    for stage, draw in (("POST_VIEW", _draw_scene), ("POST_PIXEL", _draw_flat)):
        if _owners and stage not in _handles:
            _handles[stage] = bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", stage)
        elif not _owners and stage in _handles:
            bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(stage), "WINDOW")
    if not _owners:
        _forget()
    tag_redraw("VIEW_3D")


def handled_stages() -> set[str]:
    """Stages of drawing that have a handler now."""
    return set(_handles)


def owner_names() -> list[str]:
    """Names of the objects whose trees are shown."""
    return list(_owners)


def _is_wanted(context: Context) -> bool:
    space = context.space_data
    return bool(_owners) and space is not None and space.type == "VIEW_3D" and space.overlay.show_overlays


def _draw_scene() -> None:
    if _is_wanted(bpy.context):
        overlay_painter.paint_scene(bpy.context, _owners)


def _draw_flat() -> None:
    if _is_wanted(bpy.context):
        overlay_painter.paint_flat(bpy.context, _owners)


def _forget() -> None:
    if is_loaded(overlay_painter):
        overlay_painter.forget()


def unregister() -> None:
    """Stop drawing."""
    follow([])

"""The pose as it was, behind the one that is being edited: its bones, and the meshes that they move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...interface.drawing import viewport
from ...interface.drawing.rig_figure import PosedFigure
from ...interface.drawing.theme import faded, palette
from .posing_mode import ghost_name

if TYPE_CHECKING:
    from bpy.types import Context, Object

_BONES, _SKIN, _WIDTH = 0.4, 0.12, 2.0
# Meshes with more triangles than this would take too long to be copied.
_MOST_TRIANGLES = 300_000


def show(context: Context, armature: Object) -> None:
    """Show the rig as it is posed now, and go on showing that."""
    context.view_layer.update()
    ink = palette(context).text
    skins = [(corners, faded(ink, _SKIN)) for corners in _skins(context, armature)]
    viewport.show(ghost_name(armature), ghosts=[(*PosedFigure(armature)(0.0), faded(ink, _BONES), _WIDTH)], skins=skins)


def hide(armature: Object) -> None:
    """Show it no more."""
    viewport.hide(ghost_name(armature))


def _skins(context: Context, armature: Object) -> list[np.ndarray]:
    """(3 N, 3) corners of triangles of every visible mesh that the armature moves."""
    found, left = [], _MOST_TRIANGLES
    things: Any = context.visible_objects
    for thing in things:
        if thing.type == "MESH" and any(
            each.type == "ARMATURE" and each.object == armature for each in thing.modifiers
        ):
            corners = _corners(context, thing, left)
            left -= len(corners) // 3
            found.append(corners)
    return [corners for corners in found if len(corners)]


def _corners(context: Context, thing: Object, most: int) -> np.ndarray:
    posed = thing.evaluated_get(context.evaluated_depsgraph_get())
    mesh = posed.to_mesh()
    mesh.calc_loop_triangles()
    count = len(mesh.loop_triangles)
    if not 0 < count <= most:
        posed.to_mesh_clear()
        return np.empty((0, 3))
    corners, places = np.empty(3 * count, dtype=np.int32), np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.loop_triangles.foreach_get("vertices", corners)
    mesh.vertices.foreach_get("co", places)
    posed.to_mesh_clear()
    world = np.array(posed.matrix_world)
    in_scene: np.ndarray = places.reshape(-1, 3)[corners] @ world[:3, :3].T + world[:3, 3]
    return in_scene

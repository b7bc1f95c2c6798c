"""Skinned characters, and the soles of their feet."""

from __future__ import annotations

import os
from pathlib import Path

import bpy
import numpy as np

from ..figures import Figure

# A vertex belongs to the sole if the foot moves it by at least this share.
_SHARE = 0.5


def folder() -> Path | None:
    """Where the characters are, None where there are none."""
    given = os.environ.get("MOTION_EDITING_CLIPS")
    base = Path(given) if given else Path(__file__).resolve().parents[3] / "shared" / "data"
    return base / "characters" if (base / "characters").is_dir() else None


def append(path: Path, size: float) -> bpy.types.Object:
    """Bring a character in, at another size, selected alone."""
    there = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=str(path))
    new = [thing for thing in bpy.data.objects if thing not in there]
    armature = next(thing for thing in new if thing.type == "ARMATURE")
    for thing in new:
        if thing.type == "MESH" and thing.parent != armature:
            bpy.data.objects.remove(thing)
    armature.scale = (size, size, size)
    bpy.context.view_layer.update()
    bpy.ops.object.select_all(action="DESELECT")
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    return armature


def skin_of(armature: bpy.types.Object) -> bpy.types.Object | None:
    """The mesh that the armature moves."""
    return next((thing for thing in armature.children if thing.type == "MESH"), None)


def sole_vertices(armature: bpy.types.Object, figure: Figure) -> list[np.ndarray]:
    """For every leg the vertices that its foot and toe move."""
    skin = skin_of(armature)
    if skin is None:
        return []
    groups = {group.name: group.index for group in skin.vertex_groups}
    found = []
    for leg in figure.legs:
        foot = {groups[bone] for bone in leg[2:] if bone in groups}
        weights = [sum(each.weight for each in vertex.groups if each.group in foot) for vertex in skin.data.vertices]
        found.append(np.flatnonzero(np.array(weights) >= _SHARE))
    return found if all(len(each) for each in found) else []


def lowest_of(armature: bpy.types.Object, soles: list[np.ndarray]) -> np.ndarray:
    """(legs,) height of the lowest point of every sole, as Blender shows it now."""
    skin = skin_of(armature).evaluated_get(bpy.context.evaluated_depsgraph_get())
    places = np.empty(3 * len(skin.data.vertices), np.float32)
    skin.data.vertices.foreach_get("co", places)
    world = np.array(skin.matrix_world)
    heights = places.reshape(-1, 3) @ world[2, :3] + world[2, 3]
    return np.array([heights[each].min() for each in soles])

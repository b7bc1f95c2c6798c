"""Points of a Blender curve, in the scene."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.errors import MotionEditError


def points_of(name: str) -> np.ndarray:
    """(N, 3) points along the first spline of a curve object, in scene space; a closed one comes back to its start.

    Raises:
        MotionEditError: There is no such curve, or it has no spline of two points or more.
    """
    thing = bpy.data.objects.get(name)
    if thing is None or thing.type != "CURVE":
        raise MotionEditError("Choose a curve object to follow, in the panel or by selecting it with the armature")
    local = _along_first_spline(thing.data)
    if len(local) < 2:
        raise MotionEditError(f"'{name}' has no spline with two points: add some in edit mode")
    matrix = np.array(thing.matrix_world)
    return local @ matrix[:3, :3].T + matrix[:3, 3]


def _along_first_spline(curve: bpy.types.Curve) -> np.ndarray:
    """Blender's own subdivision of the curve, without thickness."""
    if not curve.splines:
        return np.empty((0, 3))
    copy = curve.copy()
    copy.bevel_mode, copy.bevel_depth, copy.extrude, copy.offset = "ROUND", 0.0, 0.0, 0.0
    copy.fill_mode = "FULL" if copy.dimensions == "3D" else "NONE"
    for spline in list(copy.splines)[1:]:
        copy.splines.remove(spline)
    bare = bpy.data.objects.new("bare curve", copy)
    try:
        vertices = bare.to_mesh().vertices
        points = np.empty(3 * len(vertices), dtype=np.float32)
        vertices.foreach_get("co", points)
        bare.to_mesh_clear()
        rows = points.reshape(-1, 3).astype(np.float64)
        return np.concatenate([rows, rows[:1]]) if copy.splines[0].use_cyclic_u else rows
    finally:
        bpy.data.objects.remove(bare)
        bpy.data.curves.remove(copy)

"""Figures of several sizes for the tests of retargeting."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from motion_editing.motion_editing_addon.document import scope

RATE = 15
FRAMES = (1, 20, 37, 60, 100)


def retargeted(**properties) -> bpy.types.Action:
    """Run the operator; the action that the active armature plays then."""
    assert bpy.ops.motion_editing.retarget_motion(**properties) == {"FINISHED"}
    return scope.action_of(bpy.context.object)


def load_walker() -> bpy.types.Object:
    """The sample motion, active."""
    bpy.context.scene.render.fps = RATE
    bpy.ops.motion_editing.load_sample_motion(rate=RATE)
    return bpy.context.object


def figure_like(walker: bpy.types.Object, factor: float, *, name: str = "Small") -> bpy.types.Object:
    """The same bones at another size, without an action, active."""
    data = walker.data.copy()
    if factor != 1.0:
        data.transform(Matrix.Scale(factor, 4))
    figure = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(figure)
    make_active(figure)
    return figure


def make_active(armature: bpy.types.Object) -> None:
    """Select it alone."""
    for other in bpy.context.selected_objects:
        other.select_set(False)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()


def shown(armature: bpy.types.Object, frame: int) -> np.ndarray:
    """(J, 3) bones in the scene as Blender shows them."""
    bpy.context.scene.frame_set(frame)
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([posed.matrix_world @ bone.head for bone in posed.pose.bones])


def refused(reason: str, **properties) -> None:
    with pytest.raises(RuntimeError, match=reason):
        bpy.ops.motion_editing.retarget_motion(**properties)


def places(armature: bpy.types.Object, bone: str, frames=range(1, 170, 8)) -> np.ndarray:
    number = armature.pose.bones.find(bone)
    return np.array([shown(armature, frame)[number] for frame in frames])

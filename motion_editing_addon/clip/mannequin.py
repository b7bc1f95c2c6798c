"""The mannequin as a mesh that an armature moves: faces, materials, vertex groups and shape keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ...core.sample_motion import mannequin, sample_skeleton
from ..border.armature import skeleton_of
from ..document.scene.free_place import step_aside

if TYPE_CHECKING:
    from bpy.types import Context, Mesh, Object

    from ...core.numerics import Array
    from ...core.sample_motion.mannequin import Mannequin

_NAME = "Mannequin"
_COLOURS = {
    "skin": (0.56, 0.53, 0.50, 1.0),
    "dark": (0.035, 0.045, 0.065, 1.0),
    "light": (0.90, 0.90, 0.90, 1.0),
}
# Weights are told to Blender in this many steps, all vertices of a step at once.
_STEPS = 200


def dress_sample(context: Context, armature: Object) -> Object:
    """Put the mannequin on the sample figure, whose bones become sticks in front of it."""
    body, data = mannequin.mannequin(), armature.data
    data.display_type = "STICK"
    return _worn(context, armature, body, mannequin.sample_weights(body, sample_skeleton()))


def stand_aside(context: Context, armature: Object) -> None:
    """Let a figure that was added stand in nothing that was there before, such as the default cube."""
    context.view_layer.update()
    own = {armature, *armature.children_recursive}
    joints = np.array([armature.matrix_world @ bone.head for bone in armature.pose.bones])
    armature.location.x += step_aside(context, joints, own)


def dress_rigify(context: Context, rig: Object) -> Object:
    """Put the mannequin on a rig that Rigify has built for it."""
    body = mannequin.mannequin()
    return _worn(context, rig, body, mannequin.rigify_weights(body, skeleton_of(rig)))


def metarig_bones() -> dict[str, tuple[Array, Array]]:
    """Head and tail that bones of Rigify's human need for the mannequin."""
    return mannequin.metarig_bones(sample_skeleton())


def _worn(context: Context, armature: Object, body: Mannequin, weights: dict[str, Array]) -> Object:
    """A new mesh object that follows the armature."""
    skin = bpy.data.objects.new(_NAME, _mesh(body))
    (context.collection or context.scene.collection).objects.link(skin)
    for bone, each in weights.items():
        _weigh(skin, bone, each)
    _add_shape_keys(skin, body)
    skin.parent = armature
    modifier = skin.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    return skin


def _mesh(body: Mannequin) -> Mesh:
    mesh = bpy.data.meshes.new(_NAME)
    mesh.from_pydata(body.vertices, [], body.squares)
    for name in mannequin.MATERIALS:
        mesh.materials.append(_material(name))
    mesh.polygons.foreach_set("material_index", body.materials.astype(np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(len(body.squares), dtype=bool))
    mesh.update()
    return mesh


def _material(name: str) -> Any:
    label = f"{_NAME} {name.title()}"
    found: Any = bpy.data.materials.get(label)
    if found is None:
        found = bpy.data.materials.new(label)
        found.diffuse_color = _COLOURS[name]
    return found


def _weigh(skin: Object, bone: str, weights: Array) -> None:
    """Fill a vertex group; Blender takes one weight for many vertices at a time."""
    group = skin.vertex_groups.new(name=bone)
    steps = np.rint(_STEPS * weights).astype(int)
    order = np.argsort(steps, kind="stable")
    values, starts = np.unique(steps[order], return_index=True)
    for value, vertices in zip(values.tolist(), np.split(order, starts[1:]), strict=True):
        if value:
            group.add(vertices.tolist(), value / _STEPS, "REPLACE")


def _add_shape_keys(skin: Object, body: Mannequin) -> None:
    skin.shape_key_add(name="Basis", from_mix=False)
    for name, moves in body.shapes.items():
        block = skin.shape_key_add(name=name, from_mix=False)
        block.value = 0.0
        block.points.foreach_set("co", (body.vertices + moves).astype(np.float32).ravel())

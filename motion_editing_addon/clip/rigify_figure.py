"""A mannequin with the controls that Rigify builds: its human metarig is fitted, generated and dressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Vector

from ...core.sample_motion.mannequin import UNUSED_METARIG_BONES
from . import mannequin

if TYPE_CHECKING:
    from bpy.types import Context, EditBone, Object

# Rigify's operators and settings are there once it is enabled.
_operators: Any = bpy.ops


def why_not(context: Context) -> str | None:
    """Why Rigify cannot build anything now."""
    enabled = "rigify" in context.preferences.addons
    return None if enabled else "Enable the add-on Rigify in the preferences, then try again"


def add_performer(context: Context, source: Any) -> Object:
    """Add the character and give it the motion of the sample figure, which goes away."""
    name = source.name
    source.name = f"{name} Source"
    rig: Any = add_character(context, name=name)
    _operators.motion_editing.retarget_motion(source=source.name, target=rig.name)
    data, action = source.data, source.animation_data.action
    performed = rig.animation_data.action
    performed.motion_editing.source_rate = action.motion_editing.source_rate
    bpy.data.objects.remove(source)
    bpy.data.armatures.remove(data)
    bpy.data.actions.remove(action)
    performed.name = name
    return rig  # type: ignore[no-any-return]


def add_character(context: Context, *, name: str) -> Object:
    """Add a skinned character with controls, without motion, and make it active."""
    _operators.object.armature_human_metarig_add()
    metarig: Any = context.object
    metarig.location = (0.0, 0.0, 0.0)
    _fit(metarig)
    _operators.pose.rigify_generate()
    rig = metarig.data.rigify_target_rig
    unneeded = metarig.data
    bpy.data.objects.remove(metarig)
    bpy.data.armatures.remove(unneeded)
    rig.name = rig.data.name = name
    mannequin.dress_rigify(context, rig)
    context.view_layer.objects.active = rig
    rig.select_set(True)
    return rig  # type: ignore[no-any-return]


def _fit(metarig: Any) -> None:
    """Move the metarig's bones into the mannequin, each turned about itself as little as possible."""
    bpy.ops.object.mode_set(mode="EDIT")
    bones = metarig.data.edit_bones
    for name in UNUSED_METARIG_BONES:
        for bone in (*bones[name].children_recursive, bones[name]):
            bones.remove(bone)
    places = mannequin.metarig_bones()
    for bone in bones:
        if bone.name in places:
            _place(bone, *(Vector(place.tolist()) for place in places[bone.name]))
    bpy.ops.object.mode_set(mode="OBJECT")


def _place(bone: EditBone, head: Vector, tail: Vector) -> None:
    turn = bone.vector.rotation_difference(tail - head)
    upright = turn @ bone.z_axis
    bone.head, bone.tail = head, tail
    bone.align_roll(upright)

"""New armature objects for motions that come from files or from core."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import bpy
import numpy as np
from mathutils import Vector

from ...core.motion import with_rest_rotations
from ...core.numerics import quaternion
from . import action_io
from .armature import skeleton_of

if TYPE_CHECKING:
    from bpy.types import Armature, Context, Object

    from ...core.motion import Motion, Skeleton

# Blender deletes bones without length; joints without one get this part of the skeleton's size.
_SHORTEST = 1e-3


def add_armature(context: Context, motion: Motion, *, name: str, first_frame: int = 1) -> Object:
    """Add an armature that performs the motion, one sample per frame, and make it active."""
    if context.object is not None and context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    data = bpy.data.armatures.new(name)
    armature = bpy.data.objects.new(name, data)
    context.collection.objects.link(armature)
    for other in context.selected_objects:
        other.select_set(False)
    armature.select_set(True)
    context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    names = _add_bones(data, motion.skeleton)
    bpy.ops.object.mode_set(mode="OBJECT")
    action = action_io.write_new(armature, _for_bones(armature, motion, names), name=name, first_frame=first_frame)
    action.motion_editing.source_rate = motion.rate
    return armature


def _add_bones(data: Armature, skeleton: Skeleton) -> list[str]:
    """Make the bones at rest; returns their names, which Blender may have shortened."""
    size = float(np.ptp(skeleton.rest_positions, axis=0).max()) or 1.0
    tips = quaternion.rotate(skeleton.rest_rotations, skeleton.tips)
    tips = np.where(np.linalg.norm(tips, axis=1, keepdims=True) < _SHORTEST * size, [0, 0, 0.02 * size], tips)
    upright = quaternion.rotate(skeleton.rest_rotations, [0.0, 0.0, 1.0])
    bones = [data.edit_bones.new(name) for name in skeleton.names]
    for joint, bone in enumerate(bones):
        bone.head = skeleton.rest_positions[joint]
        bone.tail = skeleton.rest_positions[joint] + tips[joint]
        bone.align_roll(Vector(upright[joint]))
        if skeleton.parents[joint] >= 0:
            bone.parent = bones[skeleton.parents[joint]]
    return [bone.name for bone in bones]


def _for_bones(armature: Object, motion: Motion, names: list[str]) -> Motion:
    """The motion in the axes and the order of the armature's bones, with the object as joint 0."""
    skeleton = skeleton_of(armature)
    joints = [names.index(bone) for bone in skeleton.names[1:]]
    rest = np.empty((len(names), 4))
    rest[joints] = skeleton.rest_rotations[1:]
    turned = with_rest_rotations(motion, rest)
    still = np.zeros((len(motion), 1, 3))
    return replace(
        turned,
        skeleton=skeleton,
        rotations=np.concatenate([quaternion.identity(len(motion), 1), turned.rotations[:, joints]], axis=1),
        locations=np.concatenate([still, turned.locations[:, joints]], axis=1),
        scales=np.concatenate([still + 1.0, turned.scales[:, joints]], axis=1),
    )

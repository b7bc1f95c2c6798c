"""Armatures and actions made in code, for the add-on's tests."""

from __future__ import annotations

import bpy
import numpy as np

ROTATION_MODES = ("QUATERNION", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "AXIS_ANGLE")


def chain_armature(bones: int = 4, *, name: str = "Rig", connected: bool = True) -> bpy.types.Object:
    """A chain of bones that bends a little, each one unit long, active in object mode."""
    data = bpy.data.armatures.new(name)
    armature = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for index in range(bones):
        bone = data.edit_bones.new(f"bone{index}")
        bone.head, bone.tail = (0.1 * index * index, 0, index), (0.1 * (index + 1) ** 2, 0, index + 1)
        bone.roll = 0.3 * index
        bone.parent, bone.use_connect = parent, connected and parent is not None
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def key_bones(armature: bpy.types.Object, frames: list[float], *, seed: int = 1) -> bpy.types.Action:
    """Random keys for location, rotation and scale of every bone, by Blender's own insertion."""
    random = np.random.default_rng(seed)
    for frame in frames:
        for bone in armature.pose.bones:
            bone.location = random.normal(size=3) * 0.1
            if bone.rotation_mode == "QUATERNION":
                bone.rotation_quaternion = np.array([1, 0, 0, 0]) + random.normal(size=4) * 0.3
                prop = "rotation_quaternion"
            elif bone.rotation_mode == "AXIS_ANGLE":
                bone.rotation_axis_angle = (random.normal() * 0.5, *random.normal(size=3))
                prop = "rotation_axis_angle"
            else:
                bone.rotation_euler = random.normal(size=3) * 0.5
                prop = "rotation_euler"
            bone.scale = 1 + random.normal(size=3) * 0.1
            for path in ("location", prop, "scale"):
                bone.keyframe_insert(path, frame=frame)
    return armature.animation_data.action


def evaluated_matrices(armature: bpy.types.Object, frame: int) -> np.ndarray:
    """World matrices of all bones as Blender itself evaluates them."""
    bpy.context.scene.frame_set(frame)
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([posed.matrix_world @ bone.matrix for bone in posed.pose.bones])


def all_keys(action: bpy.types.Action) -> dict[tuple[str, str, int], dict[str, list]]:
    """Every attribute of every key of every slot, for comparing bit for bit."""
    from motion_editing.motion_editing_addon.action_io.keys import ATTRIBUTES, read_keys

    found = {}
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                for curve in bag.fcurves:
                    arrays = read_keys(curve)
                    found[bag.slot.identifier, curve.data_path, curve.array_index] = {
                        name: arrays[name].tobytes() for name in ATTRIBUTES
                    }
    return found

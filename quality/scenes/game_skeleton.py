"""A game skeleton: names as engines use them, and a root bone on the ground."""

from __future__ import annotations

import bpy
import numpy as np

from . import curves, hand_keys

_NAMES = {
    "Hips": "pelvis",
    "LowerBack": "spine_01",
    "Spine": "spine_02",
    "Spine1": "spine_03",
    "Neck": "neck_01",
    "Neck1": "neck_02",
    "Head": "head",
    "Shoulder": "clavicle",
    "Arm": "upperarm",
    "ForeArm": "lowerarm",
    "Hand": "hand",
    "UpLeg": "thigh",
    "Leg": "calf",
    "Foot": "foot",
    "ToeBase": "ball",
}


def add_root(armature: bpy.types.Object, seed: int) -> None:
    """Rename the bones, and put a root below the pelvis: with a key and still, or carrying the way over the ground."""
    hand_keys.to_quaternions(armature)
    for bone in armature.data.bones:
        bone.name = game_name(bone.name)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    edit = armature.data.edit_bones
    root = edit.new("root")
    root.head, root.tail = (0, 0, 0), (0, 0.1 * edit["pelvis"].head.length or 0.1, 0)
    edit["pelvis"].parent = root
    bpy.ops.object.mode_set(mode="OBJECT")
    first, last = curves.ends(armature)
    frames = np.arange(first, last + 1, dtype=float)
    path = curves.bone_path("root", "location")
    if seed % 2:
        curves.new_curves(armature, path, np.array([float(first)]), np.zeros((1, 3)))
    else:
        curves.new_curves(armature, path, frames, _carry(armature, frames))


def _carry(armature: bpy.types.Object, frames: np.ndarray) -> np.ndarray:
    """Take the way over the ground from the pelvis; gives the root's locations."""
    path = curves.bone_path("pelvis", "location")
    values = curves.sampled(armature, frames)
    local = np.column_stack([values[path, axis] for axis in range(3)])
    rest = np.array(armature.data.bones["pelvis"].matrix_local)[:3, :3]
    world = local @ rest.T
    ground = world * [1, 1, 0]
    curves.new_curves(armature, path, frames, (world - ground) @ rest)
    root = np.array(armature.data.bones["root"].matrix_local)[:3, :3]
    return ground @ root


def game_name(name: str) -> str:
    """The name that engines give to a captured bone."""
    for side, letter in (("Left", "l"), ("Right", "r")):
        if name.startswith(side) and name.removeprefix(side) in _NAMES:
            return f"{_NAMES[name.removeprefix(side)]}_{letter}"
    return _NAMES.get(name, name)

"""Motion as an animator keys it: few keys, by columns, with arms a little late."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Euler, Quaternion

from . import curves

_LATE = ("Arm", "Hand", "arm", "hand", "Neck", "Head", "neck", "head")


def to_quaternions(armature: bpy.types.Object) -> None:
    """Rotation channels of all bones as quaternions without flips, whatever they were."""
    first, last = curves.ends(armature)
    frames = np.arange(first, last + 1, dtype=float)
    values = curves.sampled(armature, frames)
    for bone in armature.pose.bones:
        mode = bone.rotation_mode
        if mode == "QUATERNION":
            continue
        path = curves.bone_path(bone.name, "rotation_euler")
        bone.rotation_mode = "QUATERNION"
        if (path, 0) not in values:
            continue
        angles = np.column_stack([values[path, axis] for axis in range(3)])
        turns = np.array([Euler(row, mode).to_quaternion() for row in angles])
        curves.remove(armature, lambda curve, path=path: curve[0] == path)
        curves.new_curves(armature, curves.bone_path(bone.name, "rotation_quaternion"), frames, continuous(turns))


def continuous(turns: np.ndarray) -> np.ndarray:
    """The same rotations, each quaternion on the side of the one before."""
    for row in range(1, len(turns)):
        if Quaternion(turns[row]).dot(Quaternion(turns[row - 1])) < 0:
            turns[row] = -turns[row]
    return turns


def thin_out(armature: bpy.types.Object, seed: int) -> None:
    """Keep columns of keys five to nine frames apart; arms a frame or two later, some bones on every other column."""
    to_quaternions(armature)
    random = np.random.default_rng(seed)
    first, last = curves.ends(armature)
    columns = [first]
    while columns[-1] < last:
        columns.append(min(columns[-1] + int(random.integers(5, 10)), last))
    inner = np.array(columns[1:-1], float)
    late = {bone.name: int(random.integers(1, 3)) for bone in armature.pose.bones if bone.name.find("oe") < 0}
    seldom = {bone.name for bone in armature.pose.bones if random.random() < 0.25}
    frames = np.arange(first, last + 1, dtype=float)
    values = curves.sampled(armature, frames)
    for (path, index), curve in curves.curves(armature):
        bone = curves.bone_of(path)
        chosen = inner[:: 2 if bone in seldom else 1] + (late[bone] if any(word in bone for word in _LATE) else 0)
        chosen = np.unique(np.clip(np.concatenate([[first], chosen, [last]]), first, last))
        curves.write(curve, chosen, values[path, index][(chosen - first).astype(int)], curves.BEZIER)

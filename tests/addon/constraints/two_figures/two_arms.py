"""Two arms, their hands tied: for tests of characters that are edited together."""

from __future__ import annotations

import bpy
import numpy as np
from motion_editing.motion_editing_addon.document import scope
from rigs import all_keys, new_armature

FRAME, SPAN = 20, (15, 25)
LEFT, RIGHT = "Left", "Right"


def arm(name: str, x: float, *, frames: int = 40, swing: float = 0.3):
    """Three bones, one unit each, that swing towards the middle; keyed on every frame."""
    armature = new_armature(name)
    parent = None
    for number, bone_name in enumerate(("upper", "lower", "hand")):
        bone = armature.data.edit_bones.new(bone_name)
        bone.head, bone.tail = (0.0, 0.1 * number, number), (0.0, 0.1 * (number + 1), number + 1)
        bone.parent = parent
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.location = (x, 0.0, 0.0)
    for frame in range(1, frames + 1):
        for bone in armature.pose.bones:
            bone.rotation_mode = "QUATERNION"
            turn = swing * np.sin(0.1 * frame + x)
            bone.rotation_quaternion = (np.cos(turn), 0.3 * np.sin(turn), 0.0, np.sin(turn) * 0.95)
            for path in ("location", "rotation_quaternion"):
                bone.keyframe_insert(path, frame=frame)
    return armature


def pose_both(*armatures):
    """All in pose mode, the first one active."""
    bpy.ops.object.mode_set(mode="OBJECT")
    for armature in armatures:
        armature.select_set(True)
    bpy.context.view_layer.objects.active = armatures[0]
    bpy.ops.object.mode_set(mode="POSE")


def path(armature, bone="hand"):
    clip = scope.read_clip(bpy.context, armature)
    return clip.motion.poses.positions[:, clip.motion.skeleton.index[bone]]


def between(pair, rows=slice(SPAN[0] - 1, SPAN[1])):
    return np.linalg.norm(path(pair[0])[rows] - path(pair[1])[rows], axis=1)


def listed(armature):
    return armature.animation_data.action.motion_editing_constraints.listed


def shake(kind="POSITION", target=RIGHT, **options):
    """The left hand meets the right one."""
    span = {"start": SPAN[0], "end": SPAN[1]}
    options = {"target_object": target, "target_bone": "hand", **span, **options}
    assert bpy.ops.motion_editing.add_constraint(kind=kind, bone="hand", **options) == {"FINISHED"}
    return listed(bpy.context.object)[-1]


def keys(*armatures):
    return [all_keys(armature.animation_data.action) for armature in armatures]


def solve(**options):
    return bpy.ops.motion_editing.solve_constraints(keying="EVERY_FRAME", **{"spacing": 3, **options})

"""A chain of bones that moves gently, and its tip dragged: for tests of constraints in odd states."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.document import scope
from rigs import all_keys, chain_armature, key_bones

MOVE, FRAME = np.array([0.1, 0.0, 0.1]), 15
TIP = "bone3"


def chain(frames=range(1, 41), *, mode="QUATERNION"):
    """Four bones with a key on each of the frames, gentle enough to be dragged."""
    armature = chain_armature()
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    key_bones(armature, [float(frame) for frame in frames])
    bag = armature.animation_data.action.layers[0].strips[0].channelbags[0]
    for curve in bag.fcurves:
        rest = float(curve.data_path.endswith("scale") or (mode == "QUATERNION" and curve.array_index == 0))
        rest = 0.0 if curve.data_path.endswith("location") else rest
        for key in curve.keyframe_points:
            key.co.y = rest + 0.2 * (key.co.y - rest)
        curve.update()
    bpy.context.scene.frame_set(FRAME)
    return armature


def curves(armature):
    return armature.animation_data.action.layers[0].strips[0].channelbags[0].fcurves


def listed(armature):
    return armature.animation_data.action.motion_editing_constraints.listed


def path(armature, bone=TIP):
    clip = scope.read_clip(bpy.context, armature)
    return clip.motion.poses.positions[:, clip.motion.skeleton.index[bone]]


def shown(armature, frame=FRAME, bone=TIP):
    """Where Blender itself has the bone's head."""
    bpy.context.scene.frame_set(frame)
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(posed.matrix_world @ posed.pose.bones[bone].head)


def drag(move=MOVE, **options):
    return bpy.ops.motion_editing.drag_joint(move=move, **{"bone": TIP, "frame": FRAME, **options})


def refused(armature, reason, **options):
    """A drag that is refused with the reason and leaves every key."""
    before = all_keys(armature.animation_data.action)
    with pytest.raises(RuntimeError, match=reason):
        drag(**options)
    assert all_keys(armature.animation_data.action) == before

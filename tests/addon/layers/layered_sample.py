"""The sample motion, a layer keyed over it, and what it shows."""

import bpy
import numpy as np
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.document import scope
from rigs import all_keys, chain_armature

FRAME = 60
BONE = "upper_arm.R"
BENT = quaternion.from_axis_angle([0.0, 0.0, 1.0], 0.8)


def motion_of(armature):
    return scope.read_clip(bpy.context, armature).motion


def keys_of(armature):
    return all_keys(armature.animation_data.action)


def rows_of(armature):
    return armature.animation_data.action.motion_editing_layers.layers


def turn(armature, bone=BONE, by=BENT):
    """Pose a bone on the rig without keying it; gives the rotation it has then."""
    posed = armature.pose.bones[bone]
    posed.rotation_quaternion = quaternion.multiply(np.array(posed.rotation_quaternion), by)
    return np.array(posed.rotation_quaternion)


def bone_at(armature, frame, bone=BONE):
    motion = motion_of(armature)
    return motion.rotations[np.abs(motion.times * motion.rate - frame).argmin(), motion.skeleton.index[bone]]


def keyed_layer(armature, frame=FRAME, name="Layer", **options):
    """Add a layer with one key; gives the rotation that was posed."""
    bpy.context.scene.frame_set(frame)
    bpy.ops.motion_editing.add_layer(name=name, **options)
    wanted = turn(armature)
    bpy.ops.motion_editing.key_layer()
    return wanted


def sparse_rig():
    armature = chain_armature(3)
    for frame, angle in ((1, 0.0), (21, 0.7), (41, -0.3), (81, 0.2)):
        for bone in armature.pose.bones:
            bone.rotation_quaternion = quaternion.from_axis_angle([1.0, 0, 0], angle)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    return armature

"""Rigs with pose trees made in code, and what they show."""

import bpy
import numpy as np
import rigs
from motion_editing.motion_editing_addon.pose_tree import model

OPERATORS = bpy.ops.motion_editing
PLACES = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0.7, 0.6, 0.2))


def pose_at_random(armature, seed):
    random = np.random.default_rng(seed)
    for bone in armature.pose.bones:
        bone.location = random.normal(size=3) * 0.1
        turn(bone, random.normal(size=3) * 0.6)
        bone.scale = 1 + random.normal(size=3) * 0.05


def turn(bone, angles):
    from mathutils import Euler

    if bone.rotation_mode == "QUATERNION":
        bone.rotation_quaternion = Euler(angles).to_quaternion()
    elif bone.rotation_mode == "AXIS_ANGLE":
        axis, angle = Euler(angles).to_quaternion().to_axis_angle()
        bone.rotation_axis_angle = (angle, *axis)
    else:
        bone.rotation_euler = angles


def channels(armature):
    """All bones' local matrices as they are set now."""
    return np.array([bone.matrix_basis for bone in armature.pose.bones])


def cursor_of(armature, node=0):
    return model.tree_of(armature).nodes[node].cursor


def rig_with_tree(*, bones=4, places=PLACES, modes=("QUATERNION",)):
    """An armature whose tree has a target with a random pose at each place; gives the poses too."""
    armature = rigs.chain_armature(bones, connected=False)
    for number, bone in enumerate(armature.pose.bones):
        bone.rotation_mode = modes[number % len(modes)]
    assert OPERATORS.add_pose_tree(live=False) == {"FINISHED"}
    poses = []
    for seed, place in enumerate(places):
        cursor_of(armature).location = place
        pose_at_random(armature, seed)
        bpy.context.view_layer.update()
        poses.append(channels(armature))
        assert OPERATORS.add_tree_pose(name=f"Pose {seed}") == {"FINISHED"}
    return armature, poses


def activate(thing):
    bpy.context.view_layer.objects.active = thing

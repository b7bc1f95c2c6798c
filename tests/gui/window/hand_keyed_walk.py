"""A skinned Rigify character that walks with few keys set by hand. Runs inside Blender."""

from __future__ import annotations

from importlib import import_module

import bpy
from mathutils import Quaternion, Vector

ADDON = "bl_ext.user_default.motion_editing.motion_editing_addon"
# Frames of a step, how many there are, and metres of each.
STEP_FRAMES, STEPS, STRIDE = 12, 4, 0.35
LAST_FRAME = 1 + STEPS * STEP_FRAMES


def add_walker() -> bpy.types.Object:
    """The mannequin with Rigify's controls, legs on IK and arms on FK, keyed at contacts and passing poses."""
    for unwanted in list(bpy.data.objects):
        bpy.data.objects.remove(unwanted)
    bpy.ops.preferences.addon_enable(module="rigify")
    rig = import_module(f"{ADDON}.clip.rigify_figure").add_character(bpy.context, name="Walker")
    for side in "LR":
        rig.pose.bones[f"upper_arm_parent.{side}"]["IK_FK"] = 1.0
    places = {"L": 0.0, "R": 0.0}
    for step in range(STEPS + 1):
        frame, swings = 1 + step * STEP_FRAMES, "LR"[step % 2]
        _key_contact(rig, frame, places, (-1) ** step)
        if step < STEPS:
            start, stands = places[swings], "RL"[step % 2]
            places[swings] = places[stands] - STRIDE
            _key_passing(rig, frame + STEP_FRAMES // 2, places, swings, stands, 0.5 * (start + places[swings]))
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST_FRAME
    return rig


def _key_contact(rig: bpy.types.Object, frame: int, places: dict[str, float], sign: int) -> None:
    """Both feet on the ground, the arms swung out; an arm is two frames late, and its hand four."""
    for side, way in (("L", sign), ("R", -sign)):
        _key(rig, f"foot_ik.{side}", frame, (0.0, places[side], 0.0), 0.0)
        for late, bone, angle in ((0, "upper_arm", 0.4), (2, "forearm", 0.15), (4, "hand", 0.1)):
            _key(rig, f"{bone}_fk.{side}", frame + late * (frame < LAST_FRAME), None, angle * way)
    middle = 0.5 * (places["L"] + places["R"])
    _key(rig, "torso", frame, (0.0, middle, -0.06), 0.08 * sign, "Z")
    _key(rig, "chest", frame, None, -0.15 * sign, "Z")


def _key_passing(
    rig: bpy.types.Object, frame: int, places: dict[str, float], swings: str, stands: str, along: float
) -> None:
    """One foot lifted beside the other, the body high."""
    _key(rig, f"foot_ik.{swings}", frame, (0.0, along, 0.12), 0.3)
    _key(rig, f"foot_ik.{stands}", frame, (0.0, places[stands], 0.0), 0.0)
    _key(rig, "torso", frame, (0.0, places[stands], -0.03), 0.0, "Z")


def _key(
    rig: bpy.types.Object,
    name: str,
    frame: int,
    place: tuple[float, float, float] | None,
    angle: float,
    axis: str = "X",
) -> None:
    """Key a control that is moved and turned in the armature's axes, its parents at rest."""
    bone = rig.pose.bones[name]
    rest = bone.bone.matrix_local.to_quaternion()
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = rest.inverted() @ Quaternion([float(axis == each) for each in "XYZ"], angle) @ rest
    bone.keyframe_insert("rotation_quaternion", frame=frame)
    if place is not None:
        bone.location = rest.inverted() @ Vector(place)
        bone.keyframe_insert("location", frame=frame)


def hidden_keyed_bones(rig: bpy.types.Object) -> set[str]:
    """Bones with keys that an animator does not see."""
    scope, action_io = (import_module(f"{ADDON}.{name}") for name in ("document.scope", "border.action_io"))
    names = {action_io.bone_of_path(curve.data_path) for curve in action_io.channelbag(rig).fcurves}
    return {name for name in names if name and not scope.is_visible(rig.pose.bones[name])}


def largest_step(rig: bpy.types.Object) -> float:
    """The farthest that the start of a bone of the figure goes in one frame, in metres, as Blender plays it."""
    scene, before, largest = bpy.context.scene, None, 0.0
    current, last = scene.frame_current, int(rig.animation_data.action.frame_range[1])
    for frame in range(1, last + 1):
        scene.frame_set(frame)
        posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        places = [bone.head.copy() for bone in posed if bone.bone.use_deform]
        if before is not None:
            largest = max(largest, *((now - then).length for now, then in zip(places, before, strict=True)))
        before = places
    scene.frame_set(current)
    return largest

"""Armatures and actions made in code, for the add-on's tests."""

from __future__ import annotations

import bpy
import numpy as np

ROTATION_MODES = ("QUATERNION", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "AXIS_ANGLE")


def new_armature(name: str) -> bpy.types.Object:
    """An armature without bones, active in edit mode."""
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    return armature


def chain_armature(bones: int = 4, *, name: str = "Rig", connected: bool = True) -> bpy.types.Object:
    """A chain of bones that bends a little, each one unit long, active in object mode."""
    armature = new_armature(name)
    parent = None
    for index in range(bones):
        bone = armature.data.edit_bones.new(f"bone{index}")
        bone.head, bone.tail = (0.1 * index * index, 0, index), (0.1 * (index + 1) ** 2, 0, index + 1)
        bone.roll = 0.3 * index
        bone.parent, bone.use_connect = parent, connected and parent is not None
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def reaching_leg() -> bpy.types.Object:
    """A leg below a root that follows a control of its own by a real IK constraint; nothing is keyed."""
    armature = new_armature("Leg")
    for name, head, tail, parent in (
        ("root", (0, 0, 0), (0, 0.3, 0), ""),
        ("hips", (0, 0, 1.0), (0, 0, 1.2), "root"),
        ("thigh.L", (0.1, 0, 1.0), (0.1, -0.05, 0.55), "hips"),
        ("shin.L", (0.1, -0.05, 0.55), (0.1, 0, 0.1), "thigh.L"),
        ("foot_ik.L", (0.1, 0, 0.1), (0.1, -0.2, 0.0), "root"),
    ):
        bone = armature.data.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = head, tail, armature.data.edit_bones.get(parent)
    bpy.ops.object.mode_set(mode="OBJECT")
    constraint = armature.pose.bones["shin.L"].constraints.new("IK")
    constraint.target, constraint.subtarget, constraint.chain_count = armature, "foot_ik.L", 2
    return armature


def mark_leg(armature: bpy.types.Object) -> None:
    """Tell the extension which bones the leg is, and that its foot stands up to frame 36 at 24 frames a second."""
    from motion_editing.core.analysis.contacts import ContactSpans
    from motion_editing.core.body import Axis, Body, Limb, LimbKind, Side
    from motion_editing.motion_editing_addon.border import action_io
    from motion_editing.motion_editing_addon.document.character.saved_body import save_body
    from motion_editing.motion_editing_addon.document.contacts.saved_contacts import save_contacts

    skeleton = action_io.read(armature, rate=24.0).motion.skeleton
    hips, *chain, control = (skeleton.index[name] for name in ("hips", "thigh.L", "shin.L", "foot_ik.L"))
    leg = Limb(LimbKind.LEG, Side.LEFT, tuple(chain), control)
    save_body(armature, Body(skeleton, root=hips, limbs=(leg,), up=Axis.PLUS_Z, height=1.2))
    save_contacts(armature, ContactSpans({"foot_ik.L": ((1 / 24, 36 / 24),)}), 24.0)


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
    from motion_editing.motion_editing_addon.border.action_io.curves.keys import ATTRIBUTES, read_keys

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


def mute(armature, *parts, index=None):
    """Mute the curves whose paths contain all parts; gives them as keys of `all_keys`."""
    from motion_editing.motion_editing_addon.border import action_io

    bag, found = action_io.channelbag(armature), []
    for curve in bag.fcurves:
        if all(part in curve.data_path for part in parts) and index in (None, curve.array_index):
            curve.mute = True
            found.append((bag.slot.identifier, curve.data_path, curve.array_index))
    assert found
    return found


def unmute(armature):
    """Unmute all curves."""
    from motion_editing.motion_editing_addon.border import action_io

    for curve in action_io.channelbag(armature).fcurves:
        curve.mute = False

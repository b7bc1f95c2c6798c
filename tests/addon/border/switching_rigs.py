"""Rigs with switches and choices such as control rigs have: whom a hand follows, whether IK is on."""

import bpy
import rigs
from motion_editing.motion_editing_addon.border import action_io

CHOICES = ("None", "Root", "Torso", "Chest")
BONE = "bone1"
# Data paths of a choice, a switch, a whole number and a number that only ever is 0 or 1.
NAMES = ("torso_parent", "stretch", "variant", "IK_FK")
PARENT, STRETCH, VARIANT, IK = SWITCHES = tuple(f'pose.bones["{BONE}"]["{name}"]' for name in NAMES)


def add_switches(bone: bpy.types.PoseBone) -> None:
    """The custom properties of the paths above; the choice is kept as Rigify keeps it."""
    bone["torso_parent"] = 1
    items = [(f"P{number}", name, "", 0, number) for number, name in enumerate(CHOICES)]
    bone.id_properties_ui("torso_parent").update(items=items)
    bone["stretch"], bone["variant"], bone["IK_FK"] = True, 2, 0.0


def switching_rig(frames: tuple[int, ...] = (1, 11, 21)) -> bpy.types.Object:
    """A chain of bones with keyed poses, whose switches change with the second key and back with the third."""
    armature = rigs.chain_armature(3, connected=False)
    rigs.key_bones(armature, list(frames))
    bone = armature.pose.bones[BONE]
    add_switches(bone)
    for number, frame in enumerate(frames):
        key_switches(armature, frame, (1, 3)[number % 2], bool(number % 2))
    return armature


def key_switches(armature: bpy.types.Object, frame: float, choice: int, is_on: bool) -> None:
    """Key all switches on a frame, each of them constant until its next key."""
    bone = armature.pose.bones[BONE]
    bone["torso_parent"], bone["stretch"], bone["variant"], bone["IK_FK"] = choice, is_on, 2 * choice, float(is_on)
    for path in SWITCHES:
        armature.keyframe_insert(path, frame=frame)
        for key in switch_curve(armature, path).keyframe_points:
            key.interpolation = "CONSTANT"


def switch_curve(armature: bpy.types.Object, path: str) -> bpy.types.FCurve:
    """The curve of a path."""
    return next(curve for curve in action_io.channelbag(armature).fcurves if curve.data_path == path)

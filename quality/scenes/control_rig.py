"""A control rig as bought ones are built: a traveller, `c_` controls, FK and IK legs with a switch, hidden mechanism.

It is made around a captured skeleton, so that the captured motion can be put on its controls exactly, without
any retargeting.
"""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix, Vector

from . import curves, hand_keys

_PARTS = {
    "Hips": "root",
    "LowerBack": "spine_01",
    "Spine": "spine_02",
    "Spine1": "spine_03",
    "Neck": "neck",
    "Neck1": "neck_02",
    "Head": "head",
    "Shoulder": "shoulder",
    "Arm": "arm",
    "ForeArm": "forearm",
    "Hand": "hand",
    "UpLeg": "thigh",
    "Leg": "leg",
    "Foot": "foot",
    "ToeBase": "toes_01",
}
_LEG = ("UpLeg", "Leg", "Foot", "ToeBase")
_STRETCH = ("arm", "forearm", "thigh", "leg")
TRAVELLER = "c_traj"
# Part of a leg by which its knee stands out at rest.
_BENT = 0.03


def build(source: bpy.types.Object) -> bpy.types.Object:
    """The rig with the motion of the captured armature on its controls; the captured one is deleted."""
    hand_keys.to_quaternions(source)
    first, last = curves.ends(source)
    frames = np.arange(first, last + 1, dtype=float)
    poses = _poses(source, frames)
    rig = _bones(source)
    for side in ("l", "r"):
        _leg_mechanism(rig, side)
    _deform_constraints(rig)
    _hide_mechanism(rig)
    _key(rig, source, poses, frames)
    bpy.data.objects.remove(source)
    return rig


def part(name: str) -> tuple[str, str]:
    """What a captured bone is called in the rig, and its side: "" in the middle."""
    for side, letter in (("Left", "l"), ("Right", "r")):
        if name.startswith(side):
            return _PARTS.get(name.removeprefix(side), name.removeprefix(side).lower()), letter
    if name[0] in "LR" and name[1:2].isupper():
        return name[1:].lower(), name[0].lower()
    return _PARTS.get(name, name.lower()), "x"


def deform(name: str) -> str:
    """The deforming bone of a captured bone."""
    found, side = part(name)
    return f"{found}_stretch.{side}" if found in _STRETCH else f"{found}.{side}"


def control(name: str) -> str:
    """The control of a captured bone."""
    found, side = part(name)
    if found == "root":
        return "c_root_master.x"
    return f"c_{found}_fk.{side}" if side != "x" else f"c_{found}.{side}"


def _poses(source: bpy.types.Object, frames: np.ndarray) -> dict[str, list[Matrix]]:
    """Matrices of all bones in the armature's space."""
    poses: dict[str, list[Matrix]] = {bone.name: [] for bone in source.pose.bones}
    for frame in frames.tolist():
        bpy.context.scene.frame_set(int(frame))
        seen = source.evaluated_get(bpy.context.evaluated_depsgraph_get())
        for bone in seen.pose.bones:
            poses[bone.name].append(bone.matrix.copy())
    return poses


def _bones(source: bpy.types.Object) -> bpy.types.Object:
    rests = {
        bone.name: (bone.matrix_local.copy(), bone.length, bone.parent and bone.parent.name)
        for bone in source.data.bones
    }
    rig = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))
    rig.matrix_world = source.matrix_world
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    edit = rig.data.edit_bones

    def add(name: str, rest: Matrix, length: float, parent: str | None) -> bpy.types.EditBone:
        bone = edit.new(name)
        bone.head, bone.tail = (0, 0, 0), (0, max(length, 1e-3), 0)
        bone.matrix = rest
        bone.parent = edit[parent] if parent else None
        bone.use_deform = False
        return bone

    size = rests["Hips"][1] * 5.0
    add(TRAVELLER, Matrix.Identity(4), size, None)
    for name, (rest, length, parent) in rests.items():
        add(control(name), rest, length, control(parent) if parent else TRAVELLER)
    for name, (rest, length, parent) in rests.items():
        add(deform(name), rest, length, deform(parent) if parent else None).use_deform = True
    for side, word in (("l", "Left"), ("r", "Right")):
        _leg_bones(add, rests, side, word)
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in rig.pose.bones:
        bone.rotation_mode = "QUATERNION"
    return rig


def _leg_bones(add, rests: dict, side: str, word: str) -> None:
    """The hidden IK chain of a leg, the foot's control and the pole."""
    upper, lower, foot, _toe = (f"{word}{name}" for name in _LEG)
    thigh = add(f"thigh_ik.{side}", *rests[upper][:2], control(rests[upper][2]))
    leg = add(f"leg_ik.{side}", *rests[lower][:2], f"thigh_ik.{side}")
    add(f"c_foot_ik.{side}", *rests[foot][:2], TRAVELLER)
    knee = rests[lower][0].translation
    # Captured legs are straight at rest, and Blender bends no straight chain: riggers bend it a little.
    thigh.tail = leg.head = knee + Vector((0.0, -_BENT * rests[lower][1], 0.0))
    leg.tail = rests[foot][0].translation
    pole = Matrix.Translation(knee + Vector((0.0, -3.0 * rests[lower][1], 0.0)))
    add(f"c_leg_pole.{side}", pole, 0.3 * rests[lower][1], TRAVELLER)


def _leg_mechanism(rig: bpy.types.Object, side: str) -> None:
    bones = rig.pose.bones
    reach = bones[f"leg_ik.{side}"].constraints.new("IK")
    reach.target, reach.subtarget = rig, f"c_foot_ik.{side}"
    reach.pole_target, reach.pole_subtarget = rig, f"c_leg_pole.{side}"
    reach.chain_count = 2
    bones[f"c_foot_ik.{side}"]["ik_fk_switch"] = 0.0
    bones[f"c_foot_ik.{side}"].id_properties_ui("ik_fk_switch").update(min=0.0, max=1.0)


def _deform_constraints(rig: bpy.types.Object) -> None:
    """Deforming bones copy their controls; those of legs the IK chain, as far as the switch says."""
    bones = rig.pose.bones
    for bone in [bone for bone in bones if bone.bone.use_deform]:
        name, _dot, side = bone.name.rpartition(".")
        name = name.removesuffix("_stretch")
        source = "c_root_master.x" if name == "root" else f"c_{name}_fk.{side}" if side != "x" else f"c_{name}.{side}"
        _copy(rig, bone, source)
        followed = {"thigh": f"thigh_ik.{side}", "leg": f"leg_ik.{side}", "foot": f"c_foot_ik.{side}"}.get(name, "")
        if followed:
            _drive(rig, _copy(rig, bone, followed), side)


def _copy(rig: bpy.types.Object, bone: bpy.types.PoseBone, source: str) -> bpy.types.Constraint:
    # Foot and toes stay at the end of the leg, whoever moves that: a control may be out of reach.
    kind = "COPY_ROTATION" if source.startswith(("c_foot", "c_toes")) else "COPY_TRANSFORMS"
    copy = bone.constraints.new(kind)
    copy.target, copy.subtarget = rig, source
    return copy


def _drive(rig: bpy.types.Object, copy: bpy.types.Constraint, side: str) -> None:
    """Full influence on IK, where the switch is 0."""
    driver = copy.driver_add("influence").driver
    driver.type = "SCRIPTED"
    variable = driver.variables.new()
    variable.name = "fk"
    variable.targets[0].id = rig
    variable.targets[0].data_path = f'pose.bones["c_foot_ik.{side}"]["ik_fk_switch"]'
    driver.expression = "1 - fk"


def _hide_mechanism(rig: bpy.types.Object) -> None:
    """Controls in a collection that is seen, the rest in one that is not."""
    shown, hidden = (rig.data.collections.new(name) for name in ("Controls", "Mechanism"))
    for bone in rig.data.bones:
        (shown if bone.name.startswith("c_") else hidden).assign(bone)
    hidden.is_visible = False


def _key(rig: bpy.types.Object, source: bpy.types.Object, poses: dict[str, list[Matrix]], frames: np.ndarray) -> None:
    """Lay the motion on traveller, FK controls and IK controls."""
    rig.animation_data_create().action = bpy.data.actions.new("rig")
    slot = rig.animation_data.action.slots.new(id_type="OBJECT", name=rig.name)
    rig.animation_data.action_slot = slot
    rig.animation_data.action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
    rig.animation_data.action.motion_editing.source_rate = source.animation_data.action.motion_editing.source_rate
    travel = [Matrix.Translation(pose.translation * Vector((1, 1, 0))) for pose in poses["Hips"]]
    _key_bone(rig, TRAVELLER, travel, None, frames)
    for bone in source.data.bones:
        above = poses[bone.parent.name] if bone.parent else travel
        _key_bone(rig, control(bone.name), poses[bone.name], above, frames)
    for side, word in (("l", "Left"), ("r", "Right")):
        _key_bone(rig, f"c_foot_ik.{side}", poses[f"{word}Foot"], travel, frames)
        _key_bone(rig, f"c_leg_pole.{side}", _poles(rig, poses, word), travel, frames)


def _poles(rig: bpy.types.Object, poses: dict[str, list[Matrix]], word: str) -> list[Matrix]:
    """Where the knee points to, at every frame."""
    length = rig.data.bones[control(f"{word}Leg")].length
    found = []
    for hip, knee, foot in zip(*(poses[f"{word}{part}"] for part in _LEG[:3]), strict=True):
        line = (foot.translation - hip.translation).normalized()
        out = knee.translation - hip.translation
        out -= line * out.dot(line)
        forward = out.normalized() if out.length > 1e-3 * length else -hip.col[2].xyz
        found.append(Matrix.Translation(knee.translation + forward * 3.0 * length))
    return found


def _key_bone(
    rig: bpy.types.Object, name: str, poses: list[Matrix], above: list[Matrix] | None, frames: np.ndarray
) -> None:
    """Keys of location and rotation that give a bone these poses, if its parent has those above."""
    bone = rig.data.bones[name]
    rest = bone.matrix_local
    between = (bone.parent.matrix_local.inverted() @ rest) if bone.parent else rest
    basis = [
        between.inverted() @ (above[row].inverted() if above else Matrix.Identity(4)) @ pose
        for row, pose in enumerate(poses)
    ]
    parts = [matrix.decompose() for matrix in basis]
    places, turns = np.array([part[0] for part in parts]), np.array([part[1] for part in parts])
    curves.new_curves(rig, curves.bone_path(name, "rotation_quaternion"), frames, hand_keys.continuous(turns))
    if not bone.parent or bone.parent.name == TRAVELLER:
        curves.new_curves(rig, curves.bone_path(name, "location"), frames, places)

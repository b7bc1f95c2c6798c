"""Rigs as animators have them: a game skeleton with a root bone, and a control rig with a traveller bone.

Beside them the walks that they do, and the figure that Blender shows.
"""

from __future__ import annotations

from collections.abc import Iterable

import bpy
import numpy as np
from mathutils import Quaternion, Vector
from rigs import new_armature

Place = tuple[float, float, float]

# Name, head, tail and parent of the bones of a figure that looks along -Y; sides are added.
_TRUNK = (
    ("pelvis", (0, 0, 1.0), (0, 0, 1.15), "root"),
    ("spine", (0, 0, 1.15), (0, 0, 1.4), "pelvis"),
    ("neck", (0, 0, 1.4), (0, 0, 1.5), "spine"),
    ("head", (0, 0, 1.5), (0, 0, 1.7), "neck"),
)
_LIMBS = (
    ("thigh", (0.1, 0, 1.0), (0.1, -0.03, 0.52), "pelvis"),
    ("calf", (0.1, -0.03, 0.52), (0.1, 0.02, 0.08), "thigh"),
    ("foot", (0.1, 0.02, 0.08), (0.1, -0.12, 0.02), "calf"),
    ("upperarm", (0.2, 0, 1.38), (0.48, 0, 1.38), "spine"),
    ("lowerarm", (0.48, 0, 1.38), (0.74, -0.02, 1.38), "upperarm"),
    ("hand", (0.74, -0.02, 1.38), (0.85, -0.02, 1.38), "lowerarm"),
)
FRAMES = 41
STEP = 0.4


def game_skeleton(travels: str = "pelvis") -> bpy.types.Object:
    """A figure whose root bone stands on the ground, walking along -Y with a key on every frame.

    Args:
        travels: 'pelvis': the root has two keys and stays at the origin; 'root': it travels, the pelvis bobs and sways.
    """
    armature = new_armature("Game")
    _add_bone(armature, "root", (0, 0, 0), (0, 0.3, 0), "")
    for name, head, tail, parent in _TRUNK:
        _add_bone(armature, name, head, tail, parent)
    for side, sign in (("l", 1), ("r", -1)):
        for name, head, tail, parent in _LIMBS:
            above = parent if parent in {"pelvis", "spine"} else f"{parent}_{side}"
            _add_bone(armature, f"{name}_{side}", _mirrored(head, sign), _mirrored(tail, sign), above)
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.data.bones["root"].use_deform = False
    for frame in range(1, FRAMES + 1):
        _key_stride(armature, frame, travels)
    return armature


def _key_stride(armature: bpy.types.Object, frame: int, travels: str) -> None:
    bones, phase = armature.pose.bones, 2 * np.pi * (frame - 1) / 20
    way = np.array([0.0, -0.06 * (frame - 1), 0.0])
    sway = np.array([0.02 * np.sin(phase), 0.0, 0.03 * np.cos(2 * phase)])
    if travels == "root":
        key_place(bones["root"], frame, way)
    elif frame in (1, FRAMES):
        key_place(bones["root"], frame, np.zeros(3))
    key_place(bones["pelvis"], frame, sway + (way if travels == "pelvis" else 0.0))
    key_turn(bones["pelvis"], frame, "Z", 0.1 * np.sin(phase))
    for side, sign in (("l", 1.0), ("r", -1.0)):
        key_turn(bones[f"thigh_{side}"], frame, "X", 0.5 * sign * np.sin(phase))
        key_turn(bones[f"calf_{side}"], frame, "X", -0.3 - 0.3 * sign * np.cos(phase))
        key_turn(bones[f"upperarm_{side}"], frame, "Y", 0.4 * sign * np.sin(phase))


def traveller_rig() -> bpy.types.Object:
    """A control rig without keys: a traveller, a master of the body, IK and FK legs, hidden mechanism, a skin skeleton.

    The traveller `c_traj` carries `c_root_master.x` and the feet. Legs follow `c_foot_ik.*` or the `c_thigh_fk.*`
    chain by the property `ik_fk_switch` of the foot, 0 for IK. A prop, `c_prop.x`, follows the traveller or the spine
    by its property `space`, 0 or 1. What is not named `c_` is hidden.
    """
    armature = new_armature("Traveller")
    trunk = (
        ("c_pos", (0, 0, 0), (0, 0.4, 0), ""),
        ("c_traj", (0, 0, 0), (0, 0.3, 0), "c_pos"),
        ("c_root_master.x", (0, 0, 1.0), (0, 0.2, 1.0), "c_traj"),
        ("c_root.x", (0, 0, 1.0), (0, 0, 1.15), "c_root_master.x"),
        ("c_spine_01.x", (0, 0, 1.15), (0, 0, 1.4), "c_root_master.x"),
        ("c_head.x", (0, 0, 1.4), (0, 0, 1.7), "c_spine_01.x"),
        ("root.x", (0, 0, 1.0), (0, 0, 1.15), ""),
        ("spine_01.x", (0, 0, 1.15), (0, 0, 1.4), "root.x"),
        ("head.x", (0, 0, 1.4), (0, 0, 1.7), "spine_01.x"),
        ("prop_space.x", (0, -0.4, 1.2), (0, -0.5, 1.2), ""),
        ("c_prop.x", (0, -0.4, 1.2), (0, -0.5, 1.2), "prop_space.x"),
        ("prop.x", (0, -0.4, 1.2), (0, -0.5, 1.2), ""),
    )
    for bone in trunk:
        _add_bone(armature, *bone)
    for side, sign in ((".l", 1), (".r", -1)):
        _add_leg(armature, side, sign)
    bpy.ops.object.mode_set(mode="OBJECT")
    for name in ("root.x", "spine_01.x", "head.x", "prop.x"):
        _copy(armature, name, f"c_{name}")
    _add_spaces(armature, "prop_space.x", "c_prop.x", ("c_traj", "c_spine_01.x"))
    for side in (".l", ".r"):
        _bind_leg(armature, side)
    _hide_mechanism(armature)
    return armature


def _add_leg(armature: bpy.types.Object, side: str, sign: int) -> None:
    hip, knee, ankle = (_mirrored(place, sign) for place in ((0.1, 0, 1.0), (0.1, -0.04, 0.52), (0.1, 0.02, 0.08)))
    toe, pole = _mirrored((0.1, -0.12, 0.02), sign), _mirrored((0.1, -0.6, 0.5), sign)
    for kind, above in (("", "root.x"), ("_ik", "c_root.x"), ("_fk", "c_root.x")):
        prefix = "c_" if kind == "_fk" else ""
        _add_bone(armature, f"{prefix}thigh{kind}{side}", hip, knee, above)
        _add_bone(armature, f"{prefix}leg{kind}{side}", knee, ankle, f"{prefix}thigh{kind}{side}")
    _add_bone(armature, f"c_foot_fk{side}", ankle, toe, f"c_leg_fk{side}")
    _add_bone(armature, f"c_foot_ik{side}", ankle, toe, "c_traj")
    _add_bone(armature, f"c_leg_pole{side}", pole, (pole[0], pole[1], pole[2] + 0.1), f"c_foot_ik{side}")
    _add_bone(armature, f"foot{side}", ankle, toe, f"leg{side}")


def _bind_leg(armature: bpy.types.Object, side: str) -> None:
    bones = armature.pose.bones
    bones[f"c_foot_ik{side}"]["ik_fk_switch"] = 0.0
    reach = bones[f"leg_ik{side}"].constraints.new("IK")
    reach.target, reach.subtarget, reach.chain_count = armature, f"c_foot_ik{side}", 2
    reach.pole_target, reach.pole_subtarget = armature, f"c_leg_pole{side}"
    reach.pole_angle = -np.pi / 2
    for name in ("thigh", "leg"):
        _copy(armature, f"{name}{side}", f"{name}_ik{side}")
    _copy(armature, f"foot{side}", f"c_foot_ik{side}")
    for name in ("thigh", "leg", "foot"):
        _copy(armature, f"{name}{side}", f"c_{name}_fk{side}", switch=f"c_foot_ik{side}")


def _add_spaces(armature: bpy.types.Object, name: str, control: str, spaces: tuple[str, ...]) -> None:
    """Let a bone follow the one of several bones whose number a property of its control says."""
    armature.pose.bones[control]["space"] = len(spaces) - 1
    constraint = armature.pose.bones[name].constraints.new("ARMATURE")
    for number, space in enumerate(spaces):
        target = constraint.targets.new()
        target.target, target.subtarget = armature, space
        driver = target.driver_add("weight").driver
        driver.expression = f"space == {number}"
        variable = driver.variables.new()
        variable.name = "space"
        variable.targets[0].id = armature
        variable.targets[0].data_path = f'pose.bones["{control}"]["space"]'


def _copy(armature: bpy.types.Object, name: str, source: str, *, switch: str = "") -> None:
    constraint = armature.pose.bones[name].constraints.new("COPY_TRANSFORMS")
    constraint.target, constraint.subtarget = armature, source
    if switch:
        driver = constraint.driver_add("influence").driver
        driver.type = "SUM"
        variable = driver.variables.new()
        variable.targets[0].id = armature
        variable.targets[0].data_path = f'pose.bones["{switch}"]["ik_fk_switch"]'


def _hide_mechanism(armature: bpy.types.Object) -> None:
    """Controls in a collection that is seen, all else in one that is not; only what moves skin deforms."""
    data = armature.data
    seen, hidden = data.collections.new("Controls"), data.collections.new("Mechanism")
    for bone in data.bones:
        is_control = bone.name.startswith("c_")
        for old in list(bone.collections):
            old.unassign(bone)
        (seen if is_control else hidden).assign(bone)
        bone.use_deform = not is_control and "_ik" not in bone.name and "_space" not in bone.name
    hidden.is_visible = False


def key_steps(
    rig: bpy.types.Object, body: str, feet: Iterable[str], *, carrier: str = "", count: int = 5, gap: int = 8
) -> None:
    """Key a walk along -Y with few keys: one foot after the other takes a step, the body goes on.

    Args:
        rig: A control rig.
        body: Control of the body, which bobs and turns a little.
        feet: Controls of the feet.
        carrier: Control that travels in their place, if there is one: then feet lift and the body bobs.
        count: How many steps.
        gap: Frames of one.
    """
    feet = tuple(feet)
    for step in range(count + 1):
        frame, way = 1 + step * gap, np.array([0.0, -STEP * step, 0.0])
        own = np.zeros(3) if carrier else way
        if carrier:
            key_place(rig.pose.bones[carrier], frame, way)
        sway = np.array([0.03 * (-1) ** step, 0.0, -0.05 - 0.02 * (step % 2)])
        key_place(rig.pose.bones[body], frame, own + sway)
        key_turn(rig.pose.bones[body], frame, "Z", 0.15 * (-1) ** step)
        for number, foot in enumerate(feet):
            ahead = 0.5 * STEP * (1 if (step + number) % 2 else -1)
            key_place(rig.pose.bones[foot], frame, own + np.array([0.0, -ahead, 0.02 * ((step + number) % 2)]))
            key_turn(rig.pose.bones[foot], frame, "Z", 0.1 * (-1) ** number)


def key_place(bone: bpy.types.PoseBone, frame: int, offset: np.ndarray) -> None:
    """Key a location that moves a bone, whose parents are at rest, by an offset in the armature's axes."""
    axes = bone if bone.bone.use_local_location else bone.parent
    bone.location = axes.bone.matrix_local.to_3x3().inverted() @ Vector(offset)
    bone.keyframe_insert("location", frame=frame)


def key_turn(bone: bpy.types.PoseBone, frame: int, axis: str, angle: float) -> None:
    """Key a turn of a bone about an axis of the armature, its parents at rest."""
    bone.rotation_mode = "QUATERNION"
    rest = bone.bone.matrix_local.to_quaternion()
    turn = Quaternion([1.0 if axis == name else 0.0 for name in "XYZ"], angle)
    bone.rotation_quaternion = rest.inverted() @ turn @ rest
    bone.keyframe_insert("rotation_quaternion", frame=frame)


def key_switch(bone: bpy.types.PoseBone, name: str, values: dict[int, float]) -> None:
    """Key a custom property of a bone that jumps from value to value, by frame."""
    from motion_editing.motion_editing_addon.border import action_io

    for frame, value in values.items():
        bone[name] = value
        bone.keyframe_insert(f'["{name}"]', frame=frame)
    for curve in action_io.channelbag(bone.id_data).fcurves:
        if curve.data_path == f'pose.bones["{bone.name}"]["{name}"]':
            for key in curve.keyframe_points:
                key.interpolation = "CONSTANT"


def shown_figure(armature: bpy.types.Object, frames: Iterable[float]) -> np.ndarray:
    """(F, J, 4, 4) matrices in the scene of the bones that move the skin, as Blender evaluates them."""
    shown = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame), subframe=float(frame % 1))
        posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        deforming = [bone for bone in posed.pose.bones if posed.data.bones[bone.name].use_deform]
        shown.append([posed.matrix_world @ bone.matrix for bone in deforming])
    return np.array(shown)


def keyed_bones(armature: bpy.types.Object) -> set[str]:
    """Names of the bones that have keys."""
    from motion_editing.motion_editing_addon.border import action_io

    bag = action_io.channelbag(armature)
    return {action_io.bone_of_path(curve.data_path) for curve in bag.fcurves} if bag else set()


def _add_bone(armature: bpy.types.Object, name: str, head: Place, tail: Place, parent: str) -> None:
    bone = armature.data.edit_bones.new(name)
    bone.head, bone.tail, bone.parent = head, tail, armature.data.edit_bones.get(parent)


def _mirrored(place: Place, sign: int) -> Place:
    return (sign * place[0], place[1], place[2])

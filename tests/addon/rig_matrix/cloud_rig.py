"""A control rig whose limbs have FK and IK chains, stretch, and a switch on a bone for properties."""

from __future__ import annotations

import bpy
import numpy as np
from rigs import new_armature

Place = tuple[float, float, float]

_TRUNK = (
    ("Spine", (0, 0, 1.0), (0, 0, 1.2)),
    ("Chest", (0, 0, 1.2), (0, 0, 1.4)),
    ("Head", (0, 0, 1.5), (0, 0, 1.7)),
)
# Bones of a limb from above, on the left side, where its pole is, and which bone of the trunk carries it.
_LIMBS = {
    "leg": (
        ("Thigh", (0.1, 0, 1.0), (0.1, -0.04, 0.52)),
        ("Shin", (0.1, -0.04, 0.52), (0.1, 0.02, 0.08)),
        ("Foot", (0.1, 0.02, 0.08), (0.1, -0.12, 0.02)),
    ),
    "arm": (
        ("UpperArm", (0.2, 0, 1.38), (0.46, 0.04, 1.38)),
        ("Forearm", (0.46, 0.04, 1.38), (0.72, 0, 1.38)),
        ("Hand", (0.72, 0, 1.38), (0.82, 0, 1.38)),
    ),
}
_POLES = {"leg": (0.1, -0.6, 0.5), "arm": (0.46, 0.6, 1.38)}
_CARRIERS = {"leg": "Spine", "arm": "Chest"}


def cloud_rig() -> bpy.types.Object:
    """The rig without keys: legs follow IK, arms FK.

    `root` carries `MSTR-Torso`, which carries the FK controls of the trunk. Bones `FK-*`, `IK-*`, `POLE-*` and the
    small `STR-*` are seen; `MCH-*`, `ORG-*` and `DEF-*` are hidden. The bone `Properties` has a switch for each limb
    such as `ik_left_leg`, 1 for IK.
    """
    armature = new_armature("Cloud")
    _add(armature, "root", (0, 0, 0), (0, 0.4, 0), "")
    _add(armature, "Properties", (0.5, 0, 2.0), (0.5, 0, 2.1), "root")
    _add(armature, "MSTR-Torso", (0, 0, 1.0), (0, 0.3, 1.0), "root")
    _add_chain(armature, "FK-", _TRUNK, "MSTR-Torso")
    for name, head, tail in _TRUNK:
        _add(armature, f"DEF-{name}", head, tail, f"FK-{name}")
    for limb, side in _limbs():
        _add_limb(armature, limb, side)
    bpy.ops.object.mode_set(mode="OBJECT")
    for limb, side in _limbs():
        _bind_limb(armature, limb, side)
    _hide_mechanism(armature)
    return armature


def _limbs() -> list[tuple[str, str]]:
    return [(limb, side) for limb in _LIMBS for side in "LR"]


def _add_limb(armature: bpy.types.Object, limb: str, side: str) -> None:
    bones = [(f"{name}.{side}", _sided(head, side), _sided(tail, side)) for name, head, tail in _LIMBS[limb]]
    carrier = f"FK-{_CARRIERS[limb]}"
    for kind in ("FK-", "MCH-IK-", "ORG-"):
        _add_chain(armature, kind, bones, carrier)
    end, head, tail = bones[-1]
    _add(armature, f"IK-{end}", head, tail, "root")
    pole = _sided(_POLES[limb], side)
    _add(armature, f"POLE-{limb}.{side}", pole, (pole[0], pole[1], pole[2] + 0.1), "root")
    for name, head, tail in bones:
        tip = tuple(np.add(head, np.subtract(tail, head) * 0.2))
        _add(armature, f"STR-{name}", head, tip, f"ORG-{name}")
        _add(armature, f"DEF-{name}", head, tail, f"STR-{name}")


def _bind_limb(armature: bpy.types.Object, limb: str, side: str) -> None:
    """IK for the hidden chain, a copy of either chain for what is seen, and skin bones that stretch to the next."""
    upper, lower, end = (f"{name}.{side}" for name, _head, _tail in _LIMBS[limb])
    bones = armature.pose.bones
    reach = bones[f"MCH-IK-{lower}"].constraints.new("IK")
    reach.target, reach.subtarget, reach.chain_count = armature, f"IK-{end}", 2
    reach.pole_target, reach.pole_subtarget = armature, f"POLE-{limb}.{side}"
    reach.pole_angle = _pole_angle(limb, side)
    follow = bones[f"MCH-IK-{end}"].constraints.new("COPY_ROTATION")
    follow.target, follow.subtarget = armature, f"IK-{end}"
    switch = f"ik_{'left' if side == 'L' else 'right'}_{limb}"
    bones["Properties"][switch] = 1.0 if limb == "leg" else 0.0
    for name in (upper, lower, end):
        _copy(armature, f"ORG-{name}", f"FK-{name}")
        _drive(armature, _copy(armature, f"ORG-{name}", f"MCH-IK-{name}"), switch)
    for name, following in ((upper, lower), (lower, end)):
        stretch = bones[f"DEF-{name}"].constraints.new("STRETCH_TO")
        stretch.target, stretch.subtarget = armature, f"STR-{following}"
        stretch.rest_length = bones[f"DEF-{name}"].bone.length


def _pole_angle(limb: str, side: str) -> float:
    if limb == "leg":
        return -np.pi / 2
    return 0.0 if side == "R" else np.pi


def _copy(armature: bpy.types.Object, name: str, source: str) -> bpy.types.Constraint:
    constraint = armature.pose.bones[name].constraints.new("COPY_TRANSFORMS")
    constraint.target, constraint.subtarget = armature, source
    return constraint


def _drive(armature: bpy.types.Object, constraint: bpy.types.Constraint, switch: str) -> None:
    driver = constraint.driver_add("influence").driver
    driver.type = "SUM"
    variable = driver.variables.new()
    variable.targets[0].id = armature
    variable.targets[0].data_path = f'pose.bones["Properties"]["{switch}"]'


def _hide_mechanism(armature: bpy.types.Object) -> None:
    data = armature.data
    seen, hidden = data.collections.new("Controls"), data.collections.new("Mechanism")
    for bone in data.bones:
        is_hidden = bone.name.startswith(("MCH-", "ORG-", "DEF-"))
        (hidden if is_hidden else seen).assign(bone)
        bone.use_deform = bone.name.startswith("DEF-")
    hidden.is_visible = False


def _add_chain(armature: bpy.types.Object, kind: str, bones: tuple | list, parent: str) -> None:
    for name, head, tail in bones:
        _add(armature, f"{kind}{name}", head, tail, parent)
        parent = f"{kind}{name}"


def _add(armature: bpy.types.Object, name: str, head: Place, tail: Place, parent: str) -> None:
    bone = armature.data.edit_bones.new(name)
    bone.head, bone.tail, bone.parent = head, tail, armature.data.edit_bones.get(parent)


def _sided(place: Place, side: str) -> Place:
    return (place[0] if side == "L" else -place[0], place[1], place[2])

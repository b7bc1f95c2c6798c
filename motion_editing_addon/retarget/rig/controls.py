"""The controls of a rig that show what a plain figure does."""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mathutils import Matrix

if TYPE_CHECKING:
    from bpy.types import Object, PoseBone

    from ..target import Target

# The switch between placing a limb by its end and turning it joint by joint; 1 is the latter.
_SWITCH = "IK_FK"
_CHANNELS = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")


@dataclass(frozen=True)
class Control:
    """A control and the joint of the figure that it turns with.

    Attributes:
        name: Of the bone.
        joint: Of the figure.
        carries: Joint whose place it brings the body to; None for a control that only turns.
        aims: Joint that it points at, whatever lies between; None for one that turns as its joint does.
    """

    name: str
    joint: int
    carries: int | None = None
    aims: int | None = None


def controls_of(target: Target, joints: Container[int]) -> list[Control]:
    """Controls of some joints of the figure, in the order of the rig's bones.

    The whole trunk follows its root: joints in between share the turns of their neighbours.
    """
    body, bones = target.body, target.armature.pose.bones
    trunk = set(body.torso) if body.root in joints else set()
    found = []
    for joint, shown in enumerate(target.skeleton.names):
        name = None if joint in (*body.neck, body.head) else _turning_control(shown, bones)
        if name is not None and (joint in joints or joint in trunk):
            found.append(Control(name, joint))
    found = [control for control in found if control.joint not in trunk or control.name != "torso"]
    found += [each for each in _trunk_controls(target, found) if each.name in bones and each.joint in joints]
    return sorted(found, key=lambda control: bones.find(control.name))


def _trunk_controls(target: Target, turning: list[Control]) -> Iterator[Control]:
    """The large controls of the trunk; beside them every bone of the spine may have one of its own."""
    body = target.body
    if body.root is not None:
        yield Control("torso", body.root, carries=_pivot(target, turning))
    if body.torso and body.torso[-1] != body.root:
        yield Control("chest", body.torso[-1])
    if body.neck:
        yield Control("neck", body.neck[0], aims=body.head)
    if body.head is not None:
        yield Control("head", body.head)


def _pivot(target: Target, turning: list[Control]) -> int | None:
    """Joint of the spine that the torso's control carries: bones above and below it hang on each other from there."""
    bones, names = target.armature.pose.bones, {control.name for control in turning}
    spine = [control for control in turning if control.joint in target.body.torso]
    free = [each for each in spine if names.isdisjoint(bone.name for bone in bones[each.name].parent_recursive)]
    return free[-1].joint if free else target.body.root


def _turning_control(name: str, bones: object) -> str | None:
    """'thigh.L' is turned by 'thigh_fk.L', a shoulder by itself."""
    stem, dot, ending = name.partition(".")
    return next((each for each in (f"{stem}_fk{dot}{ending}", name) if each in bones), None)


def switches(armature: Object) -> list[PoseBone]:
    """Bones with a switch between placing and turning a limb."""
    return [bone for bone in armature.pose.bones if _SWITCH in bone]


def key_switches(armature: Object, frame: float) -> None:
    """Key every limb to be turned joint by joint."""
    for bone in switches(armature):
        bone[_SWITCH] = 1.0
        bone.keyframe_insert(f'["{_SWITCH}"]', frame=frame, group=bone.name)


@contextmanager
def free_pose(armature: Object) -> Iterator[None]:
    """The rig at rest, limbs turned joint by joint, and nothing animates it; all is as before afterwards."""
    data = armature.animation_data
    action = slot = None
    use_nla = False
    if data is not None:
        action, slot, use_nla = data.action, data.action_slot and data.action_slot.identifier, data.use_nla
        data.action, data.use_nla = None, False
    poses = {bone.name: [tuple(getattr(bone, name)) for name in _CHANNELS] for bone in armature.pose.bones}
    limbs = {bone.name: bone[_SWITCH] for bone in switches(armature)}
    try:
        for bone in armature.pose.bones:
            bone.matrix_basis = Matrix()
        for name in limbs:
            armature.pose.bones[name][_SWITCH] = 1.0
        armature.update_tag(refresh={"OBJECT", "DATA"})
        yield
    finally:
        for bone_name, values in poses.items():
            for name, value in zip(_CHANNELS, values, strict=True):
                setattr(armature.pose.bones[bone_name], name, value)
        for name, value in limbs.items():
            armature.pose.bones[name][_SWITCH] = value
        if data is not None:
            data.use_nla, data.action = use_nla, action
            if slot is not None:
                data.action_slot = action.slots[slot]
        armature.update_tag(refresh={"OBJECT", "DATA"})

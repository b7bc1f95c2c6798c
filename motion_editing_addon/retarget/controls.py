"""A plain figure's motion laid on the controls of a rig, as Blender evaluates them, frame by frame."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ...core import quaternion
from ...core.motion import Motion

if TYPE_CHECKING:
    from bpy.types import Object, PoseBone

    from ...core.skeleton import Skeleton
    from ..steps import Steps
    from .target import Target

# The switch between placing a limb by its end and turning it joint by joint; 1 is the latter.
_SWITCH = "IK_FK"
_CHANNELS = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")


@dataclass(frozen=True)
class Control:
    """A control and the joint of the figure that it turns with; only the root's also moves with it."""

    bone: PoseBone
    joint: int
    moves: bool


def controls_of(target: Target, joints: Container[int]) -> list[list[Control]]:
    """Controls of the joints in groups: those of each group hang on what earlier groups set."""
    body, bones = target.body, target.armature.pose.bones
    trunk = {body.root: "torso", body.head: "head"}
    trunk |= {joint: None for joint in (*body.torso, *body.neck) if joint not in trunk}
    trunk |= dict(zip((*body.torso[-1:], *body.neck[:1]), ("chest", "neck"), strict=False))
    controls = dict[int, str]()
    for joint, shown in enumerate(target.skeleton.names):
        name = trunk[joint] if joint in trunk else _turning_control(shown, bones)
        if joint in joints and name is not None and name in bones:
            controls[joint] = name
    groups: dict[int, list[Control]] = {}
    for joint, name in controls.items():
        group = _evaluations(target, joint, controls)
        groups.setdefault(group, []).append(Control(bones[name], joint, joint == body.root))
    return [groups[group] for group in sorted(groups)]


def _evaluations(target: Target, joint: int, controls: Mapping[int, str]) -> int:
    """How many times the rig has to be evaluated before what a joint's control hangs on is where it belongs.

    What hangs on another control directly needs no evaluation; mechanism in between does.
    """
    bones, count = target.armature.pose.bones, 0
    for above in target.skeleton.ancestors(joint):
        if above in controls:
            parent = bones[controls[joint]].parent
            count += parent is None or parent.name != controls[above]
            joint = above
    return count


def _turning_control(name: str, bones: object) -> str | None:
    """'thigh.L' is turned by 'thigh_fk.L', a shoulder by itself."""
    stem, dot, side = name.rpartition(".")
    turning = f"{stem}_fk.{side}" if dot and side in {"L", "R"} else f"{name}_fk"
    return next((each for each in (turning, name) if each in bones), None)


def laid_on_controls(target: Target, motion: Motion, skeleton: Skeleton, groups: list[list[Control]]) -> Steps[Motion]:
    """The motion of the whole rig that shows the figure's motion; yields the share done.

    The rig is posed meanwhile and is as before in the end, also if the generator is closed early.

    Args:
        target: The rig, seen as a plain figure.
        motion: Of the figure.
        skeleton: Of the whole rig.
        groups: See `controls_of`.
    """
    frames, armature = len(motion), target.armature
    rotations, locations = quaternion.identity(frames, len(skeleton)), np.zeros((frames, len(skeleton), 3))
    turns, places = _in_object(target, motion)
    rest = quaternion.multiply(quaternion.conjugate(target.stage.rotation), target.skeleton.rest_rotations)
    away = quaternion.multiply(turns, quaternion.conjugate(rest))
    with _free_pose(armature):
        for frame in range(frames):
            for group in groups:
                bpy.context.view_layer.update()
                set_now: dict[str, Matrix] = {}
                for control in group:
                    _pose(control, away[frame, control.joint], places[frame, control.joint], target, set_now)
            for control in (each for group in groups for each in group):
                joint = skeleton.index[control.bone.name]
                rotations[frame, joint] = control.bone.matrix_basis.to_quaternion()
                locations[frame, joint] = control.bone.matrix_basis.translation
            yield (frame + 1) / frames
    return Motion.build(skeleton, rotations, rate=motion.rate, times=motion.times, locations=locations)


def _in_object(target: Target, motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """(F, J, 4) orientations and (F, J, 3) places in the object's own axes and units."""
    back = quaternion.conjugate(target.stage.rotation)
    turns = quaternion.multiply(back, motion.poses.rotations)
    places = quaternion.rotate(back, motion.poses.positions - target.stage.place) / target.stage.scale
    return turns, places


def _pose(control: Control, turn: np.ndarray, place: np.ndarray, target: Target, set_now: dict[str, Matrix]) -> None:
    """Turn a control as its joint is turned away from rest; the root's also goes where its joint goes.

    Args:
        control: The control.
        turn: (4,) of its joint.
        place: (3,) of its joint.
        target: Whose control it is.
        set_now: Where controls are that were posed since the rig was evaluated; this one is added.
    """
    bone = control.bone.bone
    wanted = Quaternion(turn).to_matrix().to_4x4() @ bone.matrix_local.to_3x3().to_4x4()
    if control.moves:
        at_rest = Vector(_rest_place(target, control.joint))
        wanted.translation = Vector(place) + Quaternion(turn) @ (bone.head_local - at_rest)
    above = control.bone.parent
    parents = {}
    if above is not None:
        matrix = set_now.get(above.name, above.matrix)
        parents = {"parent_matrix": matrix, "parent_matrix_local": above.bone.matrix_local}
    basis = bone.convert_local_to_pose(wanted, bone.matrix_local, **parents, invert=True)
    if not control.moves:
        basis.translation = Vector()
    control.bone.matrix_basis = basis
    set_now[control.bone.name] = wanted


def _rest_place(target: Target, joint: int) -> np.ndarray:
    back = quaternion.conjugate(target.stage.rotation)
    return quaternion.rotate(back, target.skeleton.rest_positions[joint] - target.stage.place) / target.stage.scale


def switches(armature: Object) -> list[PoseBone]:
    """Bones with a switch between placing and turning a limb."""
    return [bone for bone in armature.pose.bones if _SWITCH in bone]


def key_switches(armature: Object, frame: float) -> None:
    """Key every limb to be turned joint by joint."""
    for bone in switches(armature):
        bone[_SWITCH] = 1.0
        bone.keyframe_insert(f'["{_SWITCH}"]', frame=frame, group=bone.name)


@contextmanager
def _free_pose(armature: Object) -> Iterator[None]:
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

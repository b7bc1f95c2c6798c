"""What a new constraint takes from the pose that the rig shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.errors import MotionEditError
from ...core.numerics import quaternion
from ..document import scope
from ..document.take.clip_take import ClipTake
from .kinds import KINDS

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup
    from mathutils import Matrix, Vector


def take_from_pose(context: Context, armature: Object, item: PropertyGroup) -> None:
    """Set place, orientation, height, distance and angle as the pose has them now, keyed or not."""
    matrix = _matrix_of(armature, item.bone)
    place = _place_of(armature, item.bone, item.tail)
    item.point, item.turn = place, matrix.to_quaternion()
    item.angle = abs(_own_angle(armature, item.bone))
    KINDS[item.kind].from_pose(context, armature, item)


def measure_distance(armature: Object, item: PropertyGroup) -> None:
    """Set the distance as the pose has it now.

    Raises:
        MotionEditError: The target has no such bone.
    """
    item.distance = (_place_of(armature, item.bone, item.tail) - _other_place(armature, item)).length


def _posed(armature: Object) -> Object:
    return armature.evaluated_get(bpy.context.evaluated_depsgraph_get())


def _matrix_of(armature: Object, bone: str) -> Matrix:
    posed = _posed(armature)
    return posed.matrix_world @ posed.pose.bones[bone].matrix


def _place_of(armature: Object, bone: str, tail: bool = False) -> Vector:
    posed = _posed(armature)
    held = posed.pose.bones[bone]
    return posed.matrix_world @ (held.tail if tail else held.head)


def _own_angle(armature: Object, bone: str) -> float:
    """Radians of the turn from the rest pose, the shorter way round."""
    angle = armature.pose.bones[bone].matrix_basis.to_quaternion().angle
    return float(min(angle, 2.0 * np.pi - angle))


def bending_of(context: Context, armature: Object, bone: str) -> tuple[str, float, float]:
    """The axis about which a bone bends most in its motion, and how far it does."""
    motion = scope.read_clip(context, armature).motion
    turns = quaternion.log(motion.rotations[:, motion.skeleton.index[bone]])
    axis = int(np.ptp(turns, axis=0).argmax())
    angles = angles_about(motion.rotations[:, motion.skeleton.index[bone]], axis)
    return "XYZ"[axis], float(angles.min()), float(angles.max())


def angles_about(rotations: np.ndarray, axis: int) -> np.ndarray:
    """(F,) radians by which rotations (F, 4) turn about one axis of the bone."""
    turned = np.where(rotations[:, :1] < 0.0, -rotations, rotations)
    return 2.0 * np.arctan2(turned[:, 1 + axis], turned[:, 0])


def floor_of(context: Context, armature: Object) -> float:
    """Height of the floor below the figure's feet where they are known, else the scene's zero."""
    try:
        facts = ClipTake(scope.read_clip(context, armature))
        feet = [joint for leg in facts.body.legs for joint in leg.joints]
        positions = facts.clip.motion.poses.positions if facts.positions is None else facts.positions
        return float(positions[:, feet, 2].min()) if feet else 0.0
    except MotionEditError:
        return 0.0


def _other_place(armature: Object, item: PropertyGroup) -> Vector:
    other = item.target_object or armature
    if not item.target_bone and other != armature:
        return _posed(other).matrix_world.translation
    if other.pose is None or item.target_bone not in other.pose.bones:
        raise MotionEditError(f"'{other.name}' has no bone '{item.target_bone}': choose another target bone")
    return _place_of(other, item.target_bone)

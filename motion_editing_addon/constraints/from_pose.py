"""What a new constraint takes from the pose that the rig shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np
from mathutils import Quaternion, Vector

from ...core.errors import MotionEditError
from ...core.numerics import quaternion
from ..border.armature import why_bones_move
from ..document import scope
from ..document.take.clip_take import ClipTake
from .figure_clip import FigureClip, as_figure, bone_in, point_in, turn_in
from .kinds import KINDS

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup


def take_from_pose(context: Context, armature: Object, item: PropertyGroup) -> None:
    """Set place, orientation, height, distance and angle as the pose has them now, keyed or not."""
    item.point = _place_of(armature, item.bone, item.tail)
    item.turn = _turn_of(armature, item.bone)
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


def _figure_of(armature: Object) -> FigureClip | None:
    """The figure of a control rig; None where bones are seen as they are."""
    if why_bones_move(armature) is None or scope.action_of(armature) is None:
        return None
    clip = as_figure(scope.read_clip(bpy.context, armature))
    return clip if isinstance(clip, FigureClip) else None


def _turn_of(armature: Object, bone: str) -> Quaternion:
    posed, figure = _posed(armature), _figure_of(armature)
    shown = bone if figure is None else bone_in(figure, bone)
    turn = (posed.matrix_world @ posed.pose.bones[shown].matrix).to_quaternion()
    return turn if figure is None else turn @ Quaternion(turn_in(figure, bone).tolist())


def _place_of(armature: Object, bone: str, tail: bool = False) -> Vector:
    posed, figure = _posed(armature), _figure_of(armature)
    if figure is not None:
        shown = posed.pose.bones[bone_in(figure, bone)]
        return posed.matrix_world @ shown.matrix @ Vector(point_in(figure, bone, tail=tail).tolist())
    held = posed.pose.bones[bone]
    return posed.matrix_world @ (held.tail if tail else held.head)


def _own_angle(armature: Object, bone: str) -> float:
    """Radians of the turn from the rest pose, the shorter way round."""
    figure = _figure_of(armature)
    if figure is not None:
        pose = figure.motion.at(figure.take.time)
        return float(np.linalg.norm(quaternion.log(pose.rotations[0, pose.skeleton.index[bone_in(figure, bone)]])))
    angle = armature.pose.bones[bone].matrix_basis.to_quaternion().angle
    return float(min(angle, 2.0 * np.pi - angle))


def bending_of(context: Context, armature: Object, bone: str) -> tuple[str, float, float]:
    """The axis about which a bone bends most in its motion, and how far it does."""
    clip = as_figure(scope.read_clip(context, armature))
    rotations = clip.motion.rotations[:, clip.motion.skeleton.index[bone_in(clip, bone)]]
    axis = int(np.ptp(quaternion.log(rotations), axis=0).argmax())
    angles = angles_about(rotations, axis)
    return "XYZ"[axis], float(angles.min()), float(angles.max())


def angles_about(rotations: np.ndarray, axis: int) -> np.ndarray:
    """(F,) radians by which rotations (F, 4) turn about one axis of the bone."""
    turned = np.where(rotations[:, :1] < 0.0, -rotations, rotations)
    return 2.0 * np.arctan2(turned[:, 1 + axis], turned[:, 0])


def floor_of(context: Context, armature: Object) -> float:
    """Height of the floor below the figure's feet where they are known, else the scene's zero."""
    try:
        facts = ClipTake(scope.read_clip(context, armature))
        shown = facts.shown
        feet = [joint for leg in shown.body.legs for joint in leg.joints]
        positions = shown.motion.poses.positions if shown.positions is None else shown.positions
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

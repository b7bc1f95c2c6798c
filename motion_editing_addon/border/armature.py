"""Bones of a Blender armature as a core Skeleton, and joint positions of rigs that core cannot evaluate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.motion import InheritScale, Skeleton
from ...core.numerics import quaternion
from .steps import Steps

if TYPE_CHECKING:
    from bpy.types import Bone, Constraint, Object, PoseBone, Scene

# Joint 0 of every skeleton read from Blender is the armature object itself.
PLACEMENT = ""


def pose_bones(thing: Object) -> list[PoseBone]:
    """The pose bones of an armature object; none for a camera or prop."""
    return list(thing.pose.bones) if thing.pose else []


def skeleton_of(armature: Object) -> Skeleton:
    """The object as joint 0, an armature's bones after it in the order of `pose.bones`."""
    bones = [pose_bone.bone for pose_bone in pose_bones(armature)]
    number = {bone.name: index for index, bone in enumerate(bones, start=1)}
    rest = np.array([bone.matrix_local for bone in bones], dtype=np.float64).reshape(-1, 4, 4)
    rotations = quaternion.from_matrix(rest[:, :3, :3]) if bones else np.empty((0, 4))
    above_rotation, above_position = _above(armature)
    return Skeleton.build(
        [PLACEMENT, *number],
        [-1, *(number[bone.parent.name] if bone.parent else 0 for bone in bones)],
        [above_position, *(above_position + quaternion.rotate(above_rotation, rest[:, :3, 3]))],
        rest_rotations=[above_rotation, *quaternion.multiply(above_rotation, rotations)],
        tips=[(0, 0, 0), *((0, bone.length, 0) for bone in bones)],
        connected=[False, *(bool(bone.parent) and bone.use_connect for bone in bones)],
        # A bone without a parent has nothing to inherit: Blender then ignores these switches.
        inherits_rotation=[True, *(not bone.parent or bone.use_inherit_rotation for bone in bones)],
        inherit_scale=[InheritScale.FULL, *(_inherit_scale(bone) for bone in bones)],
        local_location=[True, *(bone.use_local_location for bone in bones)],
        has_placement=True,
    )


def _inherit_scale(bone: Bone) -> InheritScale:
    return InheritScale[bone.inherit_scale] if bone.parent else InheritScale.FULL


def _above(armature: Object) -> tuple[np.ndarray, np.ndarray]:
    """Rotation and place of what the armature object's own channels are relative to."""
    if armature.parent is None:
        return np.array(quaternion.IDENTITY), np.zeros(3)
    matrix = armature.parent.matrix_world @ armature.matrix_parent_inverse
    return np.array(matrix.to_quaternion()), np.array(matrix.translation)


def size_above(armature: Object) -> float:
    """Units of the scene that a unit of the armature object's own location is, at most: its parents may be scaled."""
    if armature.parent is None:
        return 1.0
    matrix = np.array(armature.parent.matrix_world @ armature.matrix_parent_inverse)
    return float(np.linalg.norm(matrix[:3, :3], ord=2))


def why_sampled(armature: Object) -> str | None:
    """Why the bones' channels alone do not give the pose, or None if they do."""
    return why_moved(armature) or _why_elsewhere(armature)


def why_moved(armature: Object) -> str | None:
    """What moves the armature besides its channels, or None if nothing does; it may stand anywhere, in any size."""
    return why_bones_move(armature) or _why_carried(armature)


def why_elsewhere(armature: Object) -> str | None:
    """Why the object is not where its own channels say, or None if it is; its bones may be anywhere."""
    return _why_carried(armature) or _why_elsewhere(armature)


def _why_carried(armature: Object) -> str | None:
    """What moves the object besides its channels, or None if nothing does."""
    if any(_acts(constraint) for constraint in armature.constraints):
        return "The armature object has a constraint"
    if armature.parent is not None and armature.parent_type != "OBJECT":
        return "The armature is parented to a bone or vertex"
    parent = armature.parent
    while parent is not None:
        if parent.animation_data is not None or any(_acts(constraint) for constraint in parent.constraints):
            return f"Its parent '{parent.name}' moves"
        parent = parent.parent
    return None


def why_bones_move(armature: Object) -> str | None:
    """What moves bones besides their channels, or None if nothing does; something may carry the object."""
    for pose_bone in pose_bones(armature):
        if any(_acts(constraint) for constraint in pose_bone.constraints):
            return f"Bone '{pose_bone.name}' has a constraint"
    return "Bones have drivers" if _has_pose_drivers(armature) else None


def is_carried(armature: Object) -> bool:
    """Whether the object may be elsewhere than its channels say: by a parent, constraints or delta transforms."""
    return armature.parent is not None or any(map(_acts, armature.constraints)) or _has_delta(armature)


def _why_elsewhere(armature: Object) -> str | None:
    """Why the object's channels do not give its place and size, or None if they do."""
    if _has_delta(armature):
        return "The armature object has delta transforms"
    if armature.parent is None:
        return None
    above = armature.parent.matrix_world @ armature.matrix_parent_inverse
    scaled = np.abs(np.array(above.to_scale()) - 1.0).max() > 1e-5 or above.is_negative
    return f"Its parent '{armature.parent.name}' is scaled" if scaled else None


def _has_delta(armature: Object) -> bool:
    turned = any(armature.delta_rotation_euler) or tuple(armature.delta_rotation_quaternion) != (1.0, 0.0, 0.0, 0.0)
    return turned or any(armature.delta_location) or tuple(armature.delta_scale) != (1.0, 1.0, 1.0)


def _acts(constraint: Constraint) -> bool:
    return not constraint.mute and constraint.influence > 0.0


def _has_pose_drivers(armature: Object) -> bool:
    data = armature.animation_data
    return data is not None and any("pose.bones" in driver.data_path for driver in data.drivers)


def sample_positions(scene: Scene, armature: Object, frames: np.ndarray) -> Steps[np.ndarray]:
    """Step through scene frames, yield the share done, return the positions.

    The positions are (F, J, 3) in scene space, joint 0 the object. The scene's frame is
    restored at the end, also when the caller closes the generator early.
    """
    before = scene.frame_current, scene.frame_subframe
    count = len(armature.pose.bones)
    heads = np.empty(count * 3, dtype=np.float32)
    positions = np.zeros((len(frames), count + 1, 3))
    try:
        for done, frame in enumerate(frames):
            whole = int(np.floor(frame))
            scene.frame_set(whole, subframe=float(frame - whole))
            evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
            evaluated.pose.bones.foreach_get("head", heads)
            world = np.array(evaluated.matrix_world)
            positions[done, 0] = world[:3, 3]
            positions[done, 1:] = heads.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
            yield (done + 1) / len(frames)
        return positions
    finally:
        scene.frame_set(before[0], subframe=before[1])


def rotation_property(owner: Object | PoseBone) -> str:
    """The property that holds the rotation in the owner's rotation mode."""
    return {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(
        owner.rotation_mode, "rotation_euler"
    )

"""Pushing poses away from, or towards, another pose (5.1)."""

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from ...motion import Motion
from ...numerics import quaternion
from ..model import StaggeredMotion
from .pose_edits import non_staggered_pose, true_pose, with_extreme_pose, with_true_pose
from .selection import chosen_poses

Reference = Literal["PREVIOUS", "NEXT", "AVERAGE"] | int | Motion


def exaggerate(
    model: StaggeredMotion,
    weight: float,
    *,
    against: Reference = "AVERAGE",
    poses: Any = None,
    joints: Any = None,
    true_poses: bool = False,
) -> StaggeredMotion:
    """Move poses along their difference from a reference: v + weight (v - reference).

    Args:
        weight: 0 changes nothing, 1 doubles the difference, -1 reaches the reference.
        against: A pose's neighbour, the average of all poses, the number of a pose, or any pose
            as a motion of one frame. The first pose has no previous, the last no next one; they stay.
        poses: Numbers or (K,) flags of poses to change; all if not given.
        joints: Numbers or (J,) flags of joints that may change; all if not given.
        true_poses: Compare and change what is seen at the pose times instead of the extremes.
    """
    seen, put = (true_pose, with_true_pose) if true_poses else (non_staggered_pose, with_extreme_pose)
    values = [seen(model, pose) for pose in range(len(model))]
    result = model
    for pose in np.flatnonzero(chosen_poses(model, poses)):
        reference = _reference(values, int(pose), against)
        if reference is not None:
            moved = _pushed(values[pose], reference, weight)
            result = put(result, int(pose), moved, joints=joints)
    return result


def average_pose(poses: list[Motion]) -> Motion:
    """Mean of motions of one frame, rotations by the normalized quaternion mean; switches are those of the first."""
    first = poses[0]
    rotations = [quaternion.aligned(pose.rotations, first.rotations) for pose in poses]
    return replace(
        first,
        rotations=quaternion.normalize(np.mean(rotations, axis=0)),
        locations=np.mean([pose.locations for pose in poses], axis=0),
        scales=np.mean([pose.scales for pose in poses], axis=0),
        scalars=np.where(first.steps, first.scalars, np.mean([pose.scalars for pose in poses], axis=0)),
    )


def _reference(values: list[Motion], pose: int, against: Reference) -> Motion | None:
    if isinstance(against, Motion):
        return against
    if against == "AVERAGE":
        return average_pose(values)
    other = pose + {"PREVIOUS": -1, "NEXT": 1}[against] if isinstance(against, str) else against
    return values[other] if 0 <= other < len(values) and other != pose else None


def _pushed(pose: Motion, reference: Motion, weight: float) -> Motion:
    """The pose moved on along its difference from the reference; rotations by scaling the turn."""
    turn = quaternion.multiply(pose.rotations, quaternion.conjugate(reference.rotations))
    return replace(
        pose,
        rotations=quaternion.multiply(quaternion.exp(weight * quaternion.log(turn)), pose.rotations),
        locations=pose.locations + weight * (pose.locations - reference.locations),
        scales=pose.scales + weight * (pose.scales - reference.scales),
        scalars=np.where(pose.steps, pose.scalars, pose.scalars + weight * (pose.scalars - reference.scalars)),
    )

"""Pushing poses away from, or towards, another pose (5.1)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from ...motion import Indices, Motion
from ...numerics import quaternion
from ..model import StaggeredMotion
from .pose_edits import non_staggered_pose, true_pose, with_extreme_pose, with_true_pose
from .selection import chosen_poses

Reference = Literal["PREVIOUS", "NEXT", "AVERAGE"] | int | Motion
# Gives the pose that a pushed one may be.
Limit = Callable[[Motion], Motion]


def exaggerate(
    model: StaggeredMotion,
    weight: float,
    *,
    against: Reference = "AVERAGE",
    poses: Any = None,
    joints: Any = None,
    true_poses: bool = False,
    limit: Limit | None = None,
) -> StaggeredMotion:
    """Move poses along their difference from a reference: v + weight (v - reference).

    Args:
        weight: 0 changes nothing, 1 doubles the difference, -1 reaches the reference.
        against: A pose's neighbour, the average of all poses, the number of a pose, or any pose
            as a motion of one frame. The first pose has no previous, the last no next one; they stay.
        poses: Numbers or (K,) flags of poses to change; all if not given.
        joints: Numbers or (J,) flags of joints that may change; all if not given.
        true_poses: Compare and change what is seen at the pose times instead of the extremes.
        limit: Makes poses that go too far less so.
    """
    seen, put = (true_pose, with_true_pose) if true_poses else (non_staggered_pose, with_extreme_pose)
    chosen = np.flatnonzero(chosen_poses(model, poses))
    pairs = [(pose, _other(model, pose, against)) for pose in chosen.tolist()]
    if not isinstance(against, Motion) and against != "AVERAGE":
        pairs = [pair for pair in pairs if pair[1] is not None]
    if not pairs:
        return model
    numbers = np.array([pose for pose, _other_pose in pairs])
    values = seen(model, numbers)
    moved = _pushed(values, _references(model, pairs, against, seen), weight)
    return put(model, numbers, limit(moved) if limit else moved, joints=joints)


def _references(
    model: StaggeredMotion, pairs: list[tuple[int, int | None]], against: Reference, seen: Callable[..., Motion]
) -> Motion:
    """What poses are pushed away from: a frame for each, or one for all."""
    if isinstance(against, Motion):
        return against
    if against == "AVERAGE":
        return average_pose(seen(model, np.arange(len(model))))
    others, row = np.unique([other for _pose, other in pairs], return_inverse=True)
    return _frames(seen(model, others), np.ravel(row))


def _frames(motion: Motion, rows: Indices) -> Motion:
    """Some frames of a motion in any order, some maybe twice: poses, not a motion."""
    return replace(
        motion,
        times=motion.times[0] + np.arange(len(rows)),
        rotations=motion.rotations[rows],
        locations=motion.locations[rows],
        scales=motion.scales[rows],
        scalars=motion.scalars[rows],
        carriers=None,
    )


def average_pose(poses: Motion) -> Motion:
    """Mean of all frames, rotations by the normalized quaternion mean; switches are those of the first."""
    first = poses.part(0, 1)
    rotations = quaternion.aligned(poses.rotations, first.rotations)
    return replace(
        first,
        rotations=quaternion.normalize(rotations.mean(axis=0, keepdims=True)),
        locations=poses.locations.mean(axis=0, keepdims=True),
        scales=poses.scales.mean(axis=0, keepdims=True),
        scalars=np.where(first.steps, first.scalars, poses.scalars.mean(axis=0, keepdims=True)),
    )


def _other(model: StaggeredMotion, pose: int, against: Reference) -> int | None:
    """The pose that another one is pushed away from; None if there is none."""
    if isinstance(against, Motion) or against == "AVERAGE":
        return None
    count, other = len(model), pose + {"PREVIOUS": -1, "NEXT": 1}[against] if isinstance(against, str) else against
    if model.timing.is_cyclic and isinstance(against, str):
        other %= count - 1  # beside the first pose of a loop is the one before its last, which is the first again
    return other if 0 <= other < count and other != pose else None


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

"""Skeletons made from others: other lengths, another rest pose, more or fewer joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.numerics import quaternion

# Bones whose lengths make a leg, in the clips and in the sample motion.
LEG_BONES = ("LeftLeg", "RightLeg", "LeftFoot", "RightFoot", "shin.L", "shin.R", "foot.L", "foot.R")


def resized(skeleton: Skeleton, factor: float, *, only: tuple[str, ...] = ()) -> Skeleton:
    """The skeleton with the steps to all joints, or only to some, made longer or shorter."""
    factors = np.array([factor if not only or name in only else 1.0 for name in skeleton.names])[:, None]
    steps, places = skeleton.rest_offsets[1] * factors, np.zeros((len(skeleton), 3))
    for level in skeleton.levels:
        for joint in level:
            parent = skeleton.parents[joint]
            axes = quaternion.IDENTITY if parent < 0 else skeleton.rest_rotations[parent]
            above = np.zeros(3) if parent < 0 else places[parent]
            places[joint] = above + quaternion.rotate(axes, steps[joint])
    return replace(skeleton, rest_positions=places, tips=skeleton.tips * factors)


def with_rest_pose(skeleton: Skeleton, turns: Mapping[str, np.ndarray]) -> Skeleton:
    """The skeleton whose rest pose is one in which joints are turned (own axes)."""
    rotations = quaternion.identity(1, len(skeleton))
    for name, turn in turns.items():
        rotations[0, skeleton.index[name]] = turn
    poses = Motion.build(skeleton, rotations, rate=1.0).poses
    return replace(skeleton, rest_positions=poses.positions[0], rest_rotations=poses.rotations[0])


def with_joint_split(skeleton: Skeleton, name: str, parts: int) -> Skeleton:
    """The skeleton with new joints, in equal steps, between a joint and its parent."""
    joint = skeleton.index[name]
    parent, count = int(skeleton.parents[joint]), len(skeleton)
    start, end = skeleton.rest_positions[parent], skeleton.rest_positions[joint]
    extra = [start + (end - start) * (number + 1) / parts for number in range(parts - 1)]
    parents = [*skeleton.parents, *([parent, *range(count, count + parts - 2)])]
    parents[joint] = count + parts - 2
    return Skeleton.build(
        [*skeleton.names, *(f"{name} part {number}" for number in range(parts - 1))],
        parents,
        np.concatenate([skeleton.rest_positions, extra]),
        rest_rotations=np.concatenate(
            [skeleton.rest_rotations, np.tile(skeleton.rest_rotations[joint], (parts - 1, 1))]
        ),
        tips=np.concatenate([skeleton.tips, np.zeros((parts - 1, 3))]),
    )


def without_joint(skeleton: Skeleton, name: str) -> Skeleton:
    """The skeleton without a joint; what hung on it hangs on its parent."""
    joint = skeleton.index[name]
    kept = [number for number in range(len(skeleton)) if number != joint]
    place = {number: order for order, number in enumerate(kept)}
    above = [int(skeleton.parents[joint]) if parent == joint else int(parent) for parent in skeleton.parents]
    return Skeleton.build(
        [skeleton.names[number] for number in kept],
        [place.get(above[number], -1) for number in kept],
        skeleton.rest_positions[kept],
        rest_rotations=skeleton.rest_rotations[kept],
        tips=skeleton.tips[kept],
    )

"""Wave shaping: how far joints turn away from a pose, made more, less or limited (motion editing chapter, 1.6.3.2).

Every rotation is the reference pose's and a turn from there about some axis. The angle of that turn is
given another size; the axis stays. Angles go on beyond half a turn, so that nothing flips there.
Locations, scales and scalar channels stay.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import SkeletonMismatchError
from ..motion import Indices, Motion, blocks, chosen_joints
from ..numerics import Array, quaternion
from .mean_poses import mean_pose
from .turns import turn_between

# From angles (F, N) in radians, and the numbers (N,) of their joints, to new angles.
_Shape = Callable[[Array, Indices], Array]
# Sine of half an angle below which the axis of a turn is lost in rounding.
_TINY = 1e-12
# Radians that no turn reaches; stands for no limit.
_BEYOND = 100.0


def exaggerated(motion: Motion, amount: float, *, about: Motion | None = None, joints: Any = None) -> Motion:
    """Turn every joint further away from a pose, or nearer to it.

    Args:
        amount: Factor of all angles: 1 gives back the same motion bit for bit, 0 the pose, 2 twice as much.
        about: The pose, as a motion of one frame; the mean of all poses by default.
        joints: (J,) joints to change; all by default.
    """
    if not np.isfinite(amount):
        raise ValueError("amount must be finite")
    if amount == 1.0:
        return motion
    return _shaped(motion, about, joints, lambda angles, _: amount * angles)


def soft_limited(
    motion: Motion, limit: Any, *, softness: float = 0.3, about: Motion | None = None, joints: Any = None
) -> Motion:
    """Let no joint turn further from a pose than a limit, and none stop there abruptly.

    Angles a up to a start s stay bit for bit; beyond it they become s + w (1 - exp(-(a - s) / w)) with
    w = limit - s, which grows ever more slowly and stays below the limit.

    Args:
        limit: Radians, one for all joints or (J,); infinite leaves a joint as it is.
        softness: Part of the limit, 0 to 1, over which joints slow down; 0 stops them at the limit.
        about: The pose, as a motion of one frame; the mean of all poses by default.
        joints: (J,) joints to change; all by default.
    """
    limits = _per_joint(motion, limit, "limit")
    if not 0.0 <= softness <= 1.0:
        raise ValueError("softness must lie between 0 and 1")
    start = (1.0 - softness) * limits
    return _shaped(motion, about, joints, lambda angles, own: _bent(angles, start[own], limits[own] - start[own], 0.0))


def compressed(
    motion: Motion,
    *,
    threshold: Any,
    ratio: float,
    knee: float = 0.2,
    about: Motion | None = None,
    joints: Any = None,
) -> Motion:
    """Make large turns away from a pose smaller and leave small ones as they are: less range, all the detail.

    Args:
        threshold: Radians up to which angles stay bit for bit, one for all joints or (J,).
        ratio: What lies beyond the threshold is divided by this: 1 gives back the same motion bit for bit;
            below 1 it grows.
        knee: Radians over which the one becomes the other; 0 is a corner.
        about: The pose, as a motion of one frame; the mean of all poses by default.
        joints: (J,) joints to change; all by default.
    """
    thresholds = _per_joint(motion, threshold, "threshold")
    if not (ratio > 0.0 and np.isfinite(ratio)) or not knee >= 0.0:
        raise ValueError("ratio must be above zero and finite, knee must not be below zero")
    if ratio == 1.0:
        return motion
    slope = 1.0 / ratio
    room = (1.0 - slope) * knee
    return _shaped(motion, about, joints, lambda angles, own: _bent(angles, thresholds[own], room, slope, knee))


def _bent(angles: Array, start: Array, room: Any, slope: float, knee: Any = None) -> Array:
    """Angles that go on beyond a start ever more slowly, to a final slope.

    Args:
        angles: (F, N) not below zero.
        start: (N,) up to where they stay.
        room: What is gained beyond the start, apart from the slope.
        slope: Of what is far beyond.
        knee: Radians within which most of the room is gained; the room itself keeps the slope continuous.
    """
    beyond = np.maximum(angles - start, 0.0)
    scale = np.asarray(room if knee is None else knee, dtype=np.float64)
    gained = np.where(scale > 0.0, -np.expm1(-beyond / np.where(scale > 0.0, scale, 1.0)), 0.0)
    return np.where(beyond > 0.0, start + slope * beyond + room * gained, angles)


def _per_joint(motion: Motion, values: Any, name: str) -> Array:
    """(J,) radians, infinite ones as far beyond any turn."""
    numbers = np.minimum(np.broadcast_to(np.asarray(values, dtype=np.float64), (len(motion.skeleton),)), _BEYOND)
    if not (numbers >= 0.0).all():
        raise ValueError(f"{name} must not be below zero")
    return numbers


def _shaped(motion: Motion, about: Motion | None, joints: Any, shape: _Shape) -> Motion:
    pose = mean_pose(motion) if about is None else about
    if pose.skeleton.names != motion.skeleton.names or len(pose) != 1:
        raise SkeletonMismatchError("The reference pose must be one frame of the same character")
    memory = np.array(motion.rotations.T)
    for block in blocks(np.flatnonzero(chosen_joints(motion, joints)), len(motion)):
        own = motion.rotations.T[:, block].T
        memory[:, block] = _shaped_rotations(own, pose.rotations[:, block], block, shape).T
    return motion.with_rotations(memory.T)


def _shaped_rotations(rotations: Array, pose: Array, joints: Indices, shape: _Shape) -> Array:
    turns = turn_between(pose, rotations)
    # Of the two ways round, the one that is shorter most of the time.
    turns = np.where(turns[..., :1].sum(axis=0) < 0.0, -turns, turns)
    w, *axis = np.moveaxis(turns, -1, 0)
    sine = np.sqrt(sum(part * part for part in axis))
    angles = 2.0 * np.arctan2(sine, w)
    new = shape(angles, joints)
    scale = np.sin(0.5 * new) / np.where(sine > _TINY, sine, 1.0)
    resized = quaternion.stack(np.cos(0.5 * new), *(part * scale for part in axis))
    same = (new == angles) | (sine <= _TINY)
    result = quaternion.aligned(quaternion.normalize(quaternion.multiply(pose, resized)), rotations)
    return np.where(same[..., None], rotations, result)

"""When each joint has its extreme of a pose (section 4.1): the strongest near the pose, by swing or twist."""

from dataclasses import dataclass

import numpy as np

from ...motion import Indices, Motion, forward_kinematics, shape_channels
from ...numerics import Array, quaternion
from .options import ExtractionOptions
from .peaks import signal_extremes
from .visible import smoothed

# Degrees by which a joint's turn stands out at least.
_LEAST = 6.0
# Part of a whole shape by which it stands out at least.
_LEAST_SHAPE = 0.1
# Part of the swings along a joint's main axis from which on another axis of it counts.
_OTHER_AXES = 0.35
# Seconds at which an extreme counts a third of one at the pose itself.
_NEAR = 0.35
# Sizes of the figure that a joint of an extreme pose may be away from every pose of the motion around it.
_MOST_AWAY = 0.14
# Refinements are limited to these seconds, one after the other, until an extreme pose is a pose.
_SMALLER = (0.18, 0.12, 0.08, 0.05, 0.0)
# Poses of the motion around that it is compared with.
_AROUND, _COMPARED = 0.25, 9


@dataclass(frozen=True, eq=False)
class JointExtremes:
    """When one joint turns round.

    Attributes:
        times: (N,) seconds, increasing.
        amounts: (N,) degrees by which each stands out.
    """

    times: Array
    amounts: Array


def joint_extremes(motion: Motion, joint: int) -> JointExtremes:
    """Extremes of a joint's rotation along its main axes; twisting is one of them."""
    rotations = motion.rotations[:, joint]
    none = JointExtremes(np.empty(0), np.empty(0))
    if len(motion) < 5 or (rotations == rotations[:1]).all():
        return none
    middle = quaternion.normalize(rotations.mean(axis=0))
    turns = quaternion.log(quaternion.multiply(quaternion.conjugate(middle), rotations))
    if np.ptp(turns, axis=0).max() < np.radians(_LEAST):
        return none
    turns = smoothed(turns, motion.rate)
    turns -= turns.mean(axis=0)
    spreads, axes = np.linalg.eigh(turns.T @ turns)
    chosen = np.sqrt(np.maximum(spreads, 0.0)) >= _OTHER_AXES * np.sqrt(spreads[-1])
    found = [signal_extremes(np.degrees(turns @ axis), _LEAST) for axis in axes.T[chosen]]
    frames, amounts = (np.concatenate(part) for part in zip(*found, strict=True))
    order = np.argsort(frames, kind="stable")
    return JointExtremes(motion.times[frames[order]], amounts[order])


def shape_refinements(motion: Motion, poses: Array, options: ExtractionOptions) -> tuple[tuple[str, ...], Array]:
    """Names of N shapes of a face and (K, N) seconds from each pose to their extremes; none if it is left out."""
    looked_at = options.face_weight > 0.0 and len(motion) > 4
    chosen = np.flatnonzero(shape_channels(motion)) if looked_at else np.empty(0, dtype=np.intp)
    late = np.zeros((len(poses), len(chosen)))
    for column, channel in enumerate(chosen):
        shape = smoothed(motion.scalars[:, [channel]], motion.rate)[:, 0]
        frames, amounts = signal_extremes(shape, _LEAST_SHAPE)
        order = np.argsort(frames, kind="stable")
        found = JointExtremes(motion.times[frames[order]], amounts[order])
        late[:, column] = strongest(found, poses, options.refinement_bound)
    return tuple(motion.scalar_names[channel] for channel in chosen), late


def strongest(found: JointExtremes, poses: Array, bound: float) -> Array:
    """(K,) seconds from each pose to the strongest extreme that belongs to it; 0 where none does.

    Those belong to a pose that are nearer to it than to any other and within the bound. The first and last pose hold
    the ends of the motion and are not refined.
    """
    refinements = np.zeros(len(poses))
    if len(poses) < 3 or not len(found.times):
        return refinements
    pose = np.searchsorted(0.5 * (poses[1:] + poses[:-1]), found.times)
    away = found.times - poses[pose]
    weight = found.amounts * np.exp(-((away / _NEAR) ** 2))
    weight[(np.abs(away) >= bound) | (pose == 0) | (pose == len(poses) - 1)] = 0.0
    order = np.lexsort((-np.abs(away), weight))
    order = order[weight[order] > 0.0]
    refinements[pose[order]] = away[order]  # the strongest one is set last
    return refinements


def as_poses(refinements: Array, motion: Motion, frames: Indices, root: int, size: float) -> Array:
    """Refinements (K, J) made smaller where the extremes of all joints together are no pose of the motion around.

    Args:
        refinements: Seconds from each pose to the extreme of each joint.
        motion: Of the joints.
        frames: (K,) frames of the poses.
        root: The joint that all are seen from.
        size: Of the figure, in units.
    """
    result = np.array(refinements)
    checked = np.flatnonzero(result.any(axis=1))
    for limit in _SMALLER:
        if not len(checked):
            break
        away = _away_from_motion(result[checked], motion, frames[checked], root)
        checked = checked[away > _MOST_AWAY * size]
        own = result[checked]
        result[checked] = np.where(np.abs(own) > limit, 0.0, own)
    return result


def _away_from_motion(refinements: Array, motion: Motion, frames: Indices, root: int) -> Array:
    """(K,) how far the joint of each extreme pose that is farthest is from the nearest pose of the motion around."""
    last, places = len(motion) - 1, motion.poses.positions
    rows = np.clip(np.round(frames[:, None] + refinements * motion.rate).astype(np.intp), 0, last)
    rotations = motion.rotations[rows, np.arange(rows.shape[1])]
    shown = forward_kinematics(motion.skeleton, rotations, motion.locations[frames], motion.scales[frames]).positions
    shown = shown - shown[:, [root]]
    squares = np.full(len(frames), np.inf)
    for shift in np.linspace(-_AROUND, _AROUND, _COMPARED):
        around = places[np.clip(frames + round(shift * motion.rate), 0, last)]
        ways = around - around[:, [root]] - shown
        squares = np.minimum(squares, np.einsum("kjc,kjc->kj", ways, ways).max(axis=1))
    away: Array = np.sqrt(squares)
    return away

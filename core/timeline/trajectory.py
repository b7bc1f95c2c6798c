"""Carrying the path of a hand or foot from one part of a motion to another (pose timeline paper, 5.4).

The reference is laid over the window in time, by what both bodies do, and in space, by one turn about
the up direction and one shift along the ground for the whole window, so that a foot that stands in the
reference stands in the result. The limb is then led along the path.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from ..analysis import horizontal_alignment, sample_count, smooth_timing
from ..analysis.contacts import estimate_floor
from ..motion import Motion, joints_by_name
from ..numerics import Array, quaternion
from ..solve import Limb, reach_targets
from .moving_part import MovingPart, limb_joints, limb_length, matching_curves
from .segment import Segment

# Shares of a limb's length, and of 1, that come from rounding.
_ROUNDING = 1e-9


def transfer_trajectory(
    motion: Motion,
    window: tuple[float, float],
    reference: Segment,
    limb: Limb,
    *,
    up: Any,
    amount: float = 1.0,
    ease: float = 0.25,
    softness: float = 0.01,
) -> Motion:
    """Lead the end of a limb along the reference's path; its three joints change and nothing else.

    Args:
        motion: Motion to edit. Scales along the limb must be uniform.
        window: First and last frame of the edit.
        reference: Where the path is taken from; joints are found by their names. Another skeleton's
            path is scaled by the lengths of the limbs.
        up: (3,) unit vector away from the ground, of both motions.
        amount: 0 changes nothing, 1 gives the reference's path, values between a mixture.
        ease: Share of the window, 0 to 0.5, over which the edit sets in and dies away.
        softness: Part of the limb's length over which it slows down before full extension, as in
            `reach_targets`.

    Raises:
        EmptyWindowError: The window is no part of the motion.
        SkeletonMismatchError: The reference lacks a joint of the limb.
        StillPartError: Nothing moves, so that no times can be compared.
    """
    path = trajectory_path(motion, window, reference, limb, up=up, amount=amount, ease=ease)
    part = Segment(motion, *window)
    own = part.own_part()
    reached = reach_targets(own, limb, path, softness=softness)
    joints = list(limb_joints(limb))
    before = own.rotations[:, joints]
    after = quaternion.aligned(reached.rotations[:, joints], before)
    # What is where it should be is not solved, which would round.
    there = _distances(own, limb, path) < _ROUNDING
    rotations = np.array(motion.rotations.T).T
    rotations[part.rows, joints] = np.where(there[:, None, None], before, after)
    return replace(motion, rotations=rotations)


def trajectory_path(
    motion: Motion,
    window: tuple[float, float],
    reference: Segment,
    limb: Limb,
    *,
    up: Any,
    amount: float = 1.0,
    ease: float = 0.25,
) -> Array:
    """(N, 3) where the limb's end is to be at the whole frames of the window.

    Arguments and refusals are those of `transfer_trajectory`.
    """
    part = Segment(motion, *window)
    own = part.own_part()
    theirs = MovingPart(effectors=(limb,)).named_in(motion.skeleton, reference.motion.skeleton).effectors[0]
    scale = limb_length(own, limb) / limb_length(reference.own_part(), theirs)
    scale = 1.0 if abs(scale - 1.0) < _ROUNDING else scale
    shown = reference.at(_reference_frames(part, reference))
    wanted = _laid_over(own, shown, limb, theirs, scale, np.asarray(up, dtype=np.float64))
    wanted += _floor_offset(motion, reference.motion, scale, up)
    places = own.poses.positions[:, limb.end]
    path: Array = places + (amount * part.ease_weights(ease))[:, None] * (wanted - places)
    return path


def _distances(own: Motion, limb: Limb, path: Array) -> Array:
    """(N,) of the limb's end from the path, in limb lengths."""
    away = own.poses.positions[:, limb.end] - path
    distances: Array = np.linalg.norm(away, axis=1) / limb_length(own, limb)
    return distances


def _common_joints(motion: Motion, other: Motion) -> list[int]:
    """Joints whose names both skeletons have."""
    return [joint for joint, name in enumerate(motion.skeleton.names) if name in other.skeleton.index]


def _reference_frames(part: Segment, reference: Segment) -> Array:
    """(N,) frames of the reference in which its body does what the whole frames of the part show."""
    count = sample_count(part.length)
    body = MovingPart(tuple(_common_joints(part.motion, reference.motion)))
    their_body = body.named_in(part.motion.skeleton, reference.motion.skeleton)
    timing = smooth_timing(*matching_curves(part.sampled(count), body, reference.sampled(count), their_body))
    samples = (part.whole_frames - part.start) * ((count - 1) / part.length)
    frames: Array = reference.start + timing(samples) * (reference.length / (count - 1))
    return np.clip(frames, reference.start, reference.end)


def _laid_over(own: Motion, shown: Motion, limb: Limb, theirs: Limb, scale: float, up: Array) -> Array:
    """(N, 3) path of the reference's end after the turn and shift that lay its body over this one best."""
    inside = {limb.upper, *own.skeleton.descendants(limb.upper)}
    joints = [joint for joint in _common_joints(own, shown) if joint == limb.upper or joint not in inside]
    matched = joints_by_name(own.skeleton, joints, shown.skeleton)
    points, onto = scale * shown.poses.positions[:, matched], own.poses.positions[:, joints]
    angle, shift = horizontal_alignment(points.reshape(-1, 3), onto.reshape(-1, 3), up)
    turned = quaternion.rotate(quaternion.from_axis_angle(up, angle), scale * shown.poses.positions[:, theirs.end])
    return turned + shift


def _floor_offset(motion: Motion, reference: Motion, scale: float, up: Any) -> Array:
    """(3,) from the reference's floor, scaled, to the motion's own."""
    own, theirs = (estimate_floor(one.poses.positions, up) for one in (motion, reference))
    offset: Array = (own - scale * theirs) * np.asarray(up, dtype=np.float64)
    return offset

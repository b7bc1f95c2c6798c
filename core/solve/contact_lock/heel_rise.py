"""Heels that rise over standing toes, where a leg would not reach otherwise."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ...motion import Motion
from ...numerics import Array, quaternion
from .hold_pose import SWIFTEST_TURN, HoldPose
from .reach import NOTHING, Reach, reach_of
from .stances import lying_frames
from .windows import Fade, Mask, faded

# Radians by which a heel may rise more than it did.
_HIGHEST = 0.5


def with_heel_raised(
    pose: HoldPose, motion: Motion, base: Motion, active: Mapping[int, Mask], fade: Fade, softness: float
) -> HoldPose:
    """The pose of a foot turned about its toes until the leg reaches it, in frames in which toes stand alone.

    The foot goes on turning where the toes leave the ground, until the rise has died away.

    Args:
        pose: What the contacts of a leg want.
        motion: Legs that are straight here may be so again.
        base: The motion to correct, its root lowered.
        active: By joint, (F,) frames in contact.
        fade: How turns come and go.
        softness: Of the leg's reach.
    """
    rise = _rise(pose, motion, base, active, softness)
    if not rise.any():
        return pose
    rise = faded(rise, pose.active, base.times, fade.of(rise, SWIFTEST_TURN))
    toe, end = pose.limb.digits[0], pose.limb.end
    turned = quaternion.log(quaternion.multiply(quaternion.exp(rise), quaternion.exp(pose.end_turn)))
    now = base.poses.positions
    arm = quaternion.rotate(quaternion.exp(pose.end_turn), now[:, toe] - now[:, end])
    moved = arm - quaternion.rotate(quaternion.exp(rise), arm)
    risen = (rise != 0.0).any(axis=1)[:, None]
    return replace(
        pose,
        end_turn=np.where(risen, turned, pose.end_turn),
        end_place=np.where(risen & pose.active[:, None], pose.end_place + moved, pose.end_place),
    )


def without_raised(pose: HoldPose, motion: Motion, active: Mapping[int, Mask], softness: float) -> HoldPose:
    """The pose with only those frames active in which raising the heel does not bring the leg within its reach."""
    angles = np.linalg.norm(_rise(pose, motion, motion, active, softness, highest=np.pi), axis=1)
    return replace(pose, active=pose.active & ~((angles > 0.0) & (angles <= _HIGHEST)))


def _rise(
    pose: HoldPose,
    motion: Motion,
    base: Motion,
    active: Mapping[int, Mask],
    softness: float,
    highest: float = _HIGHEST,
) -> Array:
    """(F, 3) rotation vectors in scene space about the toes; zero where the leg reaches.

    Hip, toes and ankle form a triangle: the angle at the toes follows from the length that the leg has.
    """
    limb = pose.limb
    if not limb.digits or limb.joints is None or not limb.is_leg:
        return np.zeros((len(base), 3))
    now, toe = base.poses.positions, limb.digits[0]
    ankle = active[limb.end] if limb.holds_end else np.zeros(len(base), dtype=np.bool_)
    alone = active[toe] & ~ankle & ~lying_frames(limb, active)
    to_ankle = quaternion.rotate(quaternion.exp(pose.end_turn), now[:, limb.end] - now[:, toe])
    to_hip = now[:, limb.joints.upper] - (pose.end_place - to_ankle)
    distance = np.linalg.norm(to_hip - to_ankle, axis=1)
    length, far = _length_of_leg(pose, distance, reach_of(limb.joints, base.poses, motion.poses, softness), motion)
    rises = _angle(to_ankle, to_hip, distance) - _angle(to_ankle, to_hip, length)
    rises = np.where(alone & far, np.clip(rises, 0.0, highest), 0.0)
    axes = np.cross(to_ankle, to_hip)
    size = np.linalg.norm(axes, axis=1)
    return np.asarray(axes * (rises / np.where(size > 0.0, size, 1.0))[:, None])


def _length_of_leg(pose: HoldPose, distance: Array, reach: Reach, motion: Motion) -> tuple[Array, Mask]:
    """(F,) length that a leg gets for a distance between hip and ankle, and where it is not the distance itself.

    It slows down before full extension. As far as the contact asks for little, a leg may be as straight as it
    was; where it asks for nothing, the leg stays as it is.
    """
    start = reach.asked_for(pose.end_place - motion.poses.positions[:, pose.limb.end]).soft
    room, beyond = reach.full - start, np.maximum(distance - start, 0.0)
    eased = start - room * np.expm1(-beyond / np.where(room > 0.0, room, 1.0))
    return eased, beyond > NOTHING * reach.full


def _angle(one: Array, other: Array, opposite: Array) -> Array:
    """(F,) angle between two sides of a triangle, from the length of the third."""
    lengths = np.linalg.norm(one, axis=1), np.linalg.norm(other, axis=1)
    product = 2.0 * lengths[0] * lengths[1]
    cosine = (lengths[0] ** 2 + lengths[1] ** 2 - opposite**2) / np.where(product > 0.0, product, 1.0)
    angle: Array = np.arccos(np.clip(cosine, -1.0, 1.0))
    return angle

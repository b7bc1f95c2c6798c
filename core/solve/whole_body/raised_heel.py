"""Heels that rise over standing toes, or sink, so that a leg is as bent as it was and reaches where it has to."""

from dataclasses import replace

import numpy as np

from ...motion import GlobalPoses, Motion
from ...numerics import Array, quaternion
from ..smooth_path import Fading
from .limb_goal import LimbGoal
from .reach import reach_of

# Radians by which a heel may rise more than it did, and sink.
_HIGHEST, _LOWEST = 0.5, 0.1
# Radians that are rounding.
_ROUNDING = 1e-6
# Share of that which is counted on before the root is in place.
_SURELY = 0.7


def with_heel_given(goal: LimbGoal, base: Motion, like: GlobalPoses, fade: Fading, softness: float) -> LimbGoal:
    """The goal of a foot turned about its toes, as far as it is loose there, until the leg is as long as it was.

    Beyond its contact the foot goes on turning until the rise has died away.

    Args:
        goal: What the contacts of a leg want.
        base: The motion to correct, its root in place.
        like: Legs are to be as long as here.
        fade: How turns come and go.
        softness: Of the leg's reach.
    """
    if not goal.loose.any() or goal.limb.joints is None:
        return goal
    rise = fade.carried(_rise(goal, base, like, softness), goal.active)
    if not rise.any():
        return goal
    now, toe, end = base.poses.positions, goal.limb.digits[0], goal.limb.end
    arm = quaternion.rotate(quaternion.exp(goal.end_turn), now[:, toe] - now[:, end])
    moved = arm - quaternion.rotate(quaternion.exp(rise), arm)
    turned = quaternion.log(quaternion.multiply(quaternion.exp(rise), quaternion.exp(goal.end_turn)))
    risen = (rise != 0.0).any(axis=1)[:, None]
    return replace(
        goal,
        end_turn=np.where(risen, turned, goal.end_turn),
        end_place=np.where(risen & goal.active[:, None], goal.end_place + moved, goal.end_place),
    )


def further_reach(goal: LimbGoal, edited: GlobalPoses) -> Array:
    """(F,) how much further a leg reaches when its heel rises as far as it may, as it looks before the root moves."""
    joints, now = goal.limb.joints, edited.positions
    if not goal.loose.any() or joints is None:
        return np.zeros(len(now))
    toe = goal.limb.digits[0]
    to_ankle = quaternion.rotate(quaternion.exp(goal.end_turn), now[:, goal.limb.end] - now[:, toe])
    to_hip = now[:, joints.upper] - (goal.end_place - to_ankle)
    distance = np.linalg.norm(to_hip - to_ankle, axis=1)
    lengths = np.linalg.norm(to_ankle, axis=1), np.linalg.norm(to_hip, axis=1)
    angle = np.maximum(_angle(to_ankle, to_hip, distance) - goal.loose * _SURELY * _HIGHEST, 0.0)
    nearer = np.sqrt(np.maximum(lengths[0] ** 2 + lengths[1] ** 2 - 2.0 * lengths[0] * lengths[1] * np.cos(angle), 0.0))
    return np.where(goal.loose > 0.0, np.maximum(distance - nearer, 0.0), 0.0)


def _rise(goal: LimbGoal, base: Motion, like: GlobalPoses, softness: float) -> Array:
    """(F, 3) rotation vectors in scene space about the toes.

    Hip, toes and ankle form a triangle: the angle at the toes follows from the length that the leg has.
    """
    joints, toe = goal.limb.joints, goal.limb.digits[0]
    assert joints is not None
    now, before = base.poses.positions, like.positions
    to_ankle = quaternion.rotate(quaternion.exp(goal.end_turn), now[:, goal.limb.end] - now[:, toe])
    to_hip = now[:, joints.upper] - (goal.end_place - to_ankle)
    reach = reach_of(joints, base.poses, like, softness)
    wanted = np.minimum(np.linalg.norm(before[:, joints.upper] - before[:, joints.end], axis=1), reach.soft)
    distance = np.linalg.norm(to_hip - to_ankle, axis=1)
    rises = _angle(to_ankle, to_hip, distance) - _angle(to_ankle, to_hip, wanted)
    rises = goal.loose * np.clip(np.where(np.abs(rises) > _ROUNDING, rises, 0.0), -_LOWEST, _HIGHEST)
    axes = np.cross(to_ankle, to_hip)
    size = np.linalg.norm(axes, axis=1)
    return np.asarray(axes * (rises / np.where(size > 0.0, size, 1.0))[:, None])


def _angle(one: Array, other: Array, opposite: Array) -> Array:
    """(F,) angle between two sides of a triangle, from the length of the third."""
    lengths = np.linalg.norm(one, axis=1), np.linalg.norm(other, axis=1)
    product = 2.0 * lengths[0] * lengths[1]
    cosine = (lengths[0] ** 2 + lengths[1] ** 2 - opposite**2) / np.where(product > 0.0, product, 1.0)
    angle: Array = np.arccos(np.clip(cosine, -1.0, 1.0))
    return angle

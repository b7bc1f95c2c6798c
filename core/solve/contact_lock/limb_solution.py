"""Limbs bent, and controls moved, so that the contacts at their ends hold."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ...motion import GlobalPoses, Motion
from ...numerics import Array, quaternion
from ..limb_ik import Limb, reach_targets
from .hold_pose import HoldPose, without_rounding
from .reach import reach_of
from .root_drop import moved
from .windows import Fade, Mask, faded

# Limb lengths a second up to which a correction comes and goes within the shortest fade.
_SWIFTEST = 0.5
# Radians a second up to which its joints turn for that.
_SWIFTEST_TURN = 2.0
# What a motion has for every frame.
_OF_FRAMES = ("times", "rotations", "locations", "scales", "scalars")


def solved(
    poses: Sequence[HoldPose], reference: GlobalPoses, edited: Motion, base: Motion, fade: Fade, softness: float
) -> Motion:
    """The motion with limbs bent, and controls moved, so that all contacts hold.

    Args:
        poses: What the contacts want.
        reference: Poses that are straight here may be so again.
        edited: Motion to correct.
        base: The same with its root lowered.
        fade: How corrections come and go.
        softness: Part of a limb's length over which it slows down before full extension.
    """
    changes: dict[int, tuple[Mask, Array]] = {}
    for pose in poses:
        if pose.limb.joints is None:
            changes.update(_control_rotations(pose, base))
        else:
            changes.update(_limb_rotations(pose, pose.limb.joints, reference, edited, base, fade, softness))
        changes.update(_digit_rotations(pose, base))
    for pose in poses:
        if pose.limb.joints is None:
            base = _with_control_placed(pose, base, fade)
    if not any(chosen.any() for chosen, _ in changes.values()):
        return base
    return _with_changes(base, changes)


def _limb_rotations(
    pose: HoldPose, joints: Limb, reference: GlobalPoses, edited: Motion, base: Motion, fade: Fade, softness: float
) -> Mapping[int, tuple[Mask, Array]]:
    """New rotations of a limb's three joints, each with the frames in which they count."""
    reach = reach_of(joints, base.poses, reference, softness)
    upper, end = base.poses.positions[:, joints.upper], base.poses.positions[:, joints.end]
    carried = np.zeros_like(end)
    if pose.limb.is_leg:
        # Where the root goes down, feet in the air stay above the ground.
        carried = without_rounding(end - edited.poses.positions[:, joints.end], reach.full)
    turned = quaternion.multiply(quaternion.exp(pose.end_turn), base.poses.rotations[:, joints.end])
    places = reach.limited(upper, pose.end_place)
    move = without_rounding(places - (end - carried), reach.full)
    fades = np.maximum(
        fade.of(move, _SWIFTEST * reach.full), fade.of(_turns(pose, joints, base, places), _SWIFTEST_TURN)
    )
    beside = partial(faded, active=pose.active, times=base.times, fade=fades)
    way = beside(move) - carried
    chosen = (way != 0.0).any(axis=1) | (pose.end_turn != 0.0).any(axis=1)
    if not chosen.any():
        return {}
    stretch = np.maximum(np.linalg.norm(places - upper, axis=1) - reach.bent, 0.0)
    straight = reach.bent + beside(stretch[:, None], level=True)[:, 0]
    targets = np.where(pose.active[:, None], places, reach.limited_beside(upper, end, way, straight))
    one_sided = beside(np.ones((len(base), 1)), level=True)[:, 0]
    solved = reach_targets(base, joints, targets, end_rotations=turned, softness=0.0, one_sided=one_sided)
    return {joint: (chosen, solved.rotations[:, joint]) for joint in (joints.upper, joints.lower, joints.end)}


def _turns(pose: HoldPose, joints: Limb, base: Motion, places: Array) -> Array:
    """(F, 1) radians by which the joint of a limb that turns most is turned where a contact begins or ends."""
    edges = np.flatnonzero(pose.active & ~(np.roll(pose.active, 1) & np.roll(pose.active, -1)))
    free = replace(base, **{name: getattr(base, name)[edges] for name in _OF_FRAMES})
    held = reach_targets(free, joints, places[edges], softness=0.0)
    turns = [
        quaternion.angle_between(held.rotations[:, joint], free.rotations[:, joint])
        for joint in (joints.upper, joints.lower)
    ]
    most = np.zeros((len(base), 1))
    most[edges, 0] = np.max(turns, axis=0)
    return most


def _control_rotations(pose: HoldPose, base: Motion) -> Mapping[int, tuple[Mask, Array]]:
    """New rotations of the control that places a limb's end."""
    end = pose.limb.end
    axes = base.poses.rotations[:, end]
    own = quaternion.rotate(quaternion.conjugate(axes), pose.end_turn)
    turned = quaternion.multiply(base.rotations[:, end], quaternion.exp(own))
    return {end: ((pose.end_turn != 0.0).any(axis=1), turned)}


def _with_control_placed(pose: HoldPose, base: Motion, fade: Fade) -> Motion:
    """The motion with a limb's control put where its contacts hold, by its own location."""
    size = np.ptp(base.skeleton.rest_positions, axis=0).max()
    move = without_rounding(pose.end_place - base.poses.positions[:, pose.limb.end], size)
    move = faded(move, pose.active, base.times, fade.of(move, _SWIFTEST * size))
    return moved(base, pose.limb.end, move) if move.any() else base


def _digit_rotations(pose: HoldPose, base: Motion) -> Mapping[int, tuple[Mask, Array]]:
    return {
        digit: ((turn != 0.0).any(axis=1), quaternion.multiply(base.rotations[:, digit], quaternion.exp(turn)))
        for digit, turn in pose.digit_turns.items()
    }


def _with_changes(base: Motion, changes: Mapping[int, tuple[Mask, Array]]) -> Motion:
    """The motion with rotations replaced in the chosen frames, all others bit for bit as they were."""
    rotations = np.array(base.rotations.T).T
    for joint, (chosen, turned) in changes.items():
        near = quaternion.aligned(quaternion.normalize(turned[chosen]), base.rotations[chosen, joint])
        rotations[chosen, joint] = near
        if (quaternion.dot(rotations[1:, joint], rotations[:-1, joint]) < 0.0).any():
            rotations[:, joint] = quaternion.sign_continuous(rotations[:, joint])
    return replace(base, rotations=rotations)

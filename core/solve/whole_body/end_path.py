"""Ends of limbs brought to what they hold and above the floor: hands and feet, by limb IK or by their controls."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...motion import GlobalPoses, Mask, Motion
from ...numerics import Array, quaternion
from ..limb_ik import Limb, reach_targets
from ..smooth_path import Fading
from .ground import Ground
from .limb_goal import LimbGoal, without_rounding
from .reach import reach_of
from .root import moved

# Share of a leg's length by which the root goes when its foot in the air comes along wholly.
_COMES_ALONG = 0.3
# Rotations of joints, each with the frames in which they count.
Turned = Mapping[int, tuple[Mask, Array]]


@dataclass(frozen=True, eq=False)
class EndPaths:
    """How ends get where their goals want them.

    Attributes:
        like: Limbs that are straight in these poses may be so again.
        fade: How corrections come and go.
        softness: Part of a limb's length over which it slows down before full extension.
        ground: What nothing goes below; None if there is none.
    """

    like: GlobalPoses
    fade: Fading
    softness: float
    ground: Ground | None = None

    def applied(self, base: Motion, goals: list[LimbGoal], path: Array) -> Motion:
        """A motion, its root moved along a path (F, 3), with all goals met as far as limbs reach."""
        changes: dict[int, tuple[Mask, Array]] = {}
        for goal in goals:
            if goal.limb.joints is None:
                changes.update(_control_rotations(goal, base))
            else:
                changes.update(self._limb_rotations(goal, goal.limb.joints, base, path))
            changes.update(_digit_rotations(goal, base))
        for goal in goals:
            if goal.limb.joints is None:
                base = self._with_control_placed(goal, base)
        return _with_changes(base, changes) if any(chosen.any() for chosen, _ in changes.values()) else base

    def _limb_rotations(self, goal: LimbGoal, joints: Limb, base: Motion, path: Array) -> Turned:
        """New rotations of a limb's three joints."""
        reach = reach_of(joints, base.poses, self.like, self.softness)
        upper, end = base.poses.positions[:, joints.upper], base.poses.positions[:, joints.end]
        places = reach.limited(upper, goal.end_place)
        left = _left_behind(path, reach.full) if goal.limb.is_leg else np.zeros_like(path)
        move = self._moves(goal, base, without_rounding(places - end, reach.full), left)
        chosen = (move != 0.0).any(axis=1) | (goal.end_turn != 0.0).any(axis=1)
        if not chosen.any():
            return {}
        stretch = np.maximum(np.linalg.norm(places - upper, axis=1) - reach.bent, 0.0)
        beside = self.fade.carried(np.stack([stretch, np.ones(len(base))], axis=1), goal.active)
        targets = reach.limited_beside(upper, end, move, reach.bent + np.maximum(beside[:, 0], 0.0))
        targets = np.where(goal.active[:, None], places, targets)
        turned = quaternion.multiply(quaternion.exp(goal.end_turn), base.poses.rotations[:, joints.end])
        strictly = np.clip(beside[:, 1], 0.0, 1.0)
        solved = reach_targets(base, joints, targets, end_rotations=turned, softness=0.0, one_sided=strictly)
        return {joint: (chosen, solved.rotations[:, joint]) for joint in (joints.upper, joints.lower, joints.end)}

    def _moves(self, goal: LimbGoal, base: Motion, wanted: Array, left: Array) -> Array:
        """(F, 3) how far an end is moved: as wanted (F, 3) in contact, and never below the ground beside it.

        What it is left behind by (F, 3) while the root goes elsewhere is no correction that has to come and go.
        """
        if self.ground is None:
            return self.fade.carried(wanted - left, goal.active) + left
        need = self.ground.lift(base, goal.limb.end, quaternion.exp(goal.end_turn))
        return self.fade.lifted(wanted - left, goal.active, self.ground.up, need - left @ self.ground.up) + left

    def _with_control_placed(self, goal: LimbGoal, base: Motion) -> Motion:
        """The motion with a limb's control put where its contacts hold, by its own location."""
        size = np.ptp(base.skeleton.rest_positions, axis=0).max()
        move = without_rounding(goal.end_place - base.poses.positions[:, goal.limb.end], size)
        move = self.fade.carried(move, goal.active)
        return moved(base, goal.limb.end, move) if move.any() else base


def _left_behind(path: Array, full: Array) -> Array:
    """(F, 3) ways of a foot in the air against its root that goes along a path (F, 3): it stays where it was.

    The further the root goes the less, since legs of a length (F,) have to come along.
    """
    share = np.clip(np.linalg.norm(path, axis=1) / (_COMES_ALONG * full), 0.0, 1.0)
    return np.asarray(-path * (1.0 - share * share * (3.0 - 2.0 * share))[:, None])


def _control_rotations(goal: LimbGoal, base: Motion) -> Turned:
    """New rotations of the control that places a limb's end."""
    end = goal.limb.end
    axes = base.poses.rotations[:, end]
    own = quaternion.rotate(quaternion.conjugate(axes), goal.end_turn)
    turned = quaternion.multiply(base.rotations[:, end], quaternion.exp(own))
    return {end: ((goal.end_turn != 0.0).any(axis=1), turned)}


def _digit_rotations(goal: LimbGoal, base: Motion) -> Turned:
    return {
        digit: ((turn != 0.0).any(axis=1), quaternion.multiply(base.rotations[:, digit], quaternion.exp(turn)))
        for digit, turn in goal.digit_turns.items()
    }


def _with_changes(base: Motion, changes: Turned) -> Motion:
    """The motion with rotations replaced in the chosen frames, all others bit for bit as they were."""
    rotations = np.array(base.rotations.T).T
    for joint, (chosen, turned) in changes.items():
        near = quaternion.aligned(quaternion.normalize(turned[chosen]), base.rotations[chosen, joint])
        rotations[chosen, joint] = near
        if (quaternion.dot(rotations[1:, joint], rotations[:-1, joint]) < 0.0).any():
            rotations[:, joint] = quaternion.sign_continuous(rotations[:, joint])
    return replace(base, rotations=rotations)

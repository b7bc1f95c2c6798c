"""A figure that settles: what it holds is held, nothing is below the ground, and the rest is as it was asked for.

Everything is done for all frames at once, in the order of what matters more. The root's path is found first, so
that limbs reach what they hold as bent as they were; then the paths of hands and feet beside their contacts; then
limbs are bent to these, each in closed form. Whatever is still below the ground lifts the root.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...body import Body
from ...motion import GlobalPoses, Mask, Motion
from ...numerics import Array
from ..smooth_path import Fading
from .end_path import EndPaths
from .ground import Ground
from .held_limb import HeldLimb
from .limb_goal import LimbGoal, goal_of
from .retreat import loose_joints, retreated
from .root import STRAIGHT, RootedFigure

# Rounds in which what is still below the ground lifts the root.
_ROUNDS = 3


@dataclass(frozen=True, eq=False)
class Settled:
    """A motion that has settled.

    Attributes:
        motion: The motion.
        path: (F, 3) how far the root was moved.
    """

    motion: Motion
    path: Array

    def lowered(self, body: Body) -> float:
        """Most that the root went down by."""
        return 0.0 if body.up is None else float(np.maximum(-(self.path @ body.up.vector), 0.0).max(initial=0.0))


@dataclass(frozen=True, eq=False)
class Settling:
    """What motions settle by.

    Attributes:
        body: Its root, up axis and height are needed where the root gives way.
        before: The motion that limbs are to be like: as bent, and as straight.
        fade: How corrections come and go.
        softness: Part of a limb's length over which it slows down before full extension.
        ground: What nothing goes below; None if there is none.
        giving: Body heights by which the root may give way; 0 leaves it as it is.
        joints: (J,) those that may change for the ground's sake alone; all if not given.
        straight: Body heights by which the root gives way before a straight leg bends.
    """

    body: Body
    before: Motion
    fade: Fading
    softness: float = 0.01
    ground: Ground | None = None
    giving: float = np.inf
    joints: Mask | None = None
    straight: float = STRAIGHT

    def held(
        self,
        edited: Motion,
        reference: GlobalPoses,
        limbs: Sequence[HeldLimb],
        active: Mapping[int, Mask],
        *,
        planted: bool = False,
    ) -> Settled:
        """An edit with feet and hands as in a reference while they are in contact, and nothing below the ground.

        Args:
            edited: What is to settle.
            reference: Poses in which contacts are right.
            limbs: Those that have contacts.
            active: By joint, (F,) frames in contact.
            planted: Only joints in contact are right in the reference, and stand still there; a foot is as there as far
                as its sole needs it. Else it is so while any part of it stands.
        """
        stands = [_touching(limb, active, len(edited)) for limb in limbs]
        faced = self._rooted.facing(edited, np.any([np.zeros(len(edited), dtype=np.bool_), *stands], axis=0))
        if self.ground is not None:
            loose = [joint for joint in loose_joints(self.body) if self._may_change(joint)]
            faced = retreated(faced, self.before, loose, self.ground, self.fade)
        goals = [
            goal_of(limb, reference, faced, active, self.fade, flat=None if planted else flat)
            for limb, flat in zip(limbs, stands, strict=True)
        ]
        return self.settled(faced, goals, calming=planted)

    def settled(self, edited: Motion, goals: Sequence[LimbGoal], *, calming: bool = False) -> Settled:
        """The motion with its goals met and nothing below the ground.

        Args:
            edited: What is to settle.
            goals: What its limbs hold.
            calming: Take shaking that feet no longer follow out of the root, too.
        """
        ends = EndPaths(self.before.poses, self.fade, self.softness, self.ground)
        shake = self._rooted.shake(edited, goals) if calming else np.zeros((len(edited), 3))
        lift: Array | None = None
        for _ in range(_ROUNDS):
            path, base, given = self._rooted.placed(edited, goals, lift, shake)
            found = Settled(ends.applied(base, given, path), path)
            further = self._lift(found, goals)
            if further is None:
                break
            lift = further if lift is None else np.maximum(further, lift)
        return found

    @property
    def _rooted(self) -> RootedFigure:
        return RootedFigure(self.body, self.before.poses, self.fade, self.softness, self.giving, self.straight)

    def _may_change(self, joint: int) -> bool:
        return self.joints is None or bool(self.joints[joint])

    def _lift(self, found: Settled, goals: Sequence[LimbGoal]) -> Array | None:
        """(F,) least way up of the root that brings what is too low above the ground; None if nothing is.

        Ends of limbs have been lifted by themselves, as far as they may be.
        """
        root, skeleton = self.body.root, found.motion.skeleton
        if self.ground is None or self.giving == 0.0 or root is None or skeleton.connected[root]:
            return None
        if not self._may_change(root):
            return None
        ends = {joint for goal in goals for joint in (goal.limb.end, *skeleton.descendants(goal.limb.end))}
        carried = [joint for joint in skeleton.descendants(root) if joint not in ends]
        sunk = self.ground.sunk(found.motion.poses.positions)[:, carried].max(axis=1, initial=0.0)
        return np.where(sunk > 0.0, found.path @ self.ground.up + sunk, -np.inf) if sunk.any() else None


def _touching(limb: HeldLimb, active: Mapping[int, Mask], frames: int) -> Mask:
    """(F,) frames in which the end of a leg or one of its digits is in contact: all of the foot is as it was."""
    joints = [joint for joint in (limb.end, *limb.digits) if joint in active]
    touching: Mask = np.any([np.zeros(frames, dtype=np.bool_), *(active[joint] for joint in joints)], axis=0)
    return touching & limb.is_leg

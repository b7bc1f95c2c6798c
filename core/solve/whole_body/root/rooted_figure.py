"""The root of a figure brought to where its standing limbs reach what they hold."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....body import Body
from ....motion import GlobalPoses, Mask, Motion, Skeleton, with_scene_turns
from ....numerics import Array, quaternion, soft_reach
from ...smooth_path import Fading
from ..held_limb import HeldLimb
from ..limb_goal import LimbGoal
from ..raised_heel import with_heel_given
from ..reach import NOTHING, reach_of
from .limb_pull import LimbPull
from .path_search import root_path
from .root_move import moved
from .shake import root_shake

# Body heights by which a root gives way before a straight leg bends: edits of all of a motion mean no crouching.
STRAIGHT = 1.6
# Body heights that the root gives way by for each of what the bend of a knee by one radian counts.
_GIVES_WAY = 8.0
# Radians by which an edit may turn the root over standing feet; beyond that it is turned back.
_TURNED_AWAY = 0.5
# Times the fade that the root's path takes.
_ROOT_FADE = 2.0
# Body heights by which nobody gives way.
_FARTHEST = 1e6
# Times the length of a leg that people are tall, roughly.
_LEGS = 2.0
# Share of what the root may give way by over which it slows down.
_EASED = 0.2


@dataclass(frozen=True, eq=False)
class RootedFigure:
    """What a root gives way by; attributes are those of `Settling`, with poses that limbs are to be like."""

    body: Body
    like: GlobalPoses
    fade: Fading
    softness: float
    giving: float
    straight: float

    def facing(self, edited: Motion, stands: Mask) -> Motion:
        """The motion with its root turned back where the edit has turned it far away over feet that stand (F,)."""
        root = self.body.root
        if self.giving == 0.0 or root is None or not stands.any():
            return edited
        back = quaternion.log(
            quaternion.multiply(self.like.rotations[:, root], quaternion.conjugate(edited.poses.rotations[:, root]))
        )
        far = np.linalg.norm(back, axis=1)
        share = np.maximum(1.0 - _TURNED_AWAY / np.maximum(far, 1e-12), 0.0)
        turns = self._slowly.carried(back * share[:, None], stands)
        return with_scene_turns(edited, (root,), (quaternion.exp(turns),)) if turns.any() else edited

    def shake(self, edited: Motion, goals: Sequence[LimbGoal]) -> Array:
        """(F, 3) how far the root is moved so that it does not shake over feet that stand still."""
        legs = [goal for goal in self._pulling(edited, goals) if goal.limb.is_leg]
        return root_shake(legs, edited, self.body, self.fade)

    def placed(
        self, edited: Motion, goals: Sequence[LimbGoal], lift: Array | None, shake: Array
    ) -> tuple[Array, Motion, list[LimbGoal]]:
        """The root's path, the motion with its root there, and the goals with heels raised or sunk for it.

        Args:
            edited: The motion.
            goals: What limbs hold.
            lift: (F,) least way up of the root.
            shake: (F, 3) way of the root besides.
        """
        found = self._placed(edited, goals, lift, shake)
        if any(goal.loose.any() for goal in goals) and not self._reaches(*found[1:]):
            # Heels rise as far as they may, and legs do not reach yet: from there on the root gives way.
            found = self._placed(edited, [replace(goal, loose=np.zeros(len(edited))) for goal in found[2]], lift, shake)
        return found

    def _placed(
        self, edited: Motion, goals: Sequence[LimbGoal], lift: Array | None, shake: Array
    ) -> tuple[Array, Motion, list[LimbGoal]]:
        path = self._limited(shake + self._path(edited, goals, lift, shake))
        base = moved(edited, int(self.body.require("root")), path) if path.any() else edited
        return path, base, [with_heel_given(goal, base, self.like, self.fade, self.softness) for goal in goals]

    def _reaches(self, base: Motion, goals: Sequence[LimbGoal]) -> bool:
        """Whether all limbs reach what they hold."""
        for goal in goals:
            if goal.limb.joints is not None and goal.active.any():
                reach = reach_of(goal.limb.joints, base.poses, self.like, self.softness)
                length = np.linalg.norm(goal.end_place - base.poses.positions[:, goal.limb.joints.upper], axis=1)
                if (length > reach.soft + NOTHING * reach.full)[goal.active].any():
                    return False
        return True

    def _pulling(self, edited: Motion, goals: Sequence[LimbGoal]) -> list[LimbGoal]:
        """Goals of limbs that the root can give way for; none where it cannot."""
        root = self.body.root
        if self.giving == 0.0 or root is None or edited.skeleton.connected[root]:
            return []
        return [goal for goal in goals if goal.active.any() and _hangs_from(edited.skeleton, goal.limb, root)]

    def _path(self, edited: Motion, goals: Sequence[LimbGoal], lift: Array | None, shake: Array) -> Array:
        """(F, 3) the root's path after it was shifted by (F, 3)."""
        pulling = self._pulling(edited, goals)
        if not pulling and lift is None:
            return np.zeros((len(edited), 3))
        up, height = self.body.require("up axis").vector, float(self.body.require("height"))
        options = {"softness": self.softness, "knee": self.straight / _GIVES_WAY, "height": height}
        limbs = [LimbPull.of(goal, edited.poses, self.like, **options) for goal in pulling]
        # Who has short legs does not take larger steps for being tall.
        height = min([height, *(_LEGS * float(np.median(limb.reach.full)) for limb in limbs)])
        limbs = [replace(limb, height=height).shifted(shake) for limb in limbs]
        return root_path(limbs, self._slowly, height=height, up=up, lift=None if lift is None else lift - shake @ up)

    def _limited(self, path: Array) -> Array:
        """A path (F, 3) no longer than what the root may give way by."""
        if not path.any():
            return path
        height, length = float(self.body.require("height")), np.linalg.norm(path, axis=1)
        most = np.full_like(length, min(self.giving, _FARTHEST) * height)
        eased = soft_reach(length, most, np.zeros_like(length), _EASED)
        share = np.where(length > NOTHING * height, eased / np.maximum(length, 1e-300), 0.0)
        return np.asarray(path * share[:, None])

    @property
    def _slowly(self) -> Fading:
        return replace(self.fade, seconds=_ROOT_FADE * self.fade.seconds)


def _hangs_from(skeleton: Skeleton, limb: HeldLimb, root: int) -> bool:
    """The limb goes with the root; one with a control stays where its control is."""
    return limb.joints is not None and root in skeleton.ancestors(limb.joints.upper)

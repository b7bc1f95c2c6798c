"""A point that stays near enough to a place: the hip of a leg that has to reach the ground."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....motion import Motion
from ...limb_ik import Limb
from ..rows import Rows
from ..situation import Situation
from .constraint import Constraint

_SHORT = 1e-9
# Parts of its length by which a limb stays bent, unless it was straighter: beyond that limb IK draws targets in; and
# by which it may miss that: limbs that were straight may become so again.
_BENT, _SLACK = 0.01, 1e-4


@dataclass(frozen=True, eq=False, kw_only=True)
class WithinReach(Constraint):
    """A joint is no further away from a place than a reach.

    Attributes:
        joint: Number of the joint.
        place: (3,) for all frames, or (N, 3) one for each.
        reach: For all frames, or (N,) one for each.
        character: Whose joint.
    """

    joint: int
    place: Any
    reach: Any
    character: int = 0

    def ends(self) -> Iterable[tuple[int, int]]:
        """The joint."""
        return [(self.character, self.joint)]

    def rows(self, situation: Situation) -> Rows:
        """One for each frame: how much nearer than the reach."""
        points, slopes = situation.points(self.character, self.joint, (0.0, 0.0, 0.0), self.at)
        between = points - np.asarray(self.place, dtype=np.float64)
        length = np.sqrt((between**2).sum(axis=1))
        direction = between / np.maximum(length, _SHORT)[:, None]
        spare = (np.asarray(self.reach, dtype=np.float64) - length)[:, None]
        nearer = -np.einsum("na,nad->nd", direction, slopes)[:, None]
        return Rows.of(situation.rows(self.at), spare, nearer, at_least=True)

    def frames_of_rows(self) -> NDArray[np.intp]:
        """One for each frame."""
        return self.at


def stay_in_reach(motion: Motion, limb: Limb, frames: Any, **options: Any) -> WithinReach:
    """A limb's first joint stays so near that the limb reaches where its end is in a motion."""
    rows = np.atleast_1d(np.asarray(frames, dtype=np.intp))
    upper, lower, end = (motion.poses.positions[rows, joint] for joint in (limb.upper, limb.lower, limb.end))
    full = np.linalg.norm(lower - upper, axis=1) + np.linalg.norm(end - lower, axis=1)
    reach = np.maximum((1.0 - _BENT) * full, np.linalg.norm(end - upper, axis=1)) + _SLACK * full
    return WithinReach(frames=rows, joint=limb.upper, place=end, reach=reach, **options)

"""What constraints between two points have in common."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ....numerics import Array
from ..situation import Situation
from .constraint import Constraint


@dataclass(frozen=True, eq=False, kw_only=True)
class TwoPoints(Constraint):
    """Something that holds between two points, of one character or of two.

    Attributes:
        joint: Number of the first joint.
        other_joint: Number of the second one.
        offset: (3,) of the first point in its joint's own axes.
        other_offset: (3,) of the second one.
        character: Whose the first joint is.
        other_character: Whose the second one is.
    """

    joint: int
    other_joint: int
    offset: Any = (0.0, 0.0, 0.0)
    other_offset: Any = (0.0, 0.0, 0.0)
    character: int = 0
    other_character: int = 0

    def ends(self) -> Iterable[tuple[int, int]]:
        """Both joints."""
        return [(self.character, self.joint), (self.other_character, self.other_joint)]

    def between(self, situation: Situation) -> tuple[Array, Array]:
        """(N, 3) from the second point to the first one, and (N, 3, D) how that changes."""
        one, one_slopes = situation.points(self.character, self.joint, self.offset, self.at)
        other, other_slopes = situation.points(self.other_character, self.other_joint, self.other_offset, self.at)
        return one - other, one_slopes - other_slopes

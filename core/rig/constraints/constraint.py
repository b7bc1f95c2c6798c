"""What all constraints have in common."""

from dataclasses import dataclass
from typing import ClassVar

from ...numerics import Array
from ..values import Value

Axes = tuple[bool, bool, bool]
ALL: Axes = (True, True, True)
NONE: Axes = (False, False, False)


@dataclass(frozen=True)
class Target:
    """A bone that a constraint looks at.

    Attributes:
        joint: Which.
        along: Where on the bone, from 0 at its head to 1 at its tail.
        weight: How much it counts among others.
    """

    joint: int
    along: float = 0.0
    weight: Value = 1.0


@dataclass(frozen=True, kw_only=True)
class Constraint:
    """Base of all.

    Attributes:
        targets: Bones that it looks at.
        influence: From 0 to 1.
        owner_space: Space in which the bone's matrix is changed.
        target_space: Space in which the targets' matrices are taken.
        space_joint: Bone whose own space 'CUSTOM' is.
        order: Euler order for what is done to angles.
    """

    targets: tuple[Target, ...] = ()
    influence: Value = 1.0
    owner_space: str = "POSE"
    target_space: str = "POSE"
    space_joint: int = 0
    order: str = "XYZ"
    # Whether the targets are asked for as they deform, relative to rest.
    deforms: ClassVar[bool] = False

    @property
    def replaces(self) -> bool:
        """Whether nothing of the bone's matrix before is left."""
        return False

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """The new matrices (F, 4, 4)."""
        raise NotImplementedError

"""Limbs that are placed by their end."""

from dataclasses import dataclass

from .constraints import Target
from .values import Value


@dataclass(frozen=True)
class Goal:
    """What the end of a chain reaches for.

    Attributes:
        target: The bone.
        influence: From 0 to 1; the first goal of a chain that is above 0 counts.
        pole: Bone that the chain's bend points to; None without.
        pole_angle: Turn of the bend about the chain, in radians.
        stretches: Whether bones may get longer.
        iterations: Steps that are taken at most.
    """

    target: Target
    influence: Value = 1.0
    pole: Target | None = None
    pole_angle: float = 0.0
    stretches: bool = False
    iterations: int = 500


@dataclass(frozen=True)
class Link:
    """A bone of a chain.

    Attributes:
        joint: The bone.
        length: At rest.
        free: Own axes that it may turn about: all three, or one.
        stiffness: About each axis, from 0 to 1.
        stretch: How readily it gets longer; not at all at 0.
    """

    joint: int
    length: float
    free: tuple[int, ...] = (0, 1, 2)
    stiffness: tuple[float, float, float] = (0.0, 0.0, 0.0)
    stretch: float = 0.0


@dataclass(frozen=True)
class Chain:
    """Bones that hang on each other, the uppermost first, and what their end may reach for."""

    links: tuple[Link, ...]
    goals: tuple[Goal, ...]

    @property
    def joints(self) -> tuple[int, ...]:
        """The bones."""
        return tuple(link.joint for link in self.links)

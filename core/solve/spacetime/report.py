"""What came of a spacetime edit."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...motion import Motion
from ...numerics import Array
from .kinds import Constraint
from .rows import Rows


@dataclass(frozen=True)
class Violation:
    """A constraint that could not be met.

    Attributes:
        constraint: Its number among those given.
        name: Its name.
        frame: Where it is violated most.
        amount: By how much there: units of the scene or radians.
    """

    constraint: int
    name: str
    frame: float
    amount: float


@dataclass(frozen=True, eq=False)
class SpacetimeResult:
    """An edit of all characters.

    Attributes:
        motions: As edited, in the order given.
        changes: For each character (F, D) the change of its degrees of freedom.
        violations: Constraints that stay violated, the worst first; none if all are met.
        steps: How many were taken.
        size: Of the change, as the objective counts it.
    """

    motions: tuple[Motion, ...]
    changes: tuple[Array, ...]
    violations: tuple[Violation, ...]
    steps: int
    size: float


def violations_of(constraints: Sequence[Constraint], rows: Sequence[Rows], tolerance: float) -> tuple[Violation, ...]:
    """Constraints that miss by more than the tolerance, the worst first."""
    found = []
    for number, (constraint, part) in enumerate(zip(constraints, rows, strict=True)):
        missed = part.missed
        if missed.max(initial=0.0) > tolerance:
            worst = int(np.argmax(missed))
            frame = int(constraint.frames_of_rows()[worst])
            found.append(Violation(number, constraint.name, frame, float(missed[worst])))
    return tuple(sorted(found, key=lambda violation: -violation.amount))

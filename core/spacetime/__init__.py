"""Spacetime constraints: edits of whole motions that meet constraints with the least change."""

from .constraints import (
    AbovePlane,
    Constraint,
    Distance,
    JointLimit,
    JointRange,
    NoSkid,
    Orientation,
    Position,
    SamePlace,
    WithinReach,
    keep,
    stay_in_reach,
)
from .natural_weights import natural_weights
from .objective import Objective
from .problem import ConstraintError
from .report import SpacetimeResult, Violation
from .solver import Spacetime
from .spline_basis import ControlSpacingError, SplineBasis

__all__ = [
    "AbovePlane",
    "Constraint",
    "ConstraintError",
    "ControlSpacingError",
    "Distance",
    "JointLimit",
    "JointRange",
    "NoSkid",
    "Objective",
    "Orientation",
    "Position",
    "SamePlace",
    "Spacetime",
    "SpacetimeResult",
    "SplineBasis",
    "Violation",
    "WithinReach",
    "keep",
    "natural_weights",
    "stay_in_reach",
]

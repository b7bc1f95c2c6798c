"""Spacetime constraints: edits of whole motions that meet constraints with the least change."""

from typing import TYPE_CHECKING

from ...lazy_door import lazy_door

if TYPE_CHECKING:
    from .degrees import Degrees, size_of
    from .joint_weights import natural_weights
    from .kinds import (
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
    from .objective import Objective
    from .problem import ConstraintError
    from .report import SpacetimeResult, Violation
    from .solver import Spacetime
    from .spline_basis import KNOTS_APART, ControlSpacingError, SplineBasis
else:
    __getattr__ = lazy_door(__name__)

"""Kinds of constraints, one file each."""

from typing import TYPE_CHECKING

from ....lazy_door import lazy_door

if TYPE_CHECKING:
    from .above_plane import AbovePlane
    from .constraint import Constraint
    from .distance import Distance
    from .joint_limit import JointLimit
    from .joint_range import JointRange
    from .no_skid import NoSkid
    from .orientation import Orientation
    from .position import Position, keep, place_of
    from .same_place import SamePlace
    from .within_reach import WithinReach, stay_in_reach
else:
    __getattr__ = lazy_door(__name__)

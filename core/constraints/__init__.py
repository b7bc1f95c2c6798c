"""Edits of whole motions that meet constraints with the least change, as tools."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .constrained_take import ConstrainedTake
    from .spacetime_tools import DragJoint, SolveConstraints, SpacetimeTool
else:
    __getattr__ = lazy_door(__name__)

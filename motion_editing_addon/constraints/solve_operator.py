"""Solving the listed constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Operator

from .. import scope
from .spacetime_edit import SpacetimeEdit

if TYPE_CHECKING:
    from bpy.types import Context


class MOTIONEDIT_OT_solve_constraints(SpacetimeEdit, Operator):
    """Change the whole motion as little and as smoothly as possible so that all enabled constraints hold."""

    bl_idname = "motion_editing.solve_constraints"
    bl_label = "Solve Constraints"
    verb = "Solved"

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs constraints."""
        reason = scope.why_not(context)
        if reason is None and not scope.action_of(scope.armatures(context)[0]).motion_editing_constraints.listed:
            return "There are no constraints yet: use Add Constraint"
        return reason


classes = (MOTIONEDIT_OT_solve_constraints,)

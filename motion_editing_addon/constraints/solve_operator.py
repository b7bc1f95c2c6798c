"""Solving the listed constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Operator

from ..document import scope
from ..interface.operators.operator import MotionEditOperator
from .spacetime_edit import SpacetimeEdit

if TYPE_CHECKING:
    from bpy.types import Context, Object


class MOTIONEDIT_OT_solve_constraints(SpacetimeEdit, MotionEditOperator, Operator):
    """Change the motion as little as possible to meet all constraints"""

    bl_idname = "motion_editing.solve_constraints"
    bl_label = "Solve Constraints"
    verb = "Solved"

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs constraints."""
        reason = scope.why_not(context)
        if reason is None and not any(map(_has_list, scope.armatures(context))):
            return "There are no constraints yet: use Add Constraint"
        return reason

    def chosen(self, context: Context) -> list[Object]:
        """Armatures with a list, and those that they are tied to."""
        from .solve.together import group_of

        chosen = scope.armatures(context)
        tied = {other for armature in filter(_has_list, chosen) for other in group_of(armature, chosen)}
        return [armature for armature in chosen if armature in tied]


def _has_list(armature: Object) -> bool:
    action = scope.action_of(armature)
    return action is not None and bool(action.motion_editing_constraints.of(armature))


classes = (MOTIONEDIT_OT_solve_constraints,)

"""Solving the listed constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Operator

from ...core.constraints import SolveConstraints
from ..document import scope
from ..interface.operators.operator import MotionEditOperator
from .solve import spacetime_run, together

if TYPE_CHECKING:
    from bpy.types import Context, Object


class MOTIONEDIT_OT_solve_constraints(MotionEditOperator, Operator):
    bl_idname = "motion_editing.solve_constraints"
    bl_label = "Solve Constraints"
    tool = SolveConstraints

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs constraints."""
        reason = scope.why_not(context)
        if reason is None and not any(map(_has_list, scope.armatures(context))):
            return "There are no constraints yet: use Add Constraint"
        return reason

    def chosen(self, context: Context) -> list[Object]:
        """Armatures with a list, and those that they are tied to."""
        chosen = scope.armatures(context)
        tied = {other for armature in filter(_has_list, chosen) for other in together.group_of(armature, chosen)}
        return [armature for armature in chosen if armature in tied]

    def run(self) -> spacetime_run.SpacetimeRun:
        """On the lists of all that are tied together."""
        return spacetime_run.SpacetimeRun(self)


def _has_list(armature: Object) -> bool:
    action = scope.action_of(armature)
    return action is not None and bool(action.motion_editing_constraints.of(armature))

"""How a character is carried over the ground."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import bpy

from ....core.errors import MotionEditError
from ....core.motion import carriers_of
from ...border.action_io.reduction.sparse_keys import Closely, carry_following
from ...border.curve_points import points_of
from ...border.key_options import AUTOMATIC
from ...document.character.carried_figure import refuse_left_behind
from ...document.character.carriers import carried_from_above
from ...interface.operators.take_run import TakeRun

if TYPE_CHECKING:
    from ....core.editing import Change
    from ....core.root_motion import FollowCurve
    from ...border.action_io import Plan
    from ...document.take.clip_take import ClipTake
    from ...document.take.tool_run import Carry


class GroundRun(TakeRun):
    """One call of an operator whose tool tells `move`, where the character is carried."""

    def examine(self, take: ClipTake) -> None:
        """The whole figure must follow what carries it; if it does not, the control above all carries it."""
        move = self.tool_for(take).move(take)
        try:
            refuse_left_behind(take.clip, take.carried, take.body, move)
        except MotionEditError:
            above = carried_from_above(take.clip, take.carried)
            if above is None:
                raise
            refuse_left_behind(take.clip, above, take.body, move)
            take.carried = above

    def writing(self, take: ClipTake, planned: Plan, change: Change, *_closely: Closely) -> Carry:
        """Writing what is planned, with breakdown keys where a figure that several controls carry would come apart."""
        several = len(carriers_of(change.whole).moved) > 1
        together = [Closely.everywhere(take.clip, planned.options)] if several else []
        if together and planned.options.keys == AUTOMATIC and not change.holds_contacts:
            return partial(carry_following, planned, (), *together)
        return super().writing(take, planned, change, *together)


class CurveRun(GroundRun):
    """One call of Follow Curve."""

    def tool_for(self, take: ClipTake) -> FollowCurve:
        """The tool, which knows the curve that is named, chosen in the panel or selected."""
        operator = self.operator
        if not operator.curve:
            chosen = bpy.context.scene.motion_editing_blend_loop.curve
            picked = [each for each in bpy.context.selected_objects if each.type == "CURVE"]
            found = chosen or next(iter(picked), None)
            operator.curve = found.name if found is not None else ""
        tool: FollowCurve = super().tool_for(take)
        return replace(tool, points=points_of(operator.curve))

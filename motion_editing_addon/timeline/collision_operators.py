"""Touches of two characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import FloatProperty
from bpy.types import Operator

from ..border.translation import counted_text, report_text
from ..document import scope
from ..interface import strip
from ..interface.operators.long_work import LongWorkOperator
from ..interface.operators.polls import NeedsClip
from . import collisions
from . import subject as subjects

if TYPE_CHECKING:
    from bpy.types import Context

    from ..border.steps import Steps


class MOTIONEDIT_OT_find_collisions(LongWorkOperator, NeedsClip, Operator):
    """Find frames where the second character touches the active one"""

    bl_idname = "motion_editing.find_collisions"
    bl_label = "Find Collisions"
    bl_options = {"REGISTER", "UNDO"}

    margin: FloatProperty(
        name="Margin",
        description="Gap that counts as touching; negative allows overlap",
        default=0.0,
        soft_min=-0.2,
        soft_max=0.2,
        subtype="DISTANCE",
    )

    def work(self, context: Context) -> Steps[None]:
        """Look at both characters and list the touches."""
        armature = scope.armatures(context)[0]
        second = yield from collisions.second_subject(context, armature)
        subject = yield from subjects.subject_of(context, armature)
        count = collisions.save_touches(
            subject, collisions.touches(subject, second, margin=self.margin), margin=self.margin
        )
        strip.redraw()
        found = {"collisions": counted_text(count, "collision"), "name": second.armature.name}
        self.report({"INFO"}, report_text("{collisions} with '{name}'", **found))

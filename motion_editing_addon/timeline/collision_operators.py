"""Touches of two characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import FloatProperty
from bpy.types import Operator

from ...core.wording import counted
from ..document import scope
from ..interface import strip
from ..interface.operators.long_work import LongWorkOperator
from ..interface.operators.polls import NeedsClip

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
        from .collisions import save_touches, second_subject, touches
        from .subject import subject_of

        armature = scope.armatures(context)[0]
        second = yield from second_subject(context, armature)
        subject = yield from subject_of(context, armature)
        count = save_touches(subject, touches(subject, second, margin=self.margin), margin=self.margin)
        strip.redraw()
        self.report({"INFO"}, f"{counted(count, 'collision')} with '{second.armature.name}'")


classes = (MOTIONEDIT_OT_find_collisions,)

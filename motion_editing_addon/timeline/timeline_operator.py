"""What the timeline's operators have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..border.tool_properties import values_in
from ..document import scope
from ..interface import strip
from ..interface.operators.operator import OperatorMixin
from ..interface.operators.polls import NeedsClip
from ..interface.reports import guarded
from . import timeline_run

if TYPE_CHECKING:
    from bpy.types import Context, Event, Object, PropertyGroup


class TimelineChoice(NeedsClip):
    """Mixin of operators that change windows, ticks or painting, but no keys."""

    bl_options = {"REGISTER", "UNDO"}

    def change(self, context: Context, armature: Object, settings: PropertyGroup) -> str | None:
        """Change the settings and say what was done."""
        raise NotImplementedError

    def execute(self, context: Context) -> set[str]:
        """Change and redraw."""
        armature = scope.armatures(context)[0]

        def change() -> str | None:
            text = self.change(context, armature, scope.own_action(armature).motion_editing_timeline)
            strip.redraw()
            return text

        return guarded(self, change)


class TimelineEdit(OperatorMixin):
    """Mixin of operators whose tools edit windows of the active armature."""

    offers_range = False

    def chosen(self, context: Context) -> list[Object]:
        """Windows belong to one character: others in pose mode stay as they are."""
        return scope.armatures(context)[:1]

    def run(self) -> timeline_run.TimelineRun:
        """On windows and painted bones."""
        return timeline_run.TimelineRun(self)

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start from the panel's choices, unless the caller gave a reference."""
        values = values_in(scope.own_action(scope.armatures(context)[0]).motion_editing_timeline, self.tool)
        if "reference" not in values or not self.properties.is_property_set("reference"):
            for name, value in values.items():
                setattr(self, name, value)
        return super().invoke(context, event)

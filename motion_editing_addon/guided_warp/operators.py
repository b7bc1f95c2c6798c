"""Warping time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import EnumProperty, StringProperty
from bpy.types import Operator

from ...core.guided_warp import WarpTime
from ..border.tool_properties import setting_of
from ..document import scope
from ..document.stack.settings import is_replaying
from ..interface.operators.operator import SLIDING, MotionEditOperator
from ..interface.shared_options import RANGE
from . import written
from .settings import guide_in
from .warp import warp_gesture, warp_run

if TYPE_CHECKING:
    from bpy.types import Context, Event, Object

    from ..border.steps import Steps


class MOTIONEDIT_OT_warp_time(MotionEditOperator, Operator):
    bl_idname = "motion_editing.warp_time"
    bl_label = "Warp Time"
    bl_options = SLIDING
    offers_keys = False
    offers_range = False
    any_object = True
    tool = WarpTime

    range: EnumProperty(**RANGE, items=scope.RANGES, default="ACTION", options={"HIDDEN"})
    keytimes: setting_of(WarpTime, "keytimes", options={"HIDDEN", "SKIP_SAVE"})
    spans: setting_of(WarpTime, "spans", options={"HIDDEN", "SKIP_SAVE"})
    lead: StringProperty(description="Object whose timing all others got", options={"HIDDEN", "SKIP_SAVE"})
    lead_map: StringProperty(description="Its timing, in frames of the scene", options={"HIDDEN", "SKIP_SAVE"})

    def chosen(self, context: Context) -> list[Object]:
        """The active object, and in object mode the other selected ones that are animated."""
        chosen = super().chosen(context)
        tool = self.present_tool()
        if not tool.along or not chosen or chosen[0].mode != "OBJECT":
            return chosen
        # What the keytimes were matched to stays as it is.
        matched = scope.own_action(chosen[0]).motion_editing_time.matched_to if tool.use_keytimes else ""
        others = [
            each
            for each in scope.selected_objects(context)
            if each not in chosen and each.name != matched and scope.action_of(each)
        ]
        return [*chosen, *(each for each in others if each.is_editable and scope.own_action(each).is_editable)]

    def run(self) -> warp_run.WarpRun:
        """With keytimes."""
        return warp_run.WarpRun(self)

    def recorded_work(self, context: Context) -> Steps[None]:
        """Take keytimes and spans down, so that the edit can be done again, and changed, without them."""
        if not is_replaying():
            keytimes, spans = written.present(context, self.chosen(context)[0])
            self.keytimes, self.spans = keytimes or self.keytimes, spans or self.spans
        return super().recorded_work(context)

    def gesture(self) -> warp_gesture.WarpGesture | None:
        """The mouse sets the length, and the strip shows what comes of it."""
        return warp_gesture.WarpGesture(self, self.run()) if self.slid() else None

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start from the panel's choices; with keytimes there is nothing left to slide but the influence."""
        settings = scope.own_action(scope.armatures(context, any_object=True)[0]).motion_editing_time
        guide = guide_in(settings) | {"use_keytimes": len(settings.keytimes) > 1}
        for name, value in guide.items():
            setattr(self, name, value)
        if guide["use_keytimes"] or guide["free_length"]:
            return self.execute(context)
        return super().invoke(context, event)

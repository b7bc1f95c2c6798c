"""Painting in the strip: everything that the mouse comes over while the button is down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Operator

from .. import hover, overlay, pick
from ..hover import Hovered
from .gesture import StripGesture

if TYPE_CHECKING:
    from bpy.types import Context, Event


class MOTIONEDIT_OT_strip_brush(StripGesture, Operator):
    """Paint what is under the mouse, such as the bones of a pose icon"""

    bl_idname = "motion_editing.strip_brush"
    bl_label = "Paint in Strip"
    bl_options = {"UNDO", "BLOCKING", "INTERNAL"}

    # Without types here: Blender evaluates a class's annotations and would look for their names.
    _lane = None
    _changed = False

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Begin a stroke; where nothing can be painted the click is Blender's."""
        picked = pick.pick(context, event.mouse_region_x, event.mouse_region_y)
        if picked is None or not picked.lane.brush(picked.item):
            return {"PASS_THROUGH"}
        self._lane, self._changed = picked.lane, False
        self.hold(context).cursor("PAINT_BRUSH")
        state = self.modal(context, event)
        # Only now: a stroke that is refused at once has ended already.
        if "RUNNING_MODAL" in state:
            context.window_manager.modal_handler_add(self)
        return state

    def respond(self, context: Context, event: Event) -> set[str]:
        """Paint until the button is up; a stroke is one undo step."""
        self._paint(context, event)
        if event.type != "LEFTMOUSE" or event.value != "RELEASE":
            return {"RUNNING_MODAL"}
        return {"FINISHED"} if self._changed else {"CANCELLED"}

    def _paint(self, context: Context, event: Event) -> None:
        picked = pick.pick(context, event.mouse_region_x, event.mouse_region_y)
        if picked is None or picked.lane is not self._lane:
            return
        self._changed |= self._lane.brushed(context, picked.item)
        hover.enter(Hovered(self._lane.name, picked.item, context.region.as_pointer(), held=True))
        overlay.redraw()

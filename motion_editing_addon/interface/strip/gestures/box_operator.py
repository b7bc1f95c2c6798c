"""Shift in the strip: one item more, or all between two frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpy.types import Operator

from ...drawing import theme
from ...operators.value_drag import CANCEL
from .. import hover, overlay, pick
from ..hover import Hovered
from . import drag
from .gesture import StripGesture

if TYPE_CHECKING:
    from bpy.types import Context, Event


class MOTIONEDIT_OT_strip_box(StripGesture, Operator):
    """Select more items of the strip: click one, or drag over several"""

    bl_idname = "motion_editing.strip_box"
    bl_label = "Select More in Strip"
    bl_options = {"UNDO", "BLOCKING", "INTERNAL"}

    # Without types here: Blender evaluates a class's annotations and would look for their names.
    _picked = None
    _start = 0.0
    _is_box = False

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Begin where the mouse is; lanes in which nothing can be framed leave the click to Blender."""
        picked = pick.spot(context, event.mouse_region_x, event.mouse_region_y)
        frame = float(picked.placement.place_across(event.mouse_region_x)) if picked else 0.0
        if picked is None or picked.lane.box(frame, frame) is None:
            return {"PASS_THROUGH"}
        self._picked, self._start, self._is_box = picked, float(event.mouse_region_x), False
        self.hold(context).cursor("CROSSHAIR")
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def respond(self, context: Context, event: Event) -> set[str]:
        """Frame what lies between press and mouse until the button is up."""
        if event.type in CANCEL and event.value == "PRESS":
            return {"CANCELLED"}
        picked: Any = self._picked
        lane, placement = picked.lane, picked.placement
        first, last = (float(placement.place_across(x)) for x in (self._start, event.mouse_region_x))
        far = abs(event.mouse_region_x - self._start) > drag.THRESHOLD * theme.ui_scale(context)
        self._is_box = self._is_box or far
        if event.type == "LEFTMOUSE" and event.value == "RELEASE":
            return self._let_go(context, *sorted((first, last)))
        if self._is_box:
            hover.enter(Hovered(lane.name, lane.box(first, last), context.region.as_pointer(), held=True))
            overlay.redraw()
        return {"RUNNING_MODAL"}

    def _let_go(self, context: Context, first: float, last: float) -> set[str]:
        picked: Any = self._picked
        lane, item = picked.lane, picked.item
        if self._is_box:
            edited = lane.boxed(context, first, last)
        else:
            edited = item is not None and lane.clicked_too(context, item)
        return {"FINISHED"} if edited else {"CANCELLED"}

"""Hovering over the strip, dragging in it, and switching its lanes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import bpy
from bpy.props import StringProperty
from bpy.types import Operator

from ...drawing import theme
from ...operators.value_drag import CANCEL, ENTER
from .. import hover, overlay, pick, status
from ..hover import Hovered
from . import drag
from .gesture import StripGesture

if TYPE_CHECKING:
    from bpy.types import Context, Event

    from ..pick import Picked

_STATUS = "Shift: precise    Ctrl: whole frames    0-9: frames    Enter: confirm    Esc, RMB: cancel"


class MOTIONEDIT_OT_strip_hover(Operator):
    """Highlight the item under the mouse"""

    bl_idname = "motion_editing.strip_hover"
    bl_label = "Hover over Strip"
    bl_options = {"INTERNAL"}

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Look, and redraw only if something else is under the mouse than before."""
        picked = pick.spot(context, event.mouse_region_x, event.mouse_region_y)
        status.show(picked.lane.hint(picked.item) if picked and picked.item is not None else "")
        if picked is None or picked.item is None:
            changed = hover.leave()
        else:
            changed = hover.enter(Hovered(picked.lane.name, picked.item, context.region.as_pointer()))
        if changed:
            context.area.tag_redraw()
        return {"PASS_THROUGH"}


class MOTIONEDIT_OT_strip_leave(Operator):
    """Clear the highlight when the mouse leaves the strip"""

    bl_idname = "motion_editing.strip_leave"
    bl_label = "Leave Strip"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, _context: Context) -> bool:
        """Only after hovering: this is asked at every movement of the mouse."""
        return hover.current() is not None or bool(status.shown())

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Forget what the mouse was over unless it still is in that region."""
        inside = [region for region in _regions(context) if _is_inside(region, event)]
        hovered = hover.current()
        if not inside:
            status.clear()
        if hovered is not None and hovered.region not in {region.as_pointer() for region in inside}:
            hover.leave()
            overlay.redraw()
        return {"PASS_THROUGH"}


def _regions(context: Context) -> list[bpy.types.Region]:
    """Regions of the window that the strip may be in."""
    areas = [area for area in context.window.screen.areas if area.type == "DOPESHEET_EDITOR"]
    return [region for area in areas for region in area.regions if region.type == "WINDOW"]


def _is_inside(region: bpy.types.Region, event: Event) -> bool:
    across, up = event.mouse_x - region.x, event.mouse_y - region.y
    return 0 <= across < region.width and 0 <= up < region.height


class MOTIONEDIT_OT_strip_drag(StripGesture, Operator):
    """Drag the item under the mouse along the frames, or select it"""

    bl_idname = "motion_editing.strip_drag"
    bl_label = "Drag in Strip"
    bl_options = {"UNDO", "BLOCKING", "INTERNAL"}

    _said = False
    _dropped = False

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Grab what is under the mouse; a miss leaves the click to Blender."""
        picked = pick.pick(context, event.mouse_region_x, event.mouse_region_y)
        if picked is None:
            return {"PASS_THROUGH"}
        self.hold(context)
        self._begin(context, event, picked)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def _begin(self, context: Context, event: Event, picked: Picked) -> None:
        frame = float(picked.placement.place_across(event.mouse_region_x))
        picked = self._picked = replace(picked, item=picked.lane.grabbed(picked.item, frame))
        self._drag = drag.Drag(
            picked.lane.frame_of(picked.item),
            event.mouse_region_x,
            picked.placement.scale[0],
            threshold=drag.THRESHOLD * theme.ui_scale(context),
            can_move=picked.lane.can_drag(picked.item),
        )
        hover.enter(Hovered(picked.lane.name, picked.item, context.region.as_pointer(), held=True))
        context.area.tag_redraw()

    def respond(self, context: Context, event: Event) -> set[str]:
        """Go along with the mouse until it lets go."""
        if event.type in CANCEL and event.value == "PRESS":
            return {"CANCELLED"}
        if (event.type == "LEFTMOUSE" and event.value == "RELEASE") or event.type in ENTER:
            return self._let_go(context)
        if self._follow(event):
            self._picked.lane.dragged(context, self._picked.item, self._drag.frame)
            self._say(context)
        return {"RUNNING_MODAL"}

    def _follow(self, event: Event) -> bool:
        """Take up an event; True if the item is at another frame now."""
        if event.type == "MOUSEMOVE" or event.type.endswith(("SHIFT", "CTRL")):
            return self._drag.moved_to(event.mouse_region_x, precise=event.shift, snap=event.ctrl)
        if event.value != "PRESS":
            return False
        if event.type == "BACK_SPACE":
            return self._drag.erase()
        return bool(event.unicode) and self._drag.type_letter(event.unicode)

    def _say(self, context: Context) -> None:
        """Cursor, status bar and header, while something moves."""
        held = self.hold(context)
        if not self._said:
            held.cursor("SCROLL_X")
        self._said = True
        held.status(_STATUS)
        status.forget()
        lane, item, drag = self._picked.lane, self._picked.item, self._drag
        lane.update(context, theme.palette(context))
        typed = f"  [{drag.typed}]" if drag.typed else ""
        said = [lane.tooltip(item), lane.progress(item, drag.distance)]
        held.header("    ".join(filter(None, said)) + typed)
        overlay.redraw()

    def _let_go(self, context: Context) -> set[str]:
        """Make the edit, which is one undo step; a click that edits nothing is none, an operator makes its own."""
        lane, item = self._picked.lane, self._picked.item
        if self._drag.is_click:
            edited = lane.clicked(context, item)
        elif self._drag.distance == 0.0:
            edited = False
        else:
            edited = not lane.dropped(context, item, self._drag.frame)
            self._dropped = True  # what is in sight goes when the edit begins
        return {"FINISHED"} if edited else {"CANCELLED"}

    def leave(self, context: Context) -> None:
        """Everything as before the drag, unless its edit was made."""
        try:
            if not self._drag.is_click and not self._dropped:
                self._picked.lane.cancelled(context)
        finally:
            super().leave(context)


class MOTIONEDIT_OT_strip_lane(Operator):
    """Show or hide this lane in the strip"""

    bl_idname = "motion_editing.strip_lane"
    bl_label = "Show Lane"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    lane: StringProperty(name="Lane", description="Name of the lane")

    def execute(self, context: Context) -> set[str]:
        """Turn it over."""
        settings = context.scene.motion_editing_strip
        settings.set_shown(self.lane, not settings.is_shown(self.lane))
        return {"FINISHED"}

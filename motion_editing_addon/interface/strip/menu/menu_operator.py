"""The menu that a right click opens in the strip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Operator

from ...drawing import painter, theme
from ...operators.value_drag import CANCEL, ENTER
from .. import hover, pick, status
from ..gestures.gesture import StripGesture
from ..hover import Hovered
from . import open_popup, popup, popup_picture

if TYPE_CHECKING:
    from bpy.types import Context, Event

    from ..pick import Picked

_STEPS = {"UP_ARROW": -1, "DOWN_ARROW": 1, "WHEELUPMOUSE": -1, "WHEELDOWNMOUSE": 1}


class MOTIONEDIT_OT_strip_menu(StripGesture, Operator):
    """Show a menu for the item under the mouse"""

    bl_idname = "motion_editing.strip_menu"
    bl_label = "Features in Strip"
    bl_options = {"UNDO", "BLOCKING", "INTERNAL"}

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Open the menu; where there is none the click is Blender's."""
        picked = pick.spot(context, event.mouse_region_x, event.mouse_region_y)
        source = picked.lane.menu_source(picked.item, event.mouse_region_x, picked.placement) if picked else None
        entries = picked.lane.menu(context, source) if picked and source is not None else ()
        if picked is None or not entries:
            return {"PASS_THROUGH"}
        self.hold(context)
        self._open(context, event, picked, source, entries)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def _open(
        self, context: Context, event: Event, picked: Picked, source: object, entries: tuple[tuple[str, str], ...]
    ) -> None:
        self._lane, self._source = picked.lane, source
        place = event.mouse_region_x, event.mouse_region_y
        size = context.region.width, context.region.height
        title = picked.lane.menu_title
        self._popup = popup_picture.fitting_popup(
            title, entries, place, size, theme.ui_scale(context), painter.text_width
        )
        self._popup.raised_above(picked.placement.up(picked.lane.height), context.region.height)
        open_popup.show(self._popup, context.region.as_pointer())
        self._light(context, source)
        self.hold(context).status(picked.lane.menu_hint)
        status.forget()

    def respond(self, context: Context, event: Event) -> set[str]:
        """Go along with mouse and keys until something is chosen."""
        if event.type in CANCEL and event.value == "PRESS":
            return {"CANCELLED"}
        if event.type == "MOUSEMOVE":
            self._popup.moved_to(event.mouse_region_x, event.mouse_region_y)
        if self._popup.dragging:
            self._light(context, self._lit(context))
        if event.type == "LEFTMOUSE" and event.value == "PRESS" and not self._popup.pressed():
            return {"CANCELLED"}
        if event.type in _STEPS and event.value == "PRESS":
            self._popup.step(_STEPS[event.type])
        outcome = self._outcome(event)
        context.area.tag_redraw()
        return {"RUNNING_MODAL"} if outcome is popup.Outcome.OPEN else self._choose(context, outcome)

    def _outcome(self, event: Event) -> object:
        if event.type == "LEFTMOUSE" and event.value == "RELEASE":
            return self._popup.released()
        if event.type in ENTER and event.value == "PRESS":
            return self._popup.confirmed()
        return popup.Outcome.OPEN

    def _choose(self, context: Context, outcome: object) -> set[str]:
        """Carry the feature over; dropped beside the lane it is forgotten."""
        target = None
        if outcome is popup.Outcome.DROPPED:
            if self._spot(context) is None:
                return {"CANCELLED"}
            target = self._target(context)
        open_popup.hide()
        goes_on = self._lane.chosen(context, self._popup.identifier, self._source, target)
        return {"CANCELLED"} if goes_on else {"FINISHED"}

    def _spot(self, context: Context) -> Picked | None:
        """Where in the menu's lane the mouse is."""
        picked = pick.spot(context, *self._popup.mouse)
        return picked if picked is not None and picked.lane is self._lane else None

    def _target(self, context: Context) -> object:
        picked = self._spot(context)
        return None if picked is None else self._lane.target(self._popup.mouse[0], picked.placement)

    def _lit(self, context: Context) -> object:
        """What the dragged feature would change: a window, everything on the empty strip, nothing beside it."""
        if self._spot(context) is None:
            return None
        target = self._target(context)
        return self._lane.everything(self._source) if target is None else target

    def _light(self, context: Context, item: object) -> None:
        """Light up what the menu is about, or what the feature would be dropped on."""
        if item is None:
            hover.leave()
        else:
            hover.enter(Hovered(self._lane.name, item, context.region.as_pointer(), held=True))

    def leave(self, context: Context) -> None:
        """Close the menu."""
        open_popup.hide()
        super().leave(context)

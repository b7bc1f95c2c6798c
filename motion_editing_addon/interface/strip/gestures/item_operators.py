"""Making and deleting items of the strip where the mouse is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Operator

from .....core.errors import MotionEditError
from ....border.translation import told_by
from .. import hover, overlay, pick, status

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpy.types import Context, Event


class StripEdit:
    """What both have in common: a refusal is reported, the strip drawn anew."""

    def _edited(self, edit: Callable[[], bool]) -> set[str]:
        """Finished if the edit was made; if there was nothing to edit the event is Blender's."""
        try:
            made = edit()
        except (MotionEditError, RuntimeError) as error:  # the latter from operators that a lane calls
            self.report({"ERROR"}, told_by(error))
            return {"CANCELLED"}
        if not made:
            return {"PASS_THROUGH"}
        # Numbers of items have changed: what the mouse was over is found anew when it moves.
        hover.leave()
        status.clear()
        overlay.redraw()
        return {"FINISHED"}


class MOTIONEDIT_OT_strip_add(StripEdit, Operator):
    """Add an item to the lane under the mouse, such as a keytime"""

    bl_idname = "motion_editing.strip_add"
    bl_label = "Add in Strip"
    bl_options = {"UNDO", "INTERNAL"}

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Offer the frame under the mouse to its lane; a miss leaves the double-click to Blender."""
        picked = pick.spot(context, event.mouse_region_x, event.mouse_region_y)
        if picked is None:
            return {"PASS_THROUGH"}
        if not picked.is_empty:
            return self._edited(lambda: picked.lane.item_double_clicked(context, picked.item))
        frame = float(picked.placement.place_across(event.mouse_region_x))
        return self._edited(lambda: picked.lane.double_clicked(context, frame, picked.item))


class MOTIONEDIT_OT_strip_delete(StripEdit, Operator):
    """Delete the item under the mouse"""

    bl_idname = "motion_editing.strip_delete"
    bl_label = "Delete in Strip"
    bl_options = {"UNDO", "INTERNAL"}

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Delete the item under the mouse; outside the lanes that know of deleting the key is Blender's."""
        picked = pick.spot(context, event.mouse_region_x, event.mouse_region_y)
        if picked is None or not picked.lane.deletes:
            return {"PASS_THROUGH"}
        if picked.is_empty:
            # Passed on, the key would delete the selected keys because of a near miss.
            self.report({"INFO"}, "Nothing to delete under the mouse")
            return {"CANCELLED"}

        def delete() -> bool:
            picked.lane.deleted(context, picked.item)
            return True

        return self._edited(delete)

"""Keytimes and the warp plot on the strip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...document import scope
from . import lane_data, strip_drag

if TYPE_CHECKING:
    from bpy.types import Context

    from .time_data import TimeLaneData


class KeytimesOnStrip:
    """Feeds the time lane of the strip with the active armature's keytimes."""

    def __init__(self) -> None:
        """Nothing is shown before the strip asks."""
        self._shown: tuple[object, TimeLaneData] | None = None
        self._drag: object = None

    def data(self, context: Context) -> TimeLaneData | None:
        """The keytimes as they are, or as a drag would make them; kept until something changes."""
        armature = context.object
        action = scope.action_of(armature)
        if action is None or len(action.motion_editing_time.keytimes) < 2:
            return None

        key = lane_data.key(context, armature, self._drag)
        if self._shown is None or self._shown[0] != key:
            self._shown = key, lane_data.of(context, armature, self._drag)
        return self._shown[1]

    def drag(self, context: Context, keytime: int, frame: float, *, final: bool) -> None:
        """Move a keytime; the rig shows the warp, the settings follow when it is let go."""
        ripple = scope.action_of(context.object).motion_editing_time.ripple
        if final:
            self.cancel(context)
            bpy.ops.motion_editing.move_keytime(keytime=keytime, frame=frame, ripple=ripple)
            return
        if self._drag is None:
            self._drag = strip_drag.WarpDrag.begin(context)
        self._drag.show(keytime, frame, ripple=ripple)

    def add(self, _context: Context, frame: float) -> None:
        """Double click: hold the moment there."""
        bpy.ops.motion_editing.add_keytime(frame=frame)

    def remove(self, _context: Context, keytime: int) -> None:
        """Delete: let the moment go."""
        bpy.ops.motion_editing.remove_keytime(keytime=keytime)

    def pick(self, context: Context, keytime: int) -> None:
        """Make a keytime active."""
        scope.action_of(context.object).motion_editing_time.active = keytime

    def cancel(self, _context: Context) -> None:
        """Everything as before the drag."""
        if self._drag is not None:
            self._drag.end()
            self._drag = None

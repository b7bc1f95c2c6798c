"""Keytimes and the warp plot on the strip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...document import scope
from . import lane_data, strip_drag, warp_entry

if TYPE_CHECKING:
    from bpy.types import Context

    from .time_data import TimeLaneData


class KeytimesOnStrip:
    """Feeds the time lane of the strip with the active armature's keytimes."""

    def __init__(self) -> None:
        """Nothing is shown before the strip asks."""
        self._shown: tuple[object, TimeLaneData] | None = None
        self._drag: strip_drag.WarpDrag | None = None

    def data(self, context: Context) -> TimeLaneData | None:
        """The keytimes as they are, or as a drag would make them; kept until something changes."""
        armature = scope.edited_object(context)
        if armature is None or scope.action_of(armature) is None or not lane_data.is_wanted(armature):
            return None

        key = lane_data.key(context, armature, self._drag)
        if self._shown is None or self._shown[0] != key:
            self._shown = key, lane_data.of(context, armature, self._drag)
        return self._shown[1]

    def drag(self, context: Context, keytime: int, frame: float, *, final: bool) -> None:
        """Move a keytime; the rig shows the warp, the settings follow when it is let go."""
        ripple = scope.own_action(scope.known_object(context)).motion_editing_time.ripple
        entry = self._entry(context)
        if entry is not None:
            if final:
                entry.move(keytime, self._seconds(context, frame), ripple=ripple)
            return
        if final:
            self.cancel(context)
            bpy.ops.motion_editing.move_keytime(keytime=keytime, frame=frame, ripple=ripple)
            return
        if self._drag is None:
            self._drag = strip_drag.WarpDrag.begin(context)
        self._drag.show(keytime, frame, ripple=ripple)

    def grab(self, context: Context, frame: float, to: float, *, final: bool) -> None:
        """Move the moment that is seen at a frame; it gets a keytime of its own when it is let go."""
        ripple = scope.own_action(scope.known_object(context)).motion_editing_time.ripple
        entry = self._entry(context)
        if entry is not None:
            if final:
                self._hold(context, entry, (frame, to), ripple=ripple)
            return
        if self._drag is None:
            self._drag = strip_drag.WarpDrag.begin(context)
        if not final:
            self._drag.show_moment(frame, to, ripple=ripple)
            return
        number = self._drag.number_at(frame)
        self.cancel(context)
        bpy.ops.motion_editing.add_keytime(frame=frame)
        bpy.ops.motion_editing.move_keytime(keytime=number, frame=to, ripple=ripple)

    def toggle(self, context: Context, span: int) -> None:
        """Click: protect what happens, or let it go."""
        entry = self._entry(context)
        if entry is not None:
            entry.toggle(span)
            return
        bpy.ops.motion_editing.toggle_span(span=span)

    def _entry(self, context: Context) -> warp_entry.WarpEntry | None:
        """The warp of the stack that is shown, if one is."""
        armature = scope.known_object(context)
        entry = lane_data.shown_entry(armature)
        return None if entry is None else warp_entry.WarpEntry(context, armature, entry)

    def _seconds(self, context: Context, frame: float) -> float:
        armature = scope.known_object(context)
        return scope.from_scene(armature, frame) / scope.source_rate(context, armature)

    def _hold(
        self, context: Context, entry: warp_entry.WarpEntry, frames: tuple[float, float], *, ripple: bool
    ) -> None:
        """Let a moment of a warp that was made happen at another frame."""
        time, moved = (self._seconds(context, frame) for frame in frames)
        entry.hold(time, moved, ripple=ripple)

    def add(self, context: Context, frame: float) -> None:
        """Double click: hold the moment there."""
        entry = self._entry(context)
        if entry is not None:
            entry.add(self._seconds(context, frame))
            return
        bpy.ops.motion_editing.add_keytime(frame=frame)

    def remove(self, context: Context, keytime: int) -> None:
        """Delete: let the moment go."""
        entry = self._entry(context)
        if entry is not None:
            entry.remove(keytime)
            return
        bpy.ops.motion_editing.remove_keytime(keytime=keytime)

    def pick(self, context: Context, keytime: int) -> None:
        """Make a keytime active."""
        scope.own_action(scope.known_object(context)).motion_editing_time.active = keytime

    def cancel(self, _context: Context) -> None:
        """Everything as before the drag."""
        if self._drag is not None:
            self._drag.end()
            self._drag = None

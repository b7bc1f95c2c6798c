"""Warp Time while the mouse sets it: the strip shows the plot, and the motion plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...interface.operators.slider_gesture import SliderGesture
from . import live_warp

if TYPE_CHECKING:
    from bpy.types import Context, Event

_PLAY = "SPACE"


class WarpGesture(SliderGesture):
    """What runs between the call of Warp Time and the click that keeps its values."""

    leaves_trails = False
    _played = False
    _is_known = False

    def answer(self, context: Context, event: Event) -> set[str]:
        """Let the animation go on, begin it with the first move, and stop or start it with Space."""
        if event.type.startswith("TIMER"):
            return {"PASS_THROUGH"}
        if event.type == _PLAY:
            if event.value == "PRESS":
                self._toggle(context)
            return {"RUNNING_MODAL"}
        if event.type == "MOUSEMOVE" and not self._is_known:
            self._is_known = True
            if not context.screen.is_animation_playing:
                self._toggle(context)
        return super().answer(context, event)

    def keys_text(self) -> str:
        """What keys do besides."""
        return "    ".join(filter(None, (super().keys_text(), "Space: Play or Stop")))

    def leave(self, context: Context) -> None:
        """Take back what is shown, and stop what was started."""
        live_warp.hide()
        if self._played and context.screen.is_animation_playing:
            bpy.ops.screen.animation_cancel(restore_frame=True)
        self._played = False
        super().leave(context)

    def _toggle(self, context: Context) -> None:
        was_playing = context.screen.is_animation_playing
        bpy.ops.screen.animation_play()
        self._played = not was_playing

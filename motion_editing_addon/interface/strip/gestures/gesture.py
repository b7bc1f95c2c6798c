"""What operators that follow the mouse in the strip have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .....core.errors import MotionEditError
from ....border.translation import told_by
from ...operators.running_tools import RunningTool
from .. import hover, overlay, status

if TYPE_CHECKING:
    from bpy.types import Context, Event


class StripGesture(RunningTool):
    """Mixin of modal operators in the strip: what cannot be done is reported, and ends the gesture.

    An operator gives `respond`, which answers one event.
    """

    def respond(self, context: Context, event: Event) -> set[str]:
        """Follow mouse and keys until the gesture is over."""
        raise NotImplementedError

    def answer(self, context: Context, event: Event) -> set[str]:
        """Respond, and report what cannot be done."""
        try:
            return self.respond(context, event)
        except (MotionEditError, RuntimeError) as error:  # the latter from operators that a lane calls
            self.report({"ERROR"}, told_by(error))
            return {"CANCELLED"}

    def leave(self, _context: Context) -> None:
        """Nothing is under the mouse any more."""
        hover.leave()
        status.clear()
        overlay.redraw()

"""What mouse and keys do while a bone is dragged."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ....core.errors import MotionEditError
from ...border.lengths import length_text
from ...interface.operators.slider_gesture import SliderGesture
from .drag_gesture import DragGesture
from .joint_drag import KEYS_TEXT, JointDrag

if TYPE_CHECKING:
    from bpy.types import Context, Event

    from .drag_run import DragRun

# Seconds after which the mouse rests, from one look at that to the next, and of work at each.
_REST, _LOOK, _WORK = 0.2, 0.06, 0.05


class JointGesture(SliderGesture):
    """The mouse carries a bone; the whole motion follows."""

    run: DragRun
    _pulled: DragGesture | None = None
    _moved_at = 0.0

    def begin(self, context: Context) -> None:
        """Read the characters and their constraints."""
        self._pulled = DragGesture(context, self.run)

    def start(self, context: Context, event: Event) -> set[str]:
        """Take over mouse and keys, and look from time to time whether the mouse rests."""
        self.operator.hold(context).timer(_LOOK)
        return super().start(context, event)

    def new_drag(self, _context: Context, event: Event) -> JointDrag:
        """From where the mouse is; if its button is down, letting go ends the drag."""
        button_is_down = event.type == "LEFTMOUSE" and event.value == "PRESS"
        return JointDrag(event.mouse_x, event.mouse_y, release_confirms=button_is_down)

    def show(self, context: Context) -> set[str]:
        """Show where the joint is now, on the rig and in text; what cannot be is told in the text."""
        operator = self.operator
        assert self._pulled is not None
        operator.move = self.drag.along(self._pulled.move_of(self.drag.travel))
        text = self.drag.text(map(length_text, operator.move))
        try:
            self._pulled.show(context, operator.move)
        except MotionEditError as error:
            text += f"   {error}"
        self._moved_at = time.monotonic()
        held = operator.hold(context)
        held.header(text)
        held.status(KEYS_TEXT)
        return {"RUNNING_MODAL"}

    def respond(self, context: Context, event: Event) -> set[str]:
        """Go along with the mouse; while it rests, see what letting go gives."""
        now = time.monotonic()
        if self._pulled is not None and event.type == "TIMER" and now > self._moved_at + _REST:
            self._pulled.settle(context, until=now + _WORK)
        return super().respond(context, event)

    def restore(self) -> None:
        """The rigs as they were, without trails and ghosts."""
        if self._pulled is not None:
            self._pulled.restore()

    def leave(self, context: Context) -> None:
        """Take back what is shown."""
        super().leave(context)
        self._pulled = None

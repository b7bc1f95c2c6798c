"""What the mouse and the keyboard do to a joint that is dragged. Knows nothing of Blender's data."""

from __future__ import annotations

from collections.abc import Iterable

from ...interface.operators.slider_drag import Outcome

KEYS_TEXT = "Mouse: move    Shift: precise    X, Y, Z: along one axis    Enter, LMB: confirm    Esc, RMB: cancel"

_PRECISE = 0.1
_MOVES = {"MOUSEMOVE", "LEFT_SHIFT", "RIGHT_SHIFT"}
_CONFIRM = {"LEFTMOUSE", "RET", "NUMPAD_ENTER"}
_CANCEL = {"RIGHTMOUSE", "ESC"}
_AXES = ("X", "Y", "Z")
# Looking around belongs to Blender. Other frames do not: the joint is dragged at its own.
_PASSED_ON = {"MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "TRACKPADPAN", "TRACKPADZOOM", "MOUSEROTATE", "TIMER"}


class JointDrag:
    """How far the mouse has come, in pixels, and along which axis the joint may go."""

    def __init__(self, x: float, y: float, *, release_confirms: bool = False) -> None:
        """Start with the mouse at a place; a drag that began with the button down ends when it is let go."""
        self.travel = (0.0, 0.0)
        self.axis = ""
        self._mouse = (x, y)
        self._release_confirms = release_confirms

    def take(self, kind: str, *, pressed: bool, x: float, y: float, shift: bool = False, ctrl: bool = False) -> Outcome:
        """Take one event.

        Args:
            kind: Type of the event, as Blender names it.
            pressed: A key or button went down; up otherwise.
            x: Of the mouse, in pixels.
            y: Of the mouse.
            shift: Held: the joint goes a tenth of the way.
            ctrl: Held: letters are shortcuts, such as undo, that wait until the drag has ended.
        """
        if kind in _MOVES:
            return self._moved(x, y, shift)
        if kind in _PASSED_ON:
            return Outcome.PASSED_ON
        if kind == "LEFTMOUSE" and not pressed:
            return Outcome.CONFIRMED if self._release_confirms else Outcome.NOTHING
        if not pressed or (ctrl and kind in _AXES):
            return Outcome.NOTHING
        return self._pressed(kind)

    def along(self, move: tuple[float, float, float]) -> tuple[float, float, float]:
        """What of a move in the scene is left along the chosen axis."""
        return tuple(part if self.axis in ("", axis) else 0.0 for part, axis in zip(move, _AXES, strict=True))

    def text(self, lengths: Iterable[str]) -> str:
        """The move along each axis, given as people read lengths, in one line."""
        parts = "   ".join(f"{axis} {length}" for axis, length in zip(_AXES, lengths, strict=True))
        return f"Drag Bone   {parts}" + (f"   along {self.axis}" if self.axis else "")

    def _moved(self, x: float, y: float, shift: bool) -> Outcome:
        share = _PRECISE if shift else 1.0
        steps = (x - self._mouse[0], y - self._mouse[1])
        self._mouse = (x, y)
        if steps == (0.0, 0.0):
            return Outcome.NOTHING
        self.travel = (self.travel[0] + share * steps[0], self.travel[1] + share * steps[1])
        return Outcome.CHANGED

    def _pressed(self, kind: str) -> Outcome:
        if kind in _CONFIRM:
            return Outcome.CONFIRMED
        if kind in _CANCEL:
            return Outcome.CANCELLED
        if kind in _AXES:
            self.axis = "" if self.axis == kind else kind
            return Outcome.CHANGED
        return Outcome.NOTHING

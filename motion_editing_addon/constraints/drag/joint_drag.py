"""What the mouse and the keyboard do to a joint that is dragged. Knows nothing of Blender's data."""

from __future__ import annotations

from collections.abc import Iterable

from ...interface.operators.value_drag import LOOKING, PRECISE, ValueDrag

KEYS_TEXT = "Mouse: move    Shift: precise    X, Y, Z: along one axis    Enter, LMB: confirm    Esc, RMB: cancel"

_AXES = ("X", "Y", "Z")


class JointDrag(ValueDrag):
    """How far the mouse has come, in pixels, and along which axis the joint may go."""

    # Other frames do not belong to Blender: the joint is dragged at its own.
    passed_on = LOOKING | {"TIMER"}

    def __init__(self, x: float, y: float, *, release_confirms: bool = False) -> None:
        """Start with the mouse at a place; a drag that began with the button down ends when it is let go."""
        self.travel = (0.0, 0.0)
        self.axis = ""
        self._mouse = (x, y)
        self.release_confirms = release_confirms

    @property
    def state(self) -> tuple[tuple[float, float], str]:
        """Way and axis."""
        return self.travel, self.axis

    def along(self, move: tuple[float, float, float]) -> tuple[float, float, float]:
        """What of a move in the scene is left along the chosen axis."""
        x, y, z = (part if self.axis in ("", axis) else 0.0 for part, axis in zip(move, _AXES, strict=True))
        return x, y, z

    def text(self, lengths: Iterable[str]) -> str:
        """The move along each axis, given as people read lengths, in one line."""
        parts = "   ".join(f"{axis} {length}" for axis, length in zip(_AXES, lengths, strict=True))
        return f"Drag Bone   {parts}" + (f"   along {self.axis}" if self.axis else "")

    def moved_to(self, x: float, y: float = 0.0, *, precise: bool = False, snap: bool = False) -> None:
        """Go along with the mouse."""
        share = PRECISE if precise else 1.0
        steps = (x - self._mouse[0], y - self._mouse[1])
        self._mouse = (x, y)
        self.travel = (self.travel[0] + share * steps[0], self.travel[1] + share * steps[1])

    def key(self, kind: str, _character: str, *, is_shortcut: bool = False) -> None:
        """Keep to an axis, or to none again; shortcuts such as undo wait until the drag has ended."""
        if kind in _AXES and not is_shortcut:
            self.axis = "" if self.axis == kind else kind

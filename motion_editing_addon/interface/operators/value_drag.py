"""What mouse and keys do to values until somebody confirms or cancels. Knows nothing of Blender's data."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

# Part of the way that values go while Shift is held.
PRECISE = 0.1
ENTER = frozenset({"RET", "NUMPAD_ENTER"})
CANCEL = frozenset({"RIGHTMOUSE", "ESC"})
_CONFIRM = ENTER | {"LEFTMOUSE"}
_MOVES = frozenset({"MOUSEMOVE", "LEFT_SHIFT", "RIGHT_SHIFT", "LEFT_CTRL", "RIGHT_CTRL"})
# Looking around belongs to Blender.
LOOKING = frozenset({"MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "TRACKPADPAN", "TRACKPADZOOM", "MOUSEROTATE"})


class Outcome(Enum):
    """What an event meant for the tool."""

    NOTHING = "nothing"
    CHANGED = "changed"
    CONFIRMED = "confirmed"
    CANCELLED = "cancelled"
    PASSED_ON = "passed on"


class ValueDrag:
    """Base of what is set with the mouse: Shift is precise, Ctrl snaps, a click or Enter confirms, Esc cancels."""

    # Kinds of events that go on to Blender.
    passed_on: frozenset[str] = LOOKING
    # A drag that began with the button down ends when it is let go.
    release_confirms = False

    def take(
        self,
        kind: str,
        *,
        pressed: bool,
        character: str = "",
        x: float = 0.0,
        y: float = 0.0,
        shift: bool = False,
        ctrl: bool = False,
        oskey: bool = False,
    ) -> Outcome:
        """React to one event: Blender's name for its kind, what it types, and where the mouse is."""
        if kind in _MOVES:
            return self._changed(lambda: self.moved_to(x, y, precise=shift, snap=ctrl))
        if kind in self.passed_on:
            return Outcome.PASSED_ON
        if not pressed:
            return Outcome.CONFIRMED if kind == "LEFTMOUSE" and self.release_confirms else Outcome.NOTHING
        if kind in _CONFIRM:
            return Outcome.CONFIRMED
        if kind in CANCEL:
            return Outcome.CANCELLED
        return self._changed(lambda: self.key(kind, character, is_shortcut=ctrl or oskey))

    def moved_to(self, x: float, y: float = 0.0, *, precise: bool = False, snap: bool = False) -> None:
        """Follow the mouse."""
        raise NotImplementedError

    def key(self, kind: str, character: str, *, is_shortcut: bool = False) -> None:
        """Any other key went down, alone or as a shortcut of Blender's such as undo."""
        raise NotImplementedError

    @property
    def state(self) -> object:
        """What is shown: if it stays the same there is nothing to do."""
        raise NotImplementedError

    def _changed(self, action: Callable[[], None]) -> Outcome:
        before = self.state
        action()
        return Outcome.NOTHING if self.state == before else Outcome.CHANGED


def typed_on(text: str, character: str) -> str | None:
    """A number that is being typed with another digit, point or comma; a minus turns its sign. None for the rest."""
    if character == "-":
        return text.removeprefix("-") if text.startswith("-") else f"-{text}"
    if character in (".", ","):
        return text if "." in text else f"{text}."
    return text + character if character.isascii() and character.isdigit() else None


def typed_number(text: str) -> float | None:
    """What was typed so far as a number; None while it is none yet."""
    return float(text) if any(letter.isdigit() for letter in text) else None


def snapped(value: float, width: float) -> float:
    """The nearest multiple of a width."""
    # Whole numbers of steps per unit are divided by, not multiplied with: 3 / 10 is 0.3, 3 * 0.1 is not.
    steps, per_unit = round(value / width), 1.0 / width
    whole = per_unit >= 1.0 and abs(per_unit - round(per_unit)) < 1e-9
    return steps / round(per_unit) if whole else steps * width

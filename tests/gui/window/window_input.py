"""Mouse and keys of the Blender window, as simulated events. Runs inside Blender."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import bpy

Steps = Generator[float, None, None]

# Long enough for Blender to handle an event before the next, short enough for quick tests.
EVENT_PAUSE = 0.05
# A full redraw takes about a tenth of a second with software rendering.
REDRAW_PAUSE = 0.4
MODIFIER_KEYS = {"ctrl": "LEFT_CTRL", "shift": "LEFT_SHIFT", "alt": "LEFT_ALT", "oskey": "OSKEY"}


@dataclass(frozen=True)
class Point:
    """A place in the window, in pixels from its lower left corner."""

    x: int
    y: int


class Input:
    """The mouse and the keys of Blender's only window."""

    def __init__(self) -> None:
        """Start with the mouse in the lower left corner."""
        self._mouse = Point(0, 0)

    @property
    def blender(self) -> bpy.types.Window:
        """Blender's window; asked for anew each time because undo and loading replace it."""
        return bpy.context.window_manager.windows[0]

    @property
    def mouse(self) -> Point:
        """Where the mouse is."""
        return self._mouse

    def send(self, kind: str, value: str, **modifiers: bool | str) -> None:
        """Send one event at the mouse's place."""
        self.blender.event_simulate(kind, value, x=self._mouse.x, y=self._mouse.y, **modifiers)

    def move(self, x: float, y: float) -> Steps:
        """Move the mouse. It arrives with a last small step, as buttons notice only movement."""
        for offset in (1, 0):
            self._mouse = Point(round(x) - offset, round(y))
            self.send("MOUSEMOVE", "NOTHING")
            yield EVENT_PAUSE / 2

    def glide(self, x: float, y: float) -> Steps:
        """Move the mouse as one of many movements in a row, the quickest that buttons notice."""
        self._mouse = Point(round(x), round(y))
        self.send("MOUSEMOVE", "NOTHING")
        yield 0.01

    def click(self, x: float, y: float, button: str = "LEFTMOUSE", **modifiers: bool) -> Steps:
        """Move the mouse and click."""
        yield from self.move(x, y)
        yield EVENT_PAUSE
        yield from self.press(button, **modifiers)
        yield REDRAW_PAUSE

    def double_click(self, x: float, y: float) -> Steps:
        """Move the mouse and click twice."""
        yield from self.move(x, y)
        for value in ("PRESS", "RELEASE", "PRESS", "RELEASE"):
            self.send("LEFTMOUSE", value)
            yield EVENT_PAUSE
        yield REDRAW_PAUSE

    def drag(self, start: Point, end: Point, moves: int = 10, button: str = "LEFTMOUSE") -> Steps:
        """Press the button at one place, move in even steps and release it at another."""
        yield from self.move(start.x, start.y)
        self.send(button, "PRESS")
        yield EVENT_PAUSE
        for step in range(1, moves + 1):
            part = step / moves
            yield from self.glide(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)
            yield EVENT_PAUSE
        self.send(button, "RELEASE")
        yield REDRAW_PAUSE

    def press(self, key: str, **modifiers: bool) -> Steps:
        """Press and release a key or button, with ctrl=, shift=, alt= or oskey=True.

        The modifier's own key goes down before and comes up after, as on a keyboard: Blender
        would go on taking the modifier for held otherwise.
        """
        held: dict[str, bool] = {}
        for name in modifiers:
            held[name] = True
            self.send(MODIFIER_KEYS[name], "PRESS", **held)
            yield EVENT_PAUSE / 2
        self.send(key, "PRESS", **held)
        yield EVENT_PAUSE
        self.send(key, "RELEASE", **held)
        yield EVENT_PAUSE
        for name in modifiers:
            del held[name]
            self.send(MODIFIER_KEYS[name], "RELEASE", **held)
            yield EVENT_PAUSE / 2

    def type_text(self, text: str) -> Steps:
        """Type into an open text field or a running operator."""
        for letter in text:
            kind = _key_of(letter)
            self.blender.event_simulate(kind, "PRESS", unicode=letter, x=self._mouse.x, y=self._mouse.y)
            yield EVENT_PAUSE
            self.send(kind, "RELEASE")
            yield EVENT_PAUSE

    def undo(self) -> Steps:
        """Press Ctrl+Z."""
        yield from self.press("Z", ctrl=True)
        yield REDRAW_PAUSE

    def redo(self) -> Steps:
        """Press Shift+Ctrl+Z."""
        yield from self.press("Z", ctrl=True, shift=True)
        yield REDRAW_PAUSE


def _key_of(letter: str) -> str:
    """Give the key that types a letter."""
    digits = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
    others = {".": "PERIOD", ",": "COMMA", "-": "MINUS", " ": "SPACE", "/": "SLASH", "=": "EQUAL"}
    if letter.isdigit():
        return digits[int(letter)]
    return others.get(letter, letter.upper())

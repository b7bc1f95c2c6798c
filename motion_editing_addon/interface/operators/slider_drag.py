"""What the mouse and the keyboard do to the values of a modal slider. Knows nothing of Blender's data."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, inf, log10, pi

from .value_drag import LOOKING, PRECISE, ValueDrag, snapped, typed_number, typed_on

# Stored values are fractions and radians, as Blender's properties hold them; people read per cent and degrees.
_SHOWN_PER_STORED = {"%": 100.0, "°": 180.0 / pi}

# Mouse travel, at a scale of 1, that changes a value by one step.
PIXELS_PER_STEP = 8.0

KEYS_TEXT = "Mouse: value    Shift: precise    Ctrl: snap    0-9: type    Enter, LMB: confirm    Esc, RMB: cancel"
_SWITCH_TEXT = "Tab, Up, Down: next value    "

_SWITCH = {"TAB": 1, "DOWN_ARROW": 1, "UP_ARROW": -1}


@dataclass(frozen=True)
class Slider:
    """One value of a tool, set with the mouse.

    Attributes:
        name: The operator's property.
        label: What people read; the property's own name if empty.
        unit: Shown after the number: %, frames, s, °, Hz. A property in % holds fractions, one in ° radians.
        step: Change for a few pixels of mouse travel, in the unit shown; also says how many digits are shown.
        snap: With Ctrl the value goes to multiples of this, in the unit shown.
        limits: Lowest and highest value that can be typed, as stored.
        soft_limits: Lowest and highest value that the mouse reaches, as stored.
    """

    name: str
    label: str = ""
    unit: str = ""
    step: float = 0.01
    snap: float = 0.1
    limits: tuple[float, float] = (-inf, inf)
    soft_limits: tuple[float, float] = (-inf, inf)

    @property
    def scale(self) -> float:
        """Shown value of the stored value 1."""
        return _SHOWN_PER_STORED.get(self.unit, 1.0)

    def shown(self, value: float, *, precise: bool = False) -> str:
        """A stored value as people read it, without the unit."""
        digits = max(0, -floor(log10(self.step) + 1e-9)) + int(precise)
        text = f"{value * self.scale:.{digits}f}"
        return text.removeprefix("-") if float(text) == 0.0 else text

    def with_unit(self, number: str) -> str:
        """A shown number with its unit; degrees stand without a space."""
        return f"{number}{'' if self.unit in ('', '°') else ' '}{self.unit}"


class SliderDrag(ValueDrag):
    """The values of a tool's sliders while they are being set."""

    # Looking around, other frames, playback.
    passed_on = LOOKING | {"LEFT_ARROW", "RIGHT_ARROW", "SPACE", "TIMER", "TIMER_REPORT"}

    def __init__(
        self, title: str, sliders: tuple[Slider, ...], values: tuple[float, ...], *, x: float, ui_scale: float = 1.0
    ) -> None:
        """Start at the given stored values with the mouse at x."""
        self.title = title
        self.sliders = sliders
        self.active = 0
        self._values = list(values)
        # Where the mouse has brought each value, before snapping: it takes up from there when Ctrl is let go.
        self._reached = list(values)
        self._reach = [_widened(each.soft_limits, value) for each, value in zip(sliders, values, strict=True)]
        self._pixels_per_step = PIXELS_PER_STEP * ui_scale
        self._x = x
        self._typed = ""
        self._precise = False

    @property
    def values(self) -> tuple[float, ...]:
        """The present values as stored, in the order of the sliders."""
        return tuple(self._values)

    @property
    def state(self) -> tuple[tuple[float, ...], str]:
        """Values and what is said of them."""
        return self.values, self.values_text()

    def key(self, kind: str, character: str, *, is_shortcut: bool = False) -> None:
        """Go on to another value, or type one."""
        if kind in _SWITCH:
            self.switch(_SWITCH[kind])
        elif kind == "BACK_SPACE":
            self.erase()
        else:
            self.type(character)

    # The mouse

    def moved_to(self, x: float, _y: float = 0.0, *, precise: bool = False, snap: bool = False) -> None:
        """Follow the mouse; while a number is being typed the mouse has no effect."""
        travel = (x - self._x) / self._pixels_per_step
        self._x = x
        if self._typed:
            return
        self._precise = precise
        slider, low, high = self.sliders[self.active], *self._reach[self.active]
        moved = self._reached[self.active] + travel * slider.step / slider.scale * (PRECISE if precise else 1.0)
        # Held at the ends, so that the way back starts at once.
        self._reached[self.active] = value = min(max(moved, low), high)
        if snap:
            value = min(max(_snapped(value, slider, precise), low), high)
        self._values[self.active] = value

    # The keyboard

    def type(self, character: str) -> None:
        """Add a digit, a point or a comma; a minus turns the sign round. Anything else is ignored."""
        typed = typed_on(self._typed, character)
        self._typed = self._typed if typed is None else typed
        self._take_typed()

    def erase(self) -> None:
        """Take back the last character; with none left the mouse has its value back."""
        if self._typed:
            self._typed = self._typed[:-1]
            self._take_typed()

    def _take_typed(self) -> None:
        slider = self.sliders[self.active]
        number = typed_number(self._typed)
        value = self._reached[self.active] if number is None else number / slider.scale
        if number is not None:
            value = min(max(value, slider.limits[0]), slider.limits[1])
        self._values[self.active] = value

    def switch(self, by: int = 1) -> None:
        """Go on to another of the tool's values; a number that was typed stays."""
        if len(self.sliders) < 2:
            return
        value = self._reached[self.active] = self._values[self.active]
        self._reach[self.active] = _widened(self._reach[self.active], value)
        self.active = (self.active + by) % len(self.sliders)
        self._typed, self._precise = "", False

    # What is shown

    def values_text(self) -> str:
        """Title and values; of several, the one that the mouse changes is marked."""
        return "   ".join([self.title, *map(self._value_text, range(len(self.sliders)))])

    def keys_text(self) -> str:
        """Which keys do what."""
        return (_SWITCH_TEXT if len(self.sliders) > 1 else "") + KEYS_TEXT

    def _value_text(self, index: int) -> str:
        slider, active = self.sliders[index], index == self.active
        number = slider.shown(self._values[index], precise=active and self._precise)
        if active and self._typed:
            number = f"{self._typed}|"
        text = f"{slider.label or slider.name} {slider.with_unit(number)}"
        return f"[{text}]" if active and len(self.sliders) > 1 else text


def _snapped(value: float, slider: Slider, precise: bool) -> float:
    return snapped(value * slider.scale, slider.snap * (PRECISE if precise else 1.0)) / slider.scale


def _widened(limits: tuple[float, float], value: float) -> tuple[float, float]:
    """Limits that let a value stay where it is."""
    return min(limits[0], value), max(limits[1], value)

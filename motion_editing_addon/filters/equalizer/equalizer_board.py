"""The equalizer's board: where its sliders are and what mouse and keys do to them. Knows nothing of Blender's data."""

from __future__ import annotations

from dataclasses import dataclass

from ...interface.operators.value_drag import ENTER, PRECISE, Outcome, snapped

# All in pixels at a UI scale of 1, from the board's lower left corner.
COLUMN, LEFT, LEGEND = 52.0, 46.0, 112.0
FLOOR, TRACK, TOP = 34.0, 132.0, 44.0
HIGHEST_GAIN = 2.0
_SNAP, _WHEEL = 0.1, 0.05


@dataclass(frozen=True)
class Board:
    """A row of vertical sliders.

    Attributes:
        bands: How many.
    """

    bands: int

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return LEFT + self.bands * COLUMN + LEGEND, FLOOR + TRACK + TOP

    def middle_of(self, band: int) -> float:
        """Place across of a slider."""
        return LEFT + (band + 0.5) * COLUMN

    def height_of(self, gain: float) -> float:
        """Place up of a gain."""
        return FLOOR + TRACK * min(max(gain / HIGHEST_GAIN, 0.0), 1.0)

    def gain_at(self, y: float) -> float:
        """Gain at a place up."""
        return min(max((y - FLOOR) / TRACK, 0.0), 1.0) * HIGHEST_GAIN

    def contains(self, x: float, y: float) -> bool:
        """Whether a place is on the board."""
        return 0.0 <= x < self.size[0] and 0.0 <= y < self.size[1]

    def band_at(self, x: float, y: float) -> int | None:
        """The slider at a place."""
        number = int((x - LEFT) // COLUMN)
        return number if self.contains(x, y) and 0 <= number < self.bands else None


_MOVES = {"MOUSEMOVE", "INBETWEEN_MOUSEMOVE"}
# What goes on to Blender besides the mouse: other frames, playback, its own ticking.
_PASSED_ON = {"LEFT_ARROW", "RIGHT_ARROW", "UP_ARROW", "DOWN_ARROW", "SPACE", "NONE", "WINDOW_DEACTIVATE"}


class BoardDrag:
    """The gains while the equalizer is open."""

    def __init__(self, bands: int) -> None:
        """All gains at 1, nothing under the mouse."""
        self.board = Board(bands)
        self.gains = [1.0] * bands
        self.hovered: int | None = None
        self.grabbed: int | None = None
        self._pressed_gain = 1.0

    def take(self, kind: str, value: str, *, x: float, y: float, shift: bool = False, ctrl: bool = False) -> Outcome:
        """React to one event: Blender's names for its kind and value, and the mouse in the board's pixels."""
        if kind in _MOVES:
            return self._moved(x, y, shift, ctrl)
        if kind == "LEFTMOUSE":
            return self._button(value, x, y)
        if kind in {"WHEELUPMOUSE", "WHEELDOWNMOUSE"}:
            return self._wheel(1.0 if kind == "WHEELUPMOUSE" else -1.0, x, y)
        if value == "PRESS" and kind in ENTER:
            return Outcome.CONFIRMED
        if value == "PRESS" and kind == "ESC":
            return Outcome.CANCELLED
        return Outcome.PASSED_ON if _belongs_to_blender(kind) else Outcome.NOTHING

    def _moved(self, x: float, y: float, precise: bool, snap: bool) -> Outcome:
        if self.grabbed is None:
            self.hovered = self.board.band_at(x, y)
            return Outcome.PASSED_ON
        gain = self.board.gain_at(y)
        if precise:
            gain = self._pressed_gain + PRECISE * (gain - self._pressed_gain)
        self.gains[self.grabbed] = snapped(gain, _SNAP) if snap else gain
        return Outcome.NOTHING

    def _button(self, value: str, x: float, y: float) -> Outcome:
        if value == "RELEASE" and self.grabbed is not None:
            self.grabbed = None
            return Outcome.NOTHING
        band = self.board.band_at(x, y)
        if band is None:
            return Outcome.NOTHING if self.board.contains(x, y) else Outcome.PASSED_ON  # never to what lies below it
        if value == "DOUBLE_CLICK":
            self.gains[band] = 1.0
        elif value == "PRESS":
            self.grabbed, self._pressed_gain = band, self.gains[band]
            self._moved(x, y, False, False)
        return Outcome.NOTHING

    def _wheel(self, way: float, x: float, y: float) -> Outcome:
        band = self.board.band_at(x, y)
        if band is None:
            return Outcome.PASSED_ON
        self.gains[band] = min(max(self.gains[band] + way * _WHEEL, 0.0), HIGHEST_GAIN)
        return Outcome.NOTHING


def _belongs_to_blender(kind: str) -> bool:
    """The mouse goes on to Blender and so does looking at other frames; other keys could start another tool."""
    return kind in _PASSED_ON or "MOUSE" in kind or kind.startswith(("TIMER", "TRACKPAD", "NDOF", "EVT", "ACTIONZONE"))

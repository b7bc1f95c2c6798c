"""A drag along the frames, from the press of the button to its end; knows nothing of Blender."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...operators.value_drag import PRECISE, typed_number, typed_on

# Pixels at a UI scale of 1 that a click may tremble.
THRESHOLD = 3.0


@dataclass
class Drag:
    """What the mouse and keys mean for the frame of a dragged item.

    Attributes:
        start_frame: Where the item was.
        start_x: Pixel at which it was grabbed; it keeps its distance to the mouse.
        pixels_per_frame: Of the view.
        threshold: Pixels that count as a click still.
        can_move: If not, every release is a click.
    """

    start_frame: float
    start_x: float
    pixels_per_frame: float
    threshold: float = THRESHOLD
    can_move: bool = True
    moving: bool = False
    typed: str = ""
    frame: float = field(init=False)
    _offset: float = 0.0
    _last_x: float = field(init=False)

    def __post_init__(self) -> None:
        self.frame = self.start_frame
        self._last_x = self.start_x

    def moved_to(self, x: float, *, precise: bool = False, snap: bool = False) -> bool:
        """The mouse is at this pixel; True if the item has another frame than before.

        Args:
            x: Pixel across.
            precise: Move a tenth as far.
            snap: Stop at whole frames.
        """
        if not self.can_move or (not self.moving and abs(x - self.start_x) < self.threshold):
            return False
        self.moving = True
        share = PRECISE if precise else 1.0
        self._offset += share * (x - self._last_x) / self.pixels_per_frame
        self._last_x = x
        return self._take(snap=snap)

    def type_letter(self, letter: str) -> bool:
        """A digit, point or minus of an exact offset in frames; True if the item has another frame now."""
        typed = typed_on(self.typed, letter)
        if not self.can_move or typed is None:
            return False
        self.moving, self.typed = True, typed
        return self._take()

    def erase(self) -> bool:
        """Take back the last letter; without letters the mouse counts again."""
        self.typed = self.typed[:-1]
        return self._take()

    def _take(self, *, snap: bool = False) -> bool:
        before = self.frame
        # An unfinished number counts as nothing.
        offset = self._offset if not self.typed else typed_number(self.typed) or 0.0
        self.frame = self.start_frame + offset
        if snap and not self.typed:
            self.frame = float(round(self.frame))
        return self.frame != before

    @property
    def distance(self) -> float:
        """Frames that the item has moved."""
        return self.frame - self.start_frame

    @property
    def is_click(self) -> bool:
        """The button was let go without a movement."""
        return not self.moving

"""A menu of features that can be clicked, or dragged out and dropped; knows nothing of Blender."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

# Pixels at a UI scale of 1.
ENTRY, TITLE, PADDING, SIDE = 20.0, 22.0, 4.0, 10.0
LEAST_WIDTH = 120.0


class Outcome(Enum):
    """What the release of the button, or a key, means."""

    OPEN = "open"
    CLICKED = "clicked"
    DROPPED = "dropped"


@dataclass
class Popup:
    """A menu and what the mouse does with it. Places are pixels of the region.

    Attributes:
        title: What the menu is about.
        entries: Identifiers and labels, from the top down.
        left: Left edge.
        top: Upper edge.
        width: In pixels at a UI scale of 1.
        pixel: UI scale.
        hovered: Number of the entry under the mouse, or None.
        held: Number of the entry that the button was pressed on, or None.
        dragging: The held entry was dragged out of the menu.
        mouse: Where the mouse is.
    """

    title: str
    entries: tuple[tuple[str, str], ...]
    left: float
    top: float
    width: float = LEAST_WIDTH
    pixel: float = 1.0
    hovered: int | None = None
    held: int | None = None
    dragging: bool = False
    mouse: tuple[float, float] = field(default=(0.0, 0.0))

    @property
    def height(self) -> float:
        """In pixels at a UI scale of 1."""
        return TITLE + ENTRY * len(self.entries) + 2.0 * PADDING

    def kept_inside(self, region_width: float, region_height: float) -> None:
        """Move the menu into the region; where that is too small its upper left part is seen."""
        self.left = max(0.0, min(self.left, region_width - self.width * self.pixel))
        self.top = min(max(self.top, self.height * self.pixel), region_height)

    def raised_above(self, height: float, region_height: float) -> None:
        """Move the menu above a height if there is room: what lies below is seen, and entries can be dropped on it."""
        top = height + self.height * self.pixel
        if self.top < top <= region_height:
            self.top = top

    def contains(self, x: float, y: float) -> bool:
        """Whether a pixel is in the menu."""
        across, down = (x - self.left) / self.pixel, (self.top - y) / self.pixel
        return 0.0 <= across < self.width and 0.0 <= down < self.height

    def entry_at(self, x: float, y: float) -> int | None:
        """Number of the entry at a pixel."""
        number = int(((self.top - y) / self.pixel - PADDING - TITLE) // ENTRY)
        return number if self.contains(x, y) and 0 <= number < len(self.entries) else None

    def moved_to(self, x: float, y: float) -> None:
        """The mouse is at this pixel. A held entry is dragged as soon as it has left the menu."""
        self.mouse = (x, y)
        if self.held is not None and not self.contains(x, y):
            self.dragging = True
        self.hovered = None if self.dragging else self.entry_at(x, y)

    def pressed(self) -> bool:
        """The button is down; False if that was beside the menu, which closes it."""
        self.held = self.entry_at(*self.mouse)
        return self.contains(*self.mouse)

    def released(self) -> Outcome:
        """The button is up. Inside the menu the entry under the mouse counts, as in other menus."""
        if self.dragging:
            return Outcome.DROPPED
        chosen = None if self.held is None else self.hovered
        self.held = chosen
        return Outcome.OPEN if chosen is None else Outcome.CLICKED

    def step(self, by: int) -> None:
        """An arrow key: the next entry, from the last one to the first."""
        count = len(self.entries)
        start = self.hovered if self.hovered is not None else (-1 if by > 0 else count)
        self.hovered = (start + by) % count

    def confirmed(self) -> Outcome:
        """Enter: the entry that is lit."""
        self.held = self.hovered
        return Outcome.OPEN if self.held is None else Outcome.CLICKED

    @property
    def identifier(self) -> str:
        """Of the held entry."""
        return self.entries[self.held][0] if self.held is not None else ""

    @property
    def label(self) -> str:
        """Of the held entry."""
        return self.entries[self.held][1] if self.held is not None else ""

"""Pictures of the pose timeline: what lies behind, the figures that have room, what is under the mouse."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...interface.drawing.figures import PlacedFigure
from ...interface.drawing.shapes import Picture
from ...interface.drawing.theme import faded
from ...interface.strip.lane import Row
from .icon_data import IconPart, IconWindow, WindowKind
from .icon_figure import highlit_figure, icon_figure, tick_box
from .icon_geometry import HEADER, ROW, TICK_HALF, TICK_MIDDLE, IconGeometry
from .icon_ground import ground_picture, lit_end, lit_window, window_shapes

if TYPE_CHECKING:
    from ...interface.drawing.figures import Figure
    from ...interface.drawing.theme import Colour, Palette
    from .icon_data import IconItem, IconLaneData, PoseIcon

_ARRAYS = ("waveform_frames", "waveform_low", "waveform_high", "beats", "contact_times")
_PLAIN = ("rows", "windows", "selected", "preview")
_ICON_PLAIN = ("identifier", "frame", "rank", "row")
_ICON_LOOKS = ("points", "painted", "in_contact", "colliding")


class IconPicture:
    """All pictures of one state of the lane."""

    def __init__(self, data: IconLaneData, colours: Palette, before: IconPicture | None = None) -> None:
        """Take the lane apart.

        Args:
            data: What it shows.
            colours: Of the theme.
            before: The last state's pictures: figures that look the same are taken over with their batches.
        """
        self.data = data
        self.geometry = IconGeometry(data)
        self._colours = colours
        known = before if before is not None and before._colours == colours else None
        self._figures = self._made_figures(known)
        self._boxes: dict[bool, Figure] = (
            known._boxes if known else {ticked: self._tick_box(ticked) for ticked in (True, False)}
        )
        self._shown: dict[tuple[int, int], Picture] = {}
        self._highlights: dict[IconItem, Picture | None] = {}

    def shows(self, data: IconLaneData, colours: Palette) -> bool:
        """Whether this is the picture of the same state in the same colours."""
        return colours == self._colours and (data is self.data or _same(data, self.data))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The characters and the sound."""
        found = [self._row(number) for number in range(len(self.data.rows))]
        if self.geometry.sound_height:
            found.append(Row("Sound", self._colours.key_breakdown, 0.0, self.geometry.sound_height, over_content=True))
        return tuple(found)

    def _row(self, number: int) -> Row:
        previewed = self.data.preview and number == self.data.edited_row
        ink = self._colours.key_selected if previewed else faded(self._colours.text, 0.6)
        name = f"{self.data.rows[number].name}{' (preview)' if previewed else ''}"
        return Row(name, ink, self.geometry.row_bottom(number), ROW, over_content=True)

    @cached_property
    def ground(self) -> Picture:
        """Windows, contacts and sound; the same at every zoom."""
        return ground_picture(self.geometry, self._colours)

    def figures(self, zoom: float) -> Picture:
        """The figures and tick boxes that have room at a zoom, see `least_zooms`."""
        icons, ticks = self.geometry.icon_zooms <= zoom, self.geometry.tick_zooms <= zoom
        # Zooming in only adds: as many are always the same ones.
        counts = int(icons.sum()), int(ticks.sum())
        if counts not in self._shown:
            placed = [self._placed(int(number)) for number in np.flatnonzero(icons)]
            placed += [self._placed_box(int(number)) for number in np.flatnonzero(ticks)]
            self._shown[counts] = Picture(figures=tuple(placed))
        return self._shown[counts]

    def _placed(self, number: int) -> PlacedFigure:
        icon = self.data.icons[number]
        return PlacedFigure(self._figures[icon.identifier][2], (icon.frame, self.geometry.ground(icon)))

    def _placed_box(self, number: int) -> PlacedFigure:
        window = self.data.windows[number]
        return PlacedFigure(self._boxes[window.ticked], (window.start, self.geometry.header_bottom + 0.5 * HEADER))

    def _tick_box(self, ticked: bool) -> Figure:
        ground = self._colours.accent if ticked else faded(self._colours.back, 0.85)
        return tick_box(ticked, (TICK_MIDDLE, 0.0), TICK_HALF, ground, self._colours.text_strong)

    def _made_figures(self, before: IconPicture | None) -> dict[int, tuple[PoseIcon, Colour, Figure]]:
        """Every icon's figure with what it was made of."""
        known = before._figures if before and before.data.rows == self.data.rows else {}
        made = {}
        for icon in self.data.icons:
            ink, last = self._ink(icon), known.get(icon.identifier)
            if last is None or last[1] != ink or not _looks_the_same(last[0], icon):
                last = (icon, ink, icon_figure(icon, self.data.rows[icon.row], ink, self._colours))
            made[icon.identifier] = last
        return made

    def _ink(self, icon: PoseIcon) -> Colour:
        """Picked, in a window that the edit reaches, or neither."""
        if icon.identifier in self.data.selected:
            return self._colours.key_selected
        reached = icon.row == self.data.edited_row and any(
            window.start <= icon.frame <= window.end and window.reached for window in self.data.windows
        )
        return self._colours.text_strong if reached else faded(self._colours.text, 0.75)

    def highlight(self, item: IconItem) -> Picture | None:
        """What is under the mouse, stronger; None for the bare ground and what is gone."""
        if item not in self._highlights:
            self._highlights[item] = self._highlighted(item)
        return self._highlights[item]

    def _highlighted(self, item: IconItem) -> Picture | None:
        if item.part in (IconPart.ICON, IconPart.JOINT):
            number = self.geometry.numbers.get(item.number)
            return None if number is None else self._highlit_icon(number, item)
        if item.part is IconPart.ALL_WINDOWS:
            return self._all_lit(item.number)
        if not 0 <= item.number < len(self.data.windows):
            return None
        window = self.data.windows[item.number]
        lit = lit_end if item.part is IconPart.WINDOW_END else lit_window
        return Picture(lit(self.geometry, window, self._colours))

    def _all_lit(self, left_out: int) -> Picture | None:
        """Every window that an edit reaches, without the one that it comes from."""
        reached = [window for number, window in enumerate(self.data.windows) if number != left_out and window.reached]
        shapes = [shape for window in reached for shape in lit_window(self.geometry, window, self._colours)]
        return Picture(tuple(shapes)) if shapes else None

    def _highlit_icon(self, number: int, item: IconItem) -> Picture:
        icon, joint = self.data.icons[number], item.joint if item.part is IconPart.JOINT else None
        figure = highlit_figure(icon, self.data.rows[icon.row], joint, self._colours)
        return Picture(figures=(PlacedFigure(figure, (icon.frame, self.geometry.ground(icon))),))

    def new_window(self, start: float, end: float) -> Picture:
        """The operation window that is being dragged across the ground."""
        window = IconWindow(start, end, WindowKind.OPERATION)
        return Picture(window_shapes(self.geometry, window, self._colours))


def _same(one: IconLaneData, other: IconLaneData) -> bool:
    """Whether two states are equal; quicker than making the pictures anew."""
    return (
        all(getattr(one, name) == getattr(other, name) for name in _PLAIN)
        and len(one.icons) == len(other.icons)
        and all(map(_same_icon, one.icons, other.icons))
        and all(np.array_equal(getattr(one, name), getattr(other, name), True) for name in _ARRAYS)
    )


def _same_icon(one: PoseIcon, other: PoseIcon) -> bool:
    return one is other or (
        all(getattr(one, name) == getattr(other, name) for name in _ICON_PLAIN) and _looks_the_same(one, other)
    )


def _looks_the_same(one: PoseIcon, other: PoseIcon) -> bool:
    return one is other or (
        one.row == other.row and all(np.array_equal(getattr(one, name), getattr(other, name)) for name in _ICON_LOOKS)
    )

"""The lane of pose icons: the motion as a row of stick figures, with windows that are edited alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...interface.strip.lane import PicturedLane
from . import icon_data, icon_hits, icon_picture, icon_text

if TYPE_CHECKING:
    from bpy.types import Context

    from ...interface.drawing.shapes import Picture, Placement
    from ...interface.drawing.theme import Palette
    from ...interface.strip.lane import Row
    from .icon_data import IconItem, IconProvider


class IconLane(PicturedLane["icon_picture.IconPicture"]):
    """Stick figures at their frames over windows, contacts and sound (the pose timeline paper's Figure 1).

    Dragging a figure retimes its pose, a click on a joint paints it, dragging across the ground makes the
    operation window, dragging that window's end changes the duration, a click on a tick box says whether a
    window is edited, too, and a right click offers a window's features.
    """

    name = "icons"
    label = "Pose Timeline"
    order = 20
    least_share = 0.6
    menu_title = "Transfer Feature"
    menu_hint = "Click: Transfer to All    Drag: Transfer to One Window, or to All on the Empty Strip    Esc: Close"

    def __init__(self, provider: IconProvider) -> None:
        """Show what the provider edits."""
        self._provider = provider
        self._new_window: tuple[float, float] | None = None
        self._moves_icon = False
        self._paints = True

    def update(self, context: Context, colours: Palette) -> bool:
        """Ask the provider; pictures are made anew only where its data or the theme changed."""
        data = self._provider.data(context)
        if data is None or not data.rows:
            self._made = None
            return False

        if self._made is None or not self._made.shows(data, colours):
            self._made = icon_picture.IconPicture(data, colours, self._made)
        return True

    @property
    def height(self) -> float:
        """Headers, a row for every character, and the sound."""
        return self._picture.geometry.height

    def content(self) -> Picture:
        """Windows, contacts and sound."""
        return self._picture.ground

    def pictures(self, placement: Placement) -> tuple[Picture, ...]:
        """What lies behind, and the figures that have room."""
        return self._picture.ground, self._picture.figures(icon_hits.zoom_of(placement))

    def rows(self) -> tuple[Row, ...]:
        """Characters and sound."""
        return self._picture.rows

    def highlight(self, item: IconItem) -> Picture | None:
        """The figure, the joint or the window; or the window that is being made."""
        if self._new_window is not None:
            return self._picture.new_window(*self._new_window)
        return self._picture.highlight(self._moved(item))

    def hit(self, x: float, y: float, placement: Placement) -> IconItem:
        """What is under the mouse; everywhere in the lane at least its ground."""
        return icon_hits.item_at(self._picture.geometry, x, y, placement)

    def target(self, x: float, placement: Placement) -> IconItem | None:
        """The window under the mouse."""
        return icon_hits.window_at(self._picture.geometry, x, placement)

    def grabbed(self, item: icon_data.IconItem, frame: float) -> icon_data.IconItem:
        """On the ground and in windows a drag begins a new window."""
        return icon_data.IconItem(icon_data.IconPart.NEW_WINDOW, frame=frame) if self.is_ground(item) else item

    def frame_of(self, item: IconItem) -> float:
        """Where an icon or a window is; of a window that is being made the edge that is dragged."""
        if item.part in (icon_data.IconPart.ICON, icon_data.IconPart.JOINT):
            return self._picture.data.icons[self._picture.geometry.numbers[item.number]].frame
        if item.part in (icon_data.IconPart.NEW_WINDOW, icon_data.IconPart.GROUND):
            return item.frame
        window = self._picture.data.windows[item.number]
        return window.end if item.part is icon_data.IconPart.WINDOW_END else window.start

    def tooltip(self, item: IconItem) -> str:
        """Pose, joint or window with their frames."""
        if self._made is None:
            return ""
        if self._new_window is not None:
            return icon_text.new_window(*self._new_window)
        return icon_text.tooltip(self._picture.geometry, self._moved(item))

    def progress(self, item: IconItem, distance: float) -> str:
        """How far icons and ends have moved; a new window says itself how long it is."""
        return "" if item.part is icon_data.IconPart.NEW_WINDOW else super().progress(item, distance)

    def _moved(self, item: icon_data.IconItem) -> icon_data.IconItem:
        """What is spoken of: an icon that was grabbed at a joint moves as a whole."""
        return icon_data.IconItem(icon_data.IconPart.ICON, item.number) if self._moves_icon else item

    def hint(self, item: IconItem) -> str:
        """Dragging, painting, ticking, features."""
        return icon_text.hint(item)

    def is_ground(self, item: IconItem) -> bool:
        """Windows lie under everything."""
        return item.part in (icon_data.IconPart.GROUND, icon_data.IconPart.WINDOW)

    def can_drag(self, item: IconItem) -> bool:
        """Everything but tick boxes."""
        return item.part is not icon_data.IconPart.TICK_BOX

    def clicked(self, context: Context, item: IconItem) -> bool:
        """Paint a joint, turn over a tick."""
        if item.part is icon_data.IconPart.JOINT:
            self._provider.paint(context, item.number, item.joint)
        elif item.part is icon_data.IconPart.TICK_BOX:
            self._provider.toggle_window(context, item.number)
        else:
            return False
        return True

    def dragged(self, context: Context, item: IconItem, frame: float) -> None:
        """Show what would be."""
        if item.part is icon_data.IconPart.NEW_WINDOW:
            self._new_window = _whole_frames(item.frame, frame)
        else:
            self._drag(context, item, frame, final=False)

    def dropped(self, context: Context, item: IconItem, frame: float) -> bool | None:
        """Make the edit; True if an operator of the provider goes on with it."""
        self._new_window = None
        if item.part is icon_data.IconPart.NEW_WINDOW:
            return self._provider.set_window(context, *_whole_frames(item.frame, frame))
        return self._drag(context, item, frame, final=True)

    def _drag(self, context: Context, item: IconItem, frame: float, *, final: bool) -> bool | None:
        self._moves_icon = not final and item.part is not icon_data.IconPart.WINDOW_END
        if item.part is icon_data.IconPart.WINDOW_END:
            return self._provider.drag_window_end(context, item.number, frame, final=final)
        return self._provider.drag_icon(context, item.number, frame, final=final)

    def cancelled(self, context: Context) -> None:
        """Everything as before the drag."""
        self._new_window, self._moves_icon = None, False
        self._provider.cancel(context)

    def brush(self, item: IconItem) -> bool:
        """A stroke paints if it begins on a joint that is not painted, else it takes paint away."""
        self._paints = not self._is_painted(item)
        return item.part in (icon_data.IconPart.ICON, icon_data.IconPart.JOINT)

    def brushed(self, context: Context, item: IconItem) -> bool:
        """Paint a joint that the brush came over unless it has the stroke's state already."""
        if item.part is not icon_data.IconPart.JOINT or self._is_painted(item) == self._paints:
            return False
        self._provider.paint(context, item.number, item.joint)
        return True

    def _is_painted(self, item: IconItem) -> bool:
        number = self._picture.geometry.numbers.get(item.number)
        painted = () if number is None else self._picture.data.icons[number].painted
        return 0 <= item.joint < len(painted) and bool(painted[item.joint])

    def menu(self, context: Context, item: IconItem) -> tuple[tuple[str, str], ...]:
        """Features of a window."""
        return self._provider.menu(context, item.number)

    def everything(self, source: icon_data.IconItem) -> icon_data.IconItem:
        """All windows that a feature of the source would change."""
        return icon_data.IconItem(icon_data.IconPart.ALL_WINDOWS, source.number)

    def chosen(self, context: Context, identifier: str, source: IconItem, target: IconItem | None) -> bool | None:
        """Carry a feature from its window to another, or to all of them; True if an operator goes on with it."""
        return self._provider.drop(context, identifier, source.number, None if target is None else target.number)


def _whole_frames(one: float, other: float) -> tuple[float, float]:
    """First and last frame of a window between two edges, at least one frame long."""
    first, last = sorted((float(round(one)), float(round(other))))
    return first, max(last, first + 1.0)

"""The lane of staggered poses: every pose is a line through the refined times of its joints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...interface.strip.lane import PicturedLane
from . import stagger_picture
from .stagger_data import BoxItem, CandidateItem, StaggerItem

if TYPE_CHECKING:
    from bpy.types import Context

    from ...interface.drawing.shapes import Picture, Placement
    from ...interface.drawing.theme import Palette
    from ...interface.strip.lane import Row
    from .stagger_data import StaggerProvider


class StaggerLane(PicturedLane["stagger_picture.StaggerPicture"]):
    """Poses as lines, limbs as rows (the staggered poses paper's Figures 1 and 3).

    Dragging a line moves its pose, and all poses that are selected with it; dragging a dot moves one joint's knot. A
    click picks the pose, Shift picks more, and a right click tells what can be done.
    """

    name = "stagger"
    label = "Staggered Poses"
    order = 10
    least_share = 0.6
    menu_title = "Pose"

    def __init__(self, provider: StaggerProvider) -> None:
        """Show what the provider models."""
        self._provider = provider

    def update(self, context: Context, colours: Palette) -> bool:
        """Ask the provider; pictures are made anew only if its data or the theme changed."""
        data = self._provider.data(context)
        if data is None or not len(data.pose_frames) or not data.rows:
            self._made = None
            return False

        if self._made is None or not self._made.shows(data, colours):
            self._made = stagger_picture.StaggerPicture(data, colours)
        return True

    def note(self, context: Context) -> str:
        """The poses are away while one of them is edited."""
        return self._provider.note(context)

    @property
    def _is_fixed(self) -> bool:
        """Nothing can be changed now: a pose is being edited."""
        return self._made is not None and self._made.data.is_fixed

    @property
    def height(self) -> float:
        """All rows and the poses' names above them."""
        return self._picture.height

    def content(self) -> Picture:
        """Probability, lines, dots and names."""
        return self._picture.content

    def pictures(self, placement: Placement) -> tuple[Picture, ...]:
        """The lines, and figures of the poses that have room."""
        content = self.content()
        if not self._picture.data.icons:
            return (content,)
        return content, self._picture.icons(placement.scale[0] / placement.pixel)

    def rows(self) -> tuple[Row, ...]:
        """The limbs."""
        return self._picture.rows

    def highlight(self, item: StaggerItem) -> Picture | None:
        """The line and its dots, stronger."""
        return self._picture.highlight(item)

    def hit(self, x: float, y: float, placement: Placement) -> StaggerItem | CandidateItem | None:
        """The knot under the mouse, else the line."""
        return self._picture.hit(x, y, placement)

    def frame_of(self, item: StaggerItem) -> float:
        """Where a pose or a knot is."""
        return self._picture.data.frame_of(item)

    def tooltip(self, item: StaggerItem) -> str:
        """Pose and joint with their frames."""
        return self._picture.tooltip(item) if self._made else ""

    def hint(self, item: StaggerItem | CandidateItem | BoxItem) -> str:
        """Dragging and picking."""
        if isinstance(item, CandidateItem):
            return "Click: Show Pose"
        if isinstance(item, BoxItem) or self._is_fixed:
            return ""
        moved = "Pose" if item.joint is None else "One Bone"
        return f"Drag: Move {moved}    Click: Select Pose    Shift Click: Select More    Right Click: Menu"

    def can_drag(self, item: StaggerItem | CandidateItem) -> bool:
        """Poses that are shown, unless one of them is being edited."""
        return isinstance(item, StaggerItem) and not self._is_fixed

    def clicked(self, context: Context, item: StaggerItem | CandidateItem) -> bool:
        """Pick the pose, or show one that was not."""
        if self._is_fixed:
            return False
        if isinstance(item, CandidateItem):
            self._provider.promote(context, item.candidate)
        else:
            self._provider.pick(context, item.pose)
        return True

    def clicked_too(self, context: Context, item: StaggerItem | CandidateItem) -> bool:
        """Pick one pose more, or one less."""
        if isinstance(item, CandidateItem) or self._is_fixed:
            return self.clicked(context, item)
        self._provider.pick(context, item.pose, more=True)
        return True

    def box(self, first: float, last: float) -> BoxItem:
        """Poses can be framed."""
        return BoxItem(first, last)

    def boxed(self, context: Context, first: float, last: float) -> bool:
        """Pick the poses between two frames."""
        if self._is_fixed:
            return False
        self._provider.pick_between(context, first, last)
        return True

    def menu_source(self, item: StaggerItem | CandidateItem | None, _x: float, _placement: Placement) -> object:
        """A pose or one of its knots."""
        return item if isinstance(item, StaggerItem) and not self._is_fixed else None

    def menu(self, context: Context, source: StaggerItem) -> tuple[tuple[str, str], ...]:
        """What can be done with it."""
        return self._provider.menu(context, source)

    def chosen(self, context: Context, identifier: str, source: StaggerItem, _target: object) -> bool:
        """Do it; operators have undo steps of their own."""
        self._provider.chosen(context, identifier, source)
        return True

    def dragged(self, context: Context, item: StaggerItem, frame: float) -> None:
        """Move the pose or the knot for a preview."""
        self._move(context, item, frame, final=False)

    def dropped(self, context: Context, item: StaggerItem, frame: float) -> None:
        """Move the pose or the knot for good."""
        self._move(context, item, frame, final=True)

    def cancelled(self, context: Context) -> None:
        """Everything as before the drag."""
        self._provider.cancel(context)

    def _move(self, context: Context, item: StaggerItem, frame: float, *, final: bool) -> None:
        if item.joint is None:
            self._provider.drag_pose(context, item.pose, frame, final=final)
        else:
            self._provider.drag_knot(context, item.pose, item.joint, frame, final=final)

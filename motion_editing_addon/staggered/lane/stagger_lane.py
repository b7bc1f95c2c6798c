"""The lane of staggered poses: every pose is a line through the refined times of its joints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...interface.strip.lane import Lane
from . import stagger_picture

if TYPE_CHECKING:
    from bpy.types import Context

    from ...interface.drawing.shapes import Picture, Placement
    from ...interface.drawing.theme import Palette
    from ...interface.strip.lane import Row
    from .stagger_data import StaggerItem, StaggerProvider
    from .stagger_picture import StaggerPicture


class StaggerLane(Lane):
    """Poses as lines, limbs as rows (the staggered poses paper's Figures 1 and 3).

    Dragging a line moves its pose, dragging a dot moves one joint's knot, a click picks the pose.
    """

    name = "stagger"
    label = "Staggered Poses"
    order = 10
    least_share = 0.6

    def __init__(self, provider: StaggerProvider) -> None:
        """Show what the provider models."""
        self._provider = provider
        self._picture: StaggerPicture | None = None

    def update(self, context: Context, colours: Palette) -> bool:
        """Ask the provider; pictures are made anew only if its data or the theme changed."""
        data = self._provider.data(context)
        if data is None or not len(data.pose_frames) or not data.rows:
            self._picture = None
            return False

        if self._picture is None or not self._picture.shows(data, colours):
            self._picture = stagger_picture.StaggerPicture(data, colours)
        return True

    def note(self, context: Context) -> str:
        """The poses are away while one of them is edited."""
        return self._provider.note(context)

    @property
    def height(self) -> float:
        """All rows and the poses' names above them."""
        return self._picture.height

    def content(self) -> Picture:
        """Probability, lines, dots and names."""
        return self._picture.content

    def rows(self) -> tuple[Row, ...]:
        """The limbs."""
        return self._picture.rows

    def highlight(self, item: StaggerItem) -> Picture | None:
        """The line and its dots, stronger."""
        return self._picture.highlight(item)

    def hit(self, x: float, y: float, placement: Placement) -> StaggerItem | None:
        """The knot under the mouse, else the line."""
        return self._picture.hit(x, y, placement)

    def frame_of(self, item: StaggerItem) -> float:
        """Where a pose or a knot is."""
        return self._picture.data.frame_of(item)

    def tooltip(self, item: StaggerItem) -> str:
        """Pose and joint with their frames."""
        return self._picture.tooltip(item) if self._picture else ""

    def hint(self, item: StaggerItem) -> str:
        """Dragging and picking."""
        return f"Drag: Move {'Pose' if item.joint is None else 'One Bone'}    Click: Select Pose"

    def clicked(self, context: Context, item: StaggerItem) -> bool:
        """Pick the pose."""
        self._provider.pick(context, item.pose)
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

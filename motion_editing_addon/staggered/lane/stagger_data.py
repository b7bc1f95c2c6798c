"""What the stagger lane shows: plain numbers from whoever models the poses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from bpy.types import Context

    from ...interface.strip.limb_rows import LimbRow


class StaggerItem(NamedTuple):
    """What can be grabbed: a pose's line, or one knot on it."""

    pose: int
    joint: int | None = None


@dataclass(frozen=True, eq=False)
class StaggerLaneData:
    """Poses and their knots. Frames are those of the scene, with fractions.

    Attributes:
        pose_frames: (K,) the poses' own times.
        knot_frames: (K, J) refined time of every joint; NaN where a pose has no knot.
        joint_names: J names.
        rows: Limbs from the top down.
        joint_rows: (J,) row of each joint; -1 leaves a joint out.
        probability_frames: (F,) frames of the curve behind the lines; empty for none.
        probability: (F,) its values.
        selected_pose: Number of the pose that is picked, or None.
        pinned: (K,) poses that culling keeps; empty if none is.
        pose_labels: K names; empty stands for numbers from 1 on.
    """

    pose_frames: Any
    knot_frames: Any
    joint_names: tuple[str, ...]
    rows: tuple[LimbRow, ...]
    joint_rows: Any
    probability_frames: Any = ()
    probability: Any = ()
    selected_pose: int | None = None
    pinned: Any = ()
    pose_labels: tuple[str, ...] = field(default=())

    def label(self, pose: int) -> str:
        """A pose's name or number."""
        return self.pose_labels[pose] if self.pose_labels else str(pose + 1)

    def frame_of(self, item: StaggerItem) -> float:
        """Where a pose or a knot is."""
        if item.joint is None:
            return float(self.pose_frames[item.pose])
        return float(self.knot_frames[item.pose][item.joint])

    def has(self, item: StaggerItem) -> bool:
        """Whether the item is still there."""
        if not 0 <= item.pose < len(self.pose_frames):
            return False
        return item.joint is None or self.frame_of(item) == self.frame_of(item)  # NaN is not itself


class StaggerProvider(Protocol):
    """Who models the poses and edits them."""

    def data(self, context: Context) -> StaggerLaneData | None:
        """What to show for the active armature; None for nothing. Asked at every redraw: must be quick."""

    def note(self, context: Context) -> str:
        """Why there is nothing to show, where that needs a word."""

    def drag_pose(self, context: Context, pose: int, frame: float, *, final: bool) -> None:
        """A pose is dragged to a frame; `final` when it is let go."""

    def drag_knot(self, context: Context, pose: int, joint: int, frame: float, *, final: bool) -> None:
        """A joint's knot of a pose is dragged to a frame; `final` when it is let go."""

    def cancel(self, context: Context) -> None:
        """The drag was given up: everything as before it."""

    def pick(self, context: Context, pose: int) -> None:
        """A pose was clicked."""

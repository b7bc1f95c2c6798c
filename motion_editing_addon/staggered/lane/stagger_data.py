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


class CandidateItem(NamedTuple):
    """A pose that was found and is not shown, by its number among all that were found."""

    candidate: int


class BoxItem(NamedTuple):
    """A part of the lane that is being framed, between two frames."""

    first: float
    last: float


@dataclass(frozen=True, eq=False)
class StaggerLaneData:
    """Poses and their knots. Frames are those of the scene, with fractions.

    Attributes:
        pose_frames: (K,) the poses' own times.
        knot_frames: (K, J) refined time of every joint; NaN where a pose has no knot.
        joint_names: J names, of the shape keys of the face after those of the joints.
        shape_names: Names of those shape keys.
        rows: Limbs from the top down.
        joint_rows: (J,) row of each joint; -1 leaves a joint out.
        probability_frames: (F,) frames of the curve behind the lines; empty for none.
        probability: (F,) its values.
        selected_pose: Number of the pose that is picked, or None.
        chosen: (K,) poses that are selected; empty if none is.
        pinned: (K,) poses that culling keeps; empty if none is.
        candidate_frames: (H,) poses that were found and are not shown.
        candidates: (H,) their numbers among all that were found.
        icons: For each pose (S, 2, 2) lines of a small figure, about 1 high; empty for none.
        is_fixed: Nothing can be moved now.
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
    chosen: Any = ()
    pinned: Any = ()
    candidate_frames: Any = ()
    candidates: Any = ()
    icons: tuple[Any, ...] = ()
    is_fixed: bool = False
    pose_labels: tuple[str, ...] = field(default=())
    shape_names: tuple[str, ...] = ()

    def shape_of(self, joint: int | None) -> str:
        """The shape key that a column is; empty for joints."""
        first = len(self.joint_names) - len(self.shape_names)
        return "" if joint is None or joint < first else self.shape_names[joint - first]

    def label(self, pose: int) -> str:
        """A pose's name or number."""
        return self.pose_labels[pose] if self.pose_labels else str(pose + 1)

    def frame_of(self, item: StaggerItem | CandidateItem | BoxItem) -> float:
        """Where a pose or a knot is."""
        if isinstance(item, BoxItem):
            return item.last
        if isinstance(item, CandidateItem):
            return float(self.candidate_frames[list(self.candidates).index(item.candidate)])
        if item.joint is None:
            return float(self.pose_frames[item.pose])
        return float(self.knot_frames[item.pose][item.joint])

    def has(self, item: StaggerItem | CandidateItem | BoxItem) -> bool:
        """Whether the item is still there."""
        if isinstance(item, BoxItem):
            return True
        if isinstance(item, CandidateItem):
            return item.candidate in list(self.candidates)
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

    def pick(self, context: Context, pose: int, *, more: bool = False) -> None:
        """A pose was clicked; with Shift it is one more, or one less."""

    def pick_between(self, context: Context, first: float, last: float) -> None:
        """Poses between two frames were framed."""

    def promote(self, context: Context, candidate: int) -> None:
        """A pose that was found and is not shown was clicked."""

    def menu(self, context: Context, item: StaggerItem) -> tuple[tuple[str, str], ...]:
        """What a right click on a pose or a knot offers: identifiers and labels."""

    def chosen(self, context: Context, identifier: str, item: StaggerItem) -> None:
        """An entry of that menu was chosen."""

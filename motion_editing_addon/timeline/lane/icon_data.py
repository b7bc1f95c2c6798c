"""What the lane of pose icons shows: plain numbers from whoever edits the pose timeline."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from bpy.types import Context


class IconRow(NamedTuple):
    """A character's row of icons. All its icons have the same points.

    Attributes:
        name: The character's, shown at the left edge.
        point_names: P names, for tooltips: joints, and the ends of limbs.
        bones: Pairs of point numbers. A bone belongs to its first point, the joint that turns it:
            clicking the bone paints that joint, and the bone has that joint's colour.
        head: Number of the point around which a round head is drawn; None for no head.
    """

    name: str
    point_names: tuple[str, ...]
    bones: tuple[tuple[int, int], ...]
    head: int | None = None


@dataclass(frozen=True, eq=False)
class PoseIcon:
    """A stick figure at its frame.

    Attributes:
        identifier: What the provider knows the icon by: unique in the lane, the same while it is dragged.
        frame: Scene frame at which the pose is seen, with fractions.
        points: (P, 2) across and up; 1 is the height of the row, up is 0 at its foot, across is 0 at the frame.
            Most poses should stand between 0 and 1.
        rank: Place in the order of importance, 0 first: where icons would overlap the later ones are left out.
        row: Number of the character's row.
        painted: (P,) flags of the joints that edits are limited to; empty if none is.
        in_contact: (P,) flags of the points that are in contact; empty if none is.
        colliding: (P,) flags of the points that collide with the other character; empty if none does.
    """

    identifier: int
    frame: float
    points: Any
    rank: int = 0
    row: int = 0
    painted: Any = ()
    in_contact: Any = ()
    colliding: Any = ()


class IconPart(Enum):
    """What of the lane is under the mouse or is being made."""

    GROUND = "ground"
    WINDOW = "window"
    WINDOW_END = "window end"
    TICK_BOX = "tick box"
    ICON = "icon"
    JOINT = "joint"
    NEW_WINDOW = "new window"
    ALL_WINDOWS = "all windows"


class IconItem(NamedTuple):
    """A part with the icon's identifier or the window's number.

    Attributes:
        part: What it is.
        number: Of the icon or the window; of all windows the one that is left out.
        joint: Number of the point, for a joint.
        frame: Where a new window begins.
    """

    part: IconPart
    number: int = -1
    joint: int = -1
    frame: float = 0.0


class WindowKind(Enum):
    """What a window is to an edit."""

    OPERATION = "operation"
    PROPAGATION = "propagation"


class IconWindow(NamedTuple):
    """A time interval that is edited, in scene frames with fractions.

    Attributes:
        start: First frame.
        end: Last frame.
        kind: Where the user edits, or where the edit is repeated.
        ticked: The edit reaches this window; without meaning for the operation window.
        similarity: To the operation window, 0 to 1.
        label: A word in its header; empty for none.
    """

    start: float
    end: float
    kind: WindowKind = WindowKind.PROPAGATION
    ticked: bool = True
    similarity: float = 1.0
    label: str = ""

    @property
    def reached(self) -> bool:
        """Whether an edit changes what is in it."""
        return self.ticked or self.kind is WindowKind.OPERATION


@dataclass(frozen=True, eq=False)
class IconLaneData:
    """Icons, windows and sound. Frames are those of the scene, with fractions.

    Attributes:
        icons: In any order.
        rows: One for every character, from the top down; one or two. The last one is edited: windows are its own.
        windows: Known by their numbers, which stay the same during a drag.
        waveform_frames: (F,) increasing frames at which the sound is known; empty for no sound.
        waveform_low: (F,) lowest sample near each of them, -1 to 1.
        waveform_high: (F,) highest sample.
        beats: Frames of the beats.
        contact_times: Frames at which a contact begins.
        selected: Identifiers of the icons that are picked.
        preview: An edit is shown that is not made yet.
    """

    icons: tuple[PoseIcon, ...]
    rows: tuple[IconRow, ...]
    windows: tuple[IconWindow, ...] = ()
    waveform_frames: Any = ()
    waveform_low: Any = ()
    waveform_high: Any = ()
    beats: Any = ()
    contact_times: Any = ()
    selected: tuple[int, ...] = ()
    preview: bool = False

    @property
    def edited_row(self) -> int:
        """Number of the row that windows and previews are about."""
        return len(self.rows) - 1


class IconProvider(Protocol):
    """Who edits the pose timeline.

    `icon` is an icon's identifier, `window` a window's number. Refusals are MotionEditErrors. Each call
    with `final`, and each of the others but `data`, `menu` and `cancel`, ends in one undo step, which the
    strip pushes; those that give back True have started an operator that makes its own.
    """

    def data(self, context: Context) -> IconLaneData | None:
        """What to show; None for nothing. Asked at every redraw: quick, and the same object while nothing changed."""

    def set_window(self, context: Context, start: float, end: float) -> bool | None:
        """The user has dragged across the ground: this is the operation window now; start is before end."""

    def drag_window_end(self, context: Context, window: int, frame: float, *, final: bool) -> bool | None:
        """The end of the operation window is dragged to a frame; `final` when it is let go."""

    def drag_icon(self, context: Context, icon: int, frame: float, *, final: bool) -> bool | None:
        """A pose is dragged to a frame; `final` when it is let go."""

    def toggle_window(self, context: Context, window: int) -> None:
        """The tick box of a propagation window was clicked."""

    def paint(self, context: Context, icon: int, joint: int) -> None:
        """Turn over whether a point of the icon is painted: once for every point that a brush comes over."""

    def menu(self, context: Context, window: int) -> tuple[tuple[str, str], ...]:
        """Features that a window offers: identifier and label of each; empty for no menu."""

    def drop(self, context: Context, identifier: str, source_window: int, target_window: int | None) -> bool | None:
        """A feature of the source was dropped on a window; None stands for all that are ticked."""

    def cancel(self, context: Context) -> None:
        """The drag was given up: everything as before it."""

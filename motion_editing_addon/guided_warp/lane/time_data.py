"""What the time lane shows: plain numbers from whoever retimes the motion."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from bpy.types import Context


class KeyTime(NamedTuple):
    """A moment of the motion and when it shall happen, in frames of the scene with fractions.

    Attributes:
        old_frame: When it happens in the motion as it is.
        new_frame: When it shall happen.
        locked: The span from here to the next keytime keeps its length.
        is_end: The first or the last one: dragging it changes the length, and it cannot be removed.
        label: Its name; empty for none.
    """

    old_frame: float
    new_frame: float
    locked: bool = False
    is_end: bool = False
    label: str = ""


class Part(Enum):
    """What of a keytime is under the mouse."""

    NEW = "new"
    OLD = "old"
    SPAN = "span"
    EVENT = "event"
    PLOT = "plot"


class LaneSpan(NamedTuple):
    """Something that happens, in frames of the scene with fractions, and how it takes a new length.

    Attributes:
        old_start: When it began.
        old_end: When it ended.
        new_start: When it will begin.
        new_end: When it will end.
        kind: "PROTECTED", "ELASTIC" or "RHYTHMIC".
        name: What happens.
        beats: New frames at which a rhythm begins again.
    """

    old_start: float
    old_end: float
    new_start: float
    new_end: float
    kind: str
    name: str
    beats: tuple[float, ...] = ()

    @property
    def old_frames(self) -> float:
        """Frames that it took."""
        return self.old_end - self.old_start

    @property
    def new_frames(self) -> float:
        """Frames that it will take."""
        return self.new_end - self.new_start


class TimeItem(NamedTuple):
    """A keytime at its new or its old frame, the span from it to the next one, an event, or a frame of the plot."""

    keytime: int
    part: Part = Part.NEW


@dataclass(frozen=True, eq=False)
class TimeLaneData:
    """Keytimes and the time map between them. Frames are those of the scene, with fractions.

    Attributes:
        keytimes: From the first to the last, increasing in both frames.
        plot_frames: (F,) new frames at which the time map is known; empty for no plot.
        plot_speed: (F,) seconds of old time for a second of new time; above 1 the motion is faster
            than it was.
        map_old_frames: (F,) old frame that is seen at each of them.
        selected: Number of the keytime that is picked, and with it the span after it; or None.
        speed_limit: Speed that the warp keeps below; infinite for no limit.
        spans: What happens in the motion.
        plot_height: Of the plot, in pixels at a UI scale of 1.
    """

    keytimes: tuple[KeyTime, ...]
    plot_frames: Any = ()
    plot_speed: Any = ()
    map_old_frames: Any = ()
    selected: int | None = None
    speed_limit: float = float("inf")
    spans: tuple[LaneSpan, ...] = ()
    plot_height: float = 56.0

    def has(self, item: TimeItem) -> bool:
        """Whether the item is still there; the last keytime has no span."""
        if item.part is Part.EVENT:
            return 0 <= item.keytime < len(self.spans)
        if item.part is Part.PLOT:
            return len(self.plot_frames) > 0
        return 0 <= item.keytime < len(self.keytimes) - (item.part is Part.SPAN)

    def frame_of(self, item: TimeItem) -> float:
        """Where a keytime or a frame of the plot is, or the middle of a span."""
        if item.part is Part.PLOT:
            return float(item.keytime)
        if item.part is Part.EVENT:
            return 0.5 * (self.spans[item.keytime].new_start + self.spans[item.keytime].new_end)
        keytime = self.keytimes[item.keytime]
        if item.part is Part.OLD:
            return keytime.old_frame
        if item.part is Part.NEW:
            return keytime.new_frame
        return 0.5 * (keytime.new_frame + self.keytimes[item.keytime + 1].new_frame)

    def span_at(self, frame: float) -> int:
        """Number of the keytime before a new frame."""
        before = [number for number, keytime in enumerate(self.keytimes[:-1]) if keytime.new_frame <= frame]
        return before[-1] if before else 0

    def durations(self, span: int) -> tuple[float, float]:
        """Frames that a span took and will take."""
        first, last = self.keytimes[span : span + 2]
        return last.old_frame - first.old_frame, last.new_frame - first.new_frame


class TimeProvider(Protocol):
    """Who retimes the motion."""

    def data(self, context: Context) -> TimeLaneData | None:
        """What to show for the active armature; None for nothing. Asked at every redraw: must be quick."""

    def drag(self, context: Context, keytime: int, frame: float, *, final: bool) -> None:
        """A keytime is dragged to a new frame; `final` when it is let go."""

    def add(self, context: Context, frame: float) -> None:
        """A keytime is wanted for the moment that is seen at this new frame."""

    def remove(self, context: Context, keytime: int) -> None:
        """A keytime shall go; an end is refused with the reason."""

    def pick(self, context: Context, keytime: int) -> None:
        """A keytime was clicked, or the span after it."""

    def grab(self, context: Context, frame: float, to: float, *, final: bool) -> None:
        """The moment that is seen at a new frame is dragged to another; it gets a keytime when it is let go."""

    def toggle(self, context: Context, span: int) -> None:
        """An event was clicked: protect it, or not."""

    def cancel(self, context: Context) -> None:
        """The drag was given up: everything as before it."""

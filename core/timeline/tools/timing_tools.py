"""When windows and poses happen, as tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ... import analysis, timeline
from ...editing import BREAKDOWNS_IF_ASKED, SNAP, SOFTEN, Tool, choice, number, text, whole_number
from ...errors import MotionEditError
from .reference_options import EASE, NOT_SET, ReferenceTool

if TYPE_CHECKING:
    from ...editing import Change
    from ...motion import TimeMap
    from .windowed_take import WindowedTake


class StretchWindows(Tool):
    """Scale the duration of the operation window and all enabled windows"""

    verb: ClassVar[str] = "Retimed"
    is_measured: ClassVar[bool] = False
    needs_positions: ClassVar[bool] = True

    factor: float = number(
        1.2, "New duration as a factor of the old one", limits=(0.01, 100.0), soft_limits=(None, 4.0)
    )
    end_frame: float = number(
        NOT_SET, "Scene frame at which the window ends, instead of the factor", is_remembered=False
    )
    window: int = whole_number(-1, "Window that End Frame refers to; -1 is the operation window", limits=(-1, None))
    ease: float = EASE
    soften: bool = SOFTEN
    snap: bool = SNAP
    breakdowns: bool = BREAKDOWNS_IF_ASKED

    @property
    def unused(self) -> frozenset[str]:
        """Once the factor follows from a frame, it is the frame that is changed."""
        return frozenset({"end_frame", "window"} if self.end_frame == NOT_SET else {"factor"})

    def apply(self, take: WindowedTake) -> Change:
        """All edited windows longer or shorter by a factor."""
        windows, factor = take.windows, self.factor
        if self.end_frame != NOT_SET:
            factor = windows.factor_to(self.window, take.sample_at(self.end_frame))
        parts = [(each.start, each.end) for each in windows.edited()]
        return timeline.timing_change(take, timeline.stretch_map(take.motion, parts, factor, ease=self.ease))


class MovePose(Tool):
    """Retime a pose and its matches in all enabled windows"""

    verb: ClassVar[str] = "Retimed"
    is_measured: ClassVar[bool] = False
    needs_positions: ClassVar[bool] = True

    frame: float = number(NOT_SET, "Scene frame; the current one if not set")
    to_frame: float = number(NOT_SET, "New scene frame of the pose; 5 frames later if not set")
    ease: float = EASE
    soften: bool = SOFTEN
    snap: bool = SNAP
    breakdowns: bool = BREAKDOWNS_IF_ASKED

    def apply(self, take: WindowedTake) -> Change:
        """The pose at another frame, in all windows that it has its like in."""
        if NOT_SET in (self.frame, self.to_frame):
            raise MotionEditError("Give the pose's frame and the new frame at which it is seen")
        sample, target = take.sample_at(self.frame), take.sample_at(self.to_frame)
        return timeline.timing_change(take, timeline.moved_pose_map(take, sample, target, ease=self.ease))


class AlignWindows(ReferenceTool):
    """Match the enabled windows to the timing of the operation window"""

    verb: ClassVar[str] = "Retimed"

    ease: float = EASE
    soften: bool = SOFTEN
    snap: bool = SNAP
    breakdowns: bool = BREAKDOWNS_IF_ASKED

    @property
    def unused(self) -> frozenset[str]:
        """The timing is smooth by itself."""
        return super().unused | {"ease"}

    def apply(self, take: WindowedTake) -> Change:
        """Windows with the timing and duration of the reference."""
        return timeline.timing_change(take, self._time_map(take), whole_body=True)

    def _time_map(self, take: WindowedTake) -> TimeMap:
        windows, targets = take.windows, self.targets(take)
        if self.reference == "WINDOW":
            source = windows.numbered(self.source_window)
            seen = windows.seen_from(self.source_window, targets)
            own, _same = analysis.shared_features(take.motion, take.body, take.motion, positions=take.positions)
            operation = source.start, source.end
            return timeline.align_map(take.motion, operation, seen, features=own, amount=self.amount)
        reference = self.found(take)
        segment = reference.segment
        features = analysis.shared_features(
            take.motion,
            take.body,
            segment.motion,
            reference_body=reference.body,
            positions=take.positions,
            reference_positions=reference.positions,
        )
        parts, part = [(each.start, each.end) for each in targets], (segment.start, segment.end)
        return timeline.align_to_reference(
            take.motion, parts, segment.motion, part, features=features, amount=self.amount
        )


class SnapToBeats(Tool):
    """Move footfalls or the ends of windows to beats of a sound strip"""

    verb: ClassVar[str] = "Retimed"
    is_measured: ClassVar[bool] = False
    needs_positions: ClassVar[bool] = True
    # The timing is smooth by itself.
    unused: ClassVar[frozenset[str]] = frozenset({"ease"})

    events: str = choice(
        "CONTACTS",
        "Events to move to the beats",
        ("CONTACTS", "Footfalls", "When feet touch the ground"),
        ("WINDOWS", "Windows", "Starts and ends of the operation window and enabled windows"),
    )
    farthest: float = number(
        0.3, "Largest time in seconds that an event may be moved", limits=(0.01, None), soft_limits=(None, 2.0)
    )
    sound_strip: str = text("", "Name of the sound strip; the first one if empty", label="Sound")
    ease: float = EASE
    soften: bool = SOFTEN
    snap: bool = SNAP
    breakdowns: bool = BREAKDOWNS_IF_ASKED

    def apply(self, take: WindowedTake) -> Change:
        """Events on beats; what lies outside the motion is left out."""
        last = len(take.motion) - 1
        events = [each for each in self._events(take) if 0.0 <= each <= last]
        beats = take.beats(self.sound_strip)
        return timeline.timing_change(take, timeline.snap_map(take.motion, events, beats, farthest=self.farthest))

    def _events(self, take: WindowedTake) -> list[float]:
        if self.events == "WINDOWS":
            return [end for each in take.windows.edited() for end in (each.start, each.end)]
        falls: list[float] = take.samples_at(timeline.footfalls(take.motion, take.contacts)).tolist()
        return falls

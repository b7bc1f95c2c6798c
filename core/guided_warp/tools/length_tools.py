"""A part of a motion, or the motion at another rate, as tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ... import motion
from ...editing import Change, Tool, choice, number, switch
from ...errors import MotionEditError

if TYPE_CHECKING:
    from ...editing import Take

# Seconds that are left of a motion at least.
_SHORTEST = 1e-6


class TrimClip(Tool):
    """Keep a part of the motion and remove the rest"""

    verb: ClassVar[str] = "Trimmed"
    is_measured: ClassVar[bool] = False
    is_whole: ClassVar[bool] = True

    part: str = choice(
        "FROM",
        "Part of the motion to keep",
        ("FROM", "From Here On", "Keep the current frame and what comes after it"),
        ("UNTIL", "Until Here", "Keep the current frame and what comes before it"),
        ("RANGE", "Range", "Keep the frames of the range"),
    )
    to_start: bool = switch(False, "Move what is kept to where the motion began", label="Move to Start")

    def ends(self, take: Take) -> tuple[float, float]:
        """First and last second that are kept; a take of a range is kept whole.

        Raises:
            MotionEditError: Nothing, or a single frame, would be left.
        """
        first, last = float(take.motion.times[0]), float(take.motion.times[-1])
        if self.part == "FROM":
            first = max(first, take.time)
        if self.part == "UNTIL":
            last = min(last, take.time)
        if last - first < _SHORTEST:
            raise MotionEditError("Nothing would be left: move the current frame into the motion, or choose a range")
        return first, last

    def apply(self, take: Take) -> Change:
        """Show the part alone."""
        first, last = self.ends(take)
        offset = float(take.motion.times[0]) - first if self.to_start else 0.0
        time_map = motion.TimeMap.from_samples([first + offset, last + offset], [first, last])
        return Change(motion.Retimed(take.motion, time_map), time_map=time_map)


class ConformRate(Tool):
    """Resample the motion to the scene's frame rate, at its real speed"""

    verb: ClassVar[str] = "Conformed"
    is_measured: ClassVar[bool] = False
    is_whole: ClassVar[bool] = True

    rate: float = number(0.0, "Frames a second; the scene's frame rate if 0", label="New Rate", limits=(0.0, 1000.0))
    smooth: bool = switch(True, "Average samples that fall into one frame, against flicker", label="Anti-Alias")

    def apply(self, take: Take) -> Change:
        """Let a second of the motion have as many frames as a second of the scene.

        Raises:
            MotionEditError: The rates are the same, or none was given.
        """
        if not self.rate > 0.0:
            raise MotionEditError("Choose a rate above zero")
        share = take.motion.rate / self.rate
        if abs(share - 1.0) < 1e-6:
            raise MotionEditError(f"The motion has {self.rate:g} frames a second already")
        time_map = motion.TimeMap.scale(share, pivot=float(take.motion.times[0]))
        return Change(motion.Retimed(take.motion, time_map), time_map=time_map)

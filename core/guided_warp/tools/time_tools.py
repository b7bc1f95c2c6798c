"""Plain edits of time as tools: backward, earlier, later."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ... import motion
from ...editing import Change, Tool, Unit, choice, number
from ...errors import MotionEditError

if TYPE_CHECKING:
    from ...editing import Take
    from ...motion import Motion, TimeMap

# Seconds that a motion of one frame counts as when time runs in circles.
_SHORTEST = 1e-9


class ReverseTime(Tool):
    """Play the motion backward"""

    verb: ClassVar[str] = "Reversed"
    is_measured: ClassVar[bool] = False

    def apply(self, take: Take) -> Change:
        """Mirror time about the middle of the range."""
        time_map = motion.TimeMap.reverse(*_ends(take.motion))
        return Change(motion.Retimed(take.motion, time_map), time_map=time_map)


class ShiftTime(Tool):
    """Offset all keyframes in time"""

    verb: ClassVar[str] = "Shifted"
    is_measured: ClassVar[bool] = False

    offset: float = number(0.25, "Time offset in seconds; positive is later", unit=Unit.SECONDS)
    ends: str = choice(
        "HOLD",
        "What is shown where the keys have moved away",
        ("HOLD", "Hold", "Hold the first pose before the keys and the last one after them"),
        ("CYCLE", "Cycle", "Wrap around: what leaves at one end comes in at the other"),
    )

    def apply(self, take: Take) -> Change:
        """Move the keys, or let poses come in again at the other end."""
        if self.ends == "CYCLE":
            if not take.is_baked:
                raise MotionEditError("Cycle needs a key on every frame: use Convert Keys first, or Hold")
            return Change(take.changed(self._around(take.motion)).motion, time_map=self._once_around(take.motion))
        # Keys that somebody set stay on whole frames.
        frames = round(self.offset * take.motion.rate)
        time_map = motion.TimeMap.shift(self.offset if take.is_baked else frames / take.motion.rate)
        return Change(motion.Retimed(take.motion, time_map), time_map=time_map)

    def _around(self, before: Motion) -> Motion:
        """Show each frame the moment that lies the offset before it, round and round."""
        start, end = _ends(before)
        times = start + (before.times - self.offset - start) % max(end - start, _SHORTEST)
        return motion.with_times(before.at(times), before.times)

    def _once_around(self, before: Motion) -> TimeMap | None:
        """What goes with the motion comes in at the other end as well; a single frame has no timing."""
        start, end = _ends(before)
        if end <= start:
            return None
        around = motion.TimeMap.shift(self.offset, start=start, end=end, ends=motion.Ends.CYCLE)
        return around.compose(motion.TimeMap.identity(start, end, ends=motion.Ends.HOLD))


def _ends(of: Motion) -> tuple[float, float]:
    return float(of.times[0]), float(of.times[-1])

"""Moving in step with another motion as a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ... import analysis, guided_warp, motion
from ...editing import BREAKDOWNS, SNAP, SOFTEN, Change, Named, Tool, Unit, choice, number, text, whole_number
from ...errors import MotionEditError

if TYPE_CHECKING:
    from ..timing_limits import Keytime
    from .warp_tool import KeytimedTake


class Synchronize(Tool):
    """Retime the motion so that it moves in step with another"""

    verb: ClassVar[str] = "Synchronized"
    is_measured: ClassVar[bool] = False
    needs_positions: ClassVar[bool] = True
    is_whole: ClassVar[bool] = True

    reference_action: str = text("", "Action to use as the reference", label="Action", names=Named.ACTION)
    match: str = choice(
        "WHOLE",
        "What is brought into step",
        ("WHOLE", "Whole Body", "Show like poses at the same time"),
        ("CONTACTS", "Footfalls", "Touch the ground at the same time"),
        ("JOINTS", "Selected Bones", "Show like poses of the selected bones at the same time"),
    )
    influence: float = number(
        1.0, "Share of the way to being in step", limits=(0.0, 1.0), unit=Unit.FACTOR, drag=(1.0, 10.0)
    )
    speed_limit: int = whole_number(4, "Maximum playback speed factor", limits=(2, None), soft_limits=(None, 12))
    soften: bool = SOFTEN
    snap: bool = SNAP
    breakdowns: bool = BREAKDOWNS

    def apply(self, take: KeytimedTake) -> Change:
        """Match moments in order, and let what lies between them take its time."""
        pairs = [(old, old + self.influence * (new - old)) for old, new in self._pairs(take)]
        guide = guided_warp.guide_itself(
            take.motion, take.figure, spans=(), positions=take.positions, is_cyclic=take.is_cyclic
        )
        options = guided_warp.GuidedWarpOptions(speed_limit=max(self.speed_limit, 8.0))
        time_map = guided_warp.warp(guide, pairs, options).time_map
        if self.snap and len(take.key_times):
            held = [*take.key_times.tolist(), *(old for old, _new in pairs)]
            time_map = guided_warp.on_whole_frames(time_map, held, take.motion.rate)
        return Change(motion.Retimed(take.motion, time_map), time_map=time_map)

    def _pairs(self, take: KeytimedTake) -> list[Keytime]:
        """Old and new times of moments that are alike."""
        other, body, positions = take.other_action(self.reference_action)
        if self.match == "CONTACTS":
            return self._footfalls(take, other, body, positions)
        joints = take.picked_joints if self.match == "JOINTS" else None
        if joints is not None and not joints:
            raise MotionEditError("Select the bones that are to be in step, in pose mode")
        return guided_warp.aligned_keytimes(
            take.motion,
            take.figure,
            other,
            body,
            joints=joints,
            positions=take.positions,
            other_positions=positions,
            speed_limit=self.speed_limit,
        )

    def _footfalls(self, take: KeytimedTake, other: Any, body: Any, positions: Any) -> list[Keytime]:
        if take.figure is None or body is None:
            raise MotionEditError("Footfalls need two characters with feet; use Whole Body")
        own, theirs = (
            analysis.contacts.detect_contacts(*each[:2], positions=each[2])
            for each in ((take.motion, take.figure, take.positions), (other, body, positions))
        )
        named = bool(set(own.joints) & set(theirs.joints))
        first, last = float(take.motion.times[0]), float(take.motion.times[-1])
        shift = first - float(other.times[0])
        events = [_later(event, shift) for event in guided_warp.contact_events(theirs, named=named)]
        return guided_warp.keytimes_from_events(
            guided_warp.contact_events(own, named=named), events, start=first, end=last, speed_limit=self.speed_limit
        )


def _later(event: Any, shift: float) -> Any:
    return (event[0], event[1] + shift) if isinstance(event, tuple) else event + shift

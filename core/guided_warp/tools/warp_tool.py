"""Guided time warping as a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from ... import guided_warp, motion
from ...editing import BREAKDOWNS, SNAP, SOFTEN, Change, Tool, Unit, choice, number, switch, text, whole_number
from ...errors import MotionEditError

if TYPE_CHECKING:
    from ...body import Body
    from ...motion import Motion, TimeMap
    from ...numerics import Array
    from ..guides.guide import Guide
    from ..keytimes import Keytimes
    from ..options import Speeds, WarpResult
    from ..spans import TimeSpan

# Fewest frames that show how something moves.
_FEWEST = 3


class KeytimedTake(Protocol):
    """A take with keytimes."""

    motion: Motion

    @property
    def frames(self) -> Array:
        """(F,) frames of the motion, as its action counts them."""

    @property
    def positions(self) -> Array | None:
        """(F, J, 3) where joints are, if the motion alone does not tell."""

    @property
    def figure(self) -> Body | None:
        """The character's parts; None for a camera or a prop."""

    @property
    def has_keytimes(self) -> bool:
        """Whether any were set besides the ends."""

    @property
    def keytimes(self) -> Keytimes:
        """Those that were set, or the ends."""

    @property
    def speeds(self) -> Speeds:
        """Speeds that were set at keytimes."""

    @property
    def spans(self) -> tuple[TimeSpan, ...] | None:
        """What is protected, elastic and rhythmic; None to find it."""

    @property
    def is_cyclic(self) -> bool:
        """Whether the motion plays round and round."""

    @property
    def picked_joints(self) -> list[int]:
        """Joints that somebody picked."""

    @property
    def partner_guides(self) -> tuple[Guide, ...]:
        """Guides of other characters that are retimed along, in seconds of this one."""

    @property
    def key_times(self) -> Array:
        """(K,) seconds of keys that somebody set on whole frames; none where every frame has a key."""

    def other_action(self, name: str) -> tuple[Motion, Body | None, Array | None]:
        """Another action: its motion, the character's parts and where joints are."""


class WarpTime(Tool):
    """Retime the motion to a new length, preserving its dynamics"""

    verb: ClassVar[str] = "Retimed"
    sliders: ClassVar[tuple[str, ...]] = ("length", "influence")
    is_measured: ClassVar[bool] = False
    needs_positions: ClassVar[bool] = True

    use_keytimes: bool = switch(True, "Hit the keytimes of the strip instead of using Length")
    length: float = number(
        0.8,
        "New length as a factor of the present one, unless keytimes are set",
        limits=(0.05, None),
        soft_limits=(None, 3.0),
        unit=Unit.FACTOR,
        drag=(0.5, 5.0),
    )
    influence: float = number(
        1.0,
        "Preservation of the dynamics; 0 warps evenly between keytimes",
        limits=(0.0, 1.0),
        unit=Unit.FACTOR,
        drag=(1.0, 10.0),
    )
    smoothness: float = number(
        0.1, "Seconds over which speed changes are smoothed", limits=(0.0, None), soft_limits=(None, 1.0)
    )
    speed_limit: int = whole_number(4, "Maximum playback speed factor", limits=(2, None), soft_limits=(None, 12))
    reverse: bool = switch(False, "Retime the motion so that it runs backward", label="Play Backward")
    free_length: bool = switch(False, "Choose the length from the dynamics of the reference")
    soften: bool = SOFTEN
    snap: bool = SNAP
    breakdowns: bool = BREAKDOWNS
    reference: str = choice(
        "SELF",
        "Motion to use as the reference",
        ("SELF", "This Action", "Keep the motion's own dynamics"),
        ("RANGE", "Range of This Action", "Use the dynamics of some frames of this action"),
        ("ACTION", "Another Action", "Use the dynamics of another action of a similar armature"),
    )
    reference_action: str = text("", "Action to use as the reference", label="Action")
    reference_start: int = whole_number(1, "First frame of the reference", label="Start")
    reference_end: int = whole_number(50, "Last frame of the reference", label="End")
    keep_unlike: bool = switch(
        True, "Keep the timing of motion without a match in the reference", label="Keep Unlike Motion"
    )
    along: bool = switch(True, "Retime other selected objects with the same timing", label="Selected Objects")
    strips: bool = switch(False, "Retime selected video and sound strips too", label="Sequencer Strips")
    keytimes: str = text("", "Keytimes to hit, as an edit of the stack keeps them")
    spans: str = text("", "Protected and rhythmic spans, as an edit of the stack keeps them")
    keep_as: str = text("", "Save the time map under this name, to use it on others")

    @property
    def unused(self) -> frozenset[str]:
        """Length where keytimes are hit, and what is about another reference."""
        of_range = {"reference_start", "reference_end", "keep_unlike"}
        unused = set() if self.reference == "RANGE" else of_range
        unused |= set() if self.reference == "ACTION" else {"reference_action"}
        # What an edit keeps is changed on the strip.
        return frozenset(unused | {"keytimes", "spans"} | ({"length"} if self.use_keytimes else set()))

    def apply(self, take: KeytimedTake) -> Change:
        """Hit the keytimes, or the length, with as much of the reference's dynamics as can be."""
        keytimes, speeds = self.hit(take)
        result = self.warp(take, keytimes, speeds)
        time_map = self.on_frames(take, keytimes, result)
        return Change(motion.Retimed(take.motion, time_map), time_map=time_map, found=result.fates)

    def hit(self, take: KeytimedTake) -> tuple[Keytimes, Speeds]:
        """The keytimes to hit, and speeds there; ends that give the length where there are none."""
        if self.use_keytimes and self.keytimes:
            return guided_warp.Keytimes.from_text(self.keytimes, take.motion.rate)
        if self.use_keytimes and take.has_keytimes:
            return take.keytimes, take.speeds
        return self._lengthened(take), ()

    def warp(self, take: KeytimedTake, keytimes: Keytimes, speeds: Speeds = ()) -> WarpResult:
        """The timing that hits keytimes, whatever the length says, and what becomes of spans."""
        options = guided_warp.GuidedWarpOptions(
            influence=self.influence,
            smoothness=self.smoothness,
            speed_limit=self.speed_limit,
            free_length=self.free_length,
            speeds=speeds[::-1] if self.reverse else speeds,
        )
        pairs, guide = _within(take.motion, keytimes), self._guide(take, keytimes)
        return guided_warp.warp(guide, _mirrored(pairs) if self.reverse else pairs, options)

    def on_frames(self, take: KeytimedTake, keytimes: Keytimes, result: WarpResult) -> TimeMap:
        """The same timing with sparse keys, or what is kept, on whole frames; keytimes are hit all the same."""
        inner = keytimes.old[1:-1].tolist()
        if not self.snap:
            return result.time_map
        if not len(take.key_times):
            return guided_warp.with_kept_frames(result.time_map, result.fates, inner, take.motion.rate)
        return guided_warp.on_whole_frames(result.time_map, [*take.key_times.tolist(), *inner], take.motion.rate)

    def _guide(self, take: KeytimedTake, keytimes: Keytimes) -> Guide:
        """What does not depend on new times; kept with the motion."""
        known: dict[str, Any] = {"positions": take.positions, "is_cyclic": take.is_cyclic}
        locked = keytimes.locked_spans()
        if self.reference == "SELF":
            spans = take.spans
            if spans is None:
                spans = guided_warp.find_spans(take.motion, take.figure, **known)
            own = guided_warp.guide_itself(take.motion, take.figure, spans=(*spans, *locked), **known)
            return guided_warp.merged_guide(own, take.partner_guides)
        reference = self._reference(take)
        return guided_warp.guide_by(
            reference.pop("reference"),
            take.motion,
            take.figure,
            spans=(*(span for span in take.spans or () if span.is_kept), *locked),
            keep_unlike=self.keep_unlike and self.reference == "RANGE",
            **known,
            **reference,
        )

    def _lengthened(self, take: KeytimedTake) -> Keytimes:
        """A whole number of frames, so that the last key lies on one."""
        keytimes, rate = take.keytimes, take.motion.rate
        present = float(keytimes.old[-1] - keytimes.old[0])
        return keytimes.with_length(max(1, round(self.length * present * rate)) / rate)

    def _reference(self, take: KeytimedTake) -> dict[str, Any]:
        if self.reference == "SELF":
            return {}
        if self.reference == "ACTION":
            other, body, positions = take.other_action(self.reference_action)
            return {"reference": other, "reference_body": body, "reference_positions": positions}
        inside = (take.frames >= self.reference_start) & (take.frames <= self.reference_end)
        if inside.sum() < _FEWEST:
            frames = f"{self.reference_start} to {self.reference_end}"
            raise MotionEditError(f"The reference range {frames} has fewer than {_FEWEST} frames")
        first, last = int(inside.argmax()), len(inside) - int(inside[::-1].argmax())
        part, positions = take.motion.fact(
            ("part", first, last), lambda: _part(take, first, last), positions=take.positions
        )
        return {"reference": part, "reference_body": take.figure, "reference_positions": positions}


def _part(take: KeytimedTake, first: int, last: int) -> tuple[Motion, Array | None]:
    """Some frames of a take, and where joints are in them."""
    return take.motion.part(first, last), None if take.positions is None else take.positions[first:last]


def _mirrored(pairs: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The same spans, the last one first, between the same new ends."""
    first, last = pairs[0][1], pairs[-1][1]
    return [(old, first + last - new) for old, new in reversed(pairs)]


def _within(of: Motion, keytimes: Keytimes) -> list[tuple[float, float]]:
    """Old and new times; the ends are whole frames, and a motion whose keys lie between frames ends before them."""
    first, last = float(of.times[0]), float(of.times[-1])
    frame = 1.0 / of.rate
    return [
        (min(max(old, first), last) if first - frame < old < last + frame else old, new)
        for old, new in keytimes.pairs()
    ]

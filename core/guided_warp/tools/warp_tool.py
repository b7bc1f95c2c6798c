"""Guided time warping as a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from ... import guided_warp, motion
from ...editing import BREAKDOWNS, SOFTEN, Change, Tool, Unit, choice, number, switch, text, whole_number
from ...errors import MotionEditError

if TYPE_CHECKING:
    from ...body import Body
    from ...motion import Motion, TimeMap
    from ...numerics import Array
    from ..keytimes import Keytimes
    from ..options import Speeds

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
    free_length: bool = switch(False, "Choose the length from the dynamics of the reference")
    soften: bool = SOFTEN
    snap: bool = switch(False, "Put sparse keys on whole frames", label="Snap Keys")
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
    keep_as: str = text("", "Save the time map under this name, to use it on others")

    @property
    def unused(self) -> frozenset[str]:
        """Length where keytimes are hit, and what is about another reference."""
        of_range = {"reference_start", "reference_end", "keep_unlike"}
        unused = set() if self.reference == "RANGE" else of_range
        unused |= set() if self.reference == "ACTION" else {"reference_action"}
        return frozenset(unused | ({"length"} if self.use_keytimes else set()))

    def apply(self, take: KeytimedTake) -> Change:
        """Hit the keytimes, or the length, with as much of the reference's dynamics as can be."""
        if self.use_keytimes and take.has_keytimes:
            time_map = self.time_map(take, take.keytimes, take.speeds)
        else:
            time_map = self.time_map(take, self._lengthened(take))
        return Change(motion.Retimed(take.motion, time_map), time_map=time_map)

    def time_map(self, take: KeytimedTake, keytimes: Keytimes, speeds: Speeds = ()) -> TimeMap:
        """The timing that hits keytimes, whatever the length says."""
        options = guided_warp.GuidedWarpOptions(
            influence=self.influence,
            smoothness=self.smoothness,
            speed_limit=self.speed_limit,
            free_length=self.free_length,
            keep_unlike=self.keep_unlike and self.reference == "RANGE",
            speeds=speeds,
        )
        pairs, reference = _within(take.motion, keytimes), self._reference(take)
        return guided_warp.guided_warp(
            take.motion, take.figure, pairs, options=options, positions=take.positions, **reference
        ).time_map

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
        positions = None if take.positions is None else take.positions[first:last]
        part = take.motion.part(first, last)
        return {"reference": part, "reference_body": take.figure, "reference_positions": positions}


def _within(of: Motion, keytimes: Keytimes) -> list[tuple[float, float]]:
    """Old and new times; the ends are whole frames, and a motion whose keys lie between frames ends before them."""
    first, last = float(of.times[0]), float(of.times[-1])
    frame = 1.0 / of.rate
    return [
        (min(max(old, first), last) if first - frame < old < last + frame else old, new)
        for old, new in keytimes.pairs()
    ]

"""What is made of one motion: bridged gaps, mirror images and loops, as tools."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from .. import blending, editing
from ..editing import KEEP_CONTACTS, KEEP_FLOOR, Change, Tool, Unit, choice, number, switch

if TYPE_CHECKING:
    from ..editing import Take


class BridgeGap(Tool):
    """Interpolate over the range from its first pose to its last"""

    verb: ClassVar[str] = "Bridged"
    needs_positions: ClassVar[bool] = True

    carry: bool = switch(False, "Move what follows, so that the character keeps its speed", label="Carry the Rest")
    keep_contacts: bool = KEEP_CONTACTS
    keep_floor: bool = KEEP_FLOOR
    # First and last row of the gap in the take, which has motion before and after it.
    gap: tuple[int, int] = (0, 0)

    @property
    def carries(self) -> bool:
        """All that follows is carried on as one."""
        return self.carry

    def apply(self, take: Take) -> Change:
        """Poses filled in, all that follows carried on if that is wanted."""
        (first, last), motion = self.gap, take.carried if self.carry else take.motion
        if self.carry:
            parts = motion.part(0, first + 1), motion.part(last, len(motion))
            after = blending.bridge(*parts, take.body, gap=(last - first) / motion.rate).motion
        else:
            after = editing.filled_between(motion, first, last, take.joints)
        kept = {"keep_contacts": self.keep_contacts, "keep_floor": self.keep_floor}
        return take.restaged(after, first=first, last=last, **kept)


class MirrorMotion(Tool):
    """Swap left and right, for all bones or the selected ones"""

    verb: ClassVar[str] = "Mirrored"
    needs_positions: ClassVar[bool] = True

    about: str = choice(
        "HEADING",
        "Location and heading of the mirrored character",
        ("HEADING", "Heading", "Start at the same location with the same heading"),
        ("START", "Start", "Start at the same location; directions mirror about the rest pose"),
        ("REST", "Rest Pose", "Mirror locations and directions about the rest pose"),
    )
    keep_contacts: bool = KEEP_CONTACTS
    keep_floor: bool = KEEP_FLOOR

    @property
    def carries(self) -> bool:
        """The mirrored figure is carried to its place as one."""
        return self.about != "REST"

    def apply(self, take: Take) -> Change:
        """The motion seen in a mirror."""
        motion = take.carried if self.carries else take.motion
        after = editing.mirrored(motion, take.body, about=editing.MirrorAbout[self.about])
        # Where both sides are alike feet stand as they did: nothing has to be kept.
        is_even = take.is_figure and not take.is_picked and editing.sides_are_even(motion, after, take.body)
        kept = {"keep_contacts": self.keep_contacts and not is_even, "keep_floor": self.keep_floor and not is_even}
        return replace(take.restaged(after, **kept), partner=take.body.mirror)


class MakeLoop(Tool):
    """Make part of the action repeat seamlessly, in a new action"""

    verb: ClassVar[str] = "Looped"
    is_whole: ClassVar[bool] = True
    needs_positions: ClassVar[bool] = True
    carries: ClassVar[bool] = True

    automatic: bool = switch(True, "Find the part of the range that loops best", label="Find Ends")
    shortest: float = number(
        0.5,
        "Shortest loop to find, in seconds",
        limits=(0.05, None),
        soft_limits=(None, 5.0),
        unit=Unit.SECONDS,
    )
    travel: str = choice(
        "KEEP",
        "What happens to the root motion",
        ("KEEP", "Keep", "Start every cycle where the last one ended"),
        ("CLOSE", "Close", "Remove drift and turn gradually, so that it ends where it starts"),
        ("IN_PLACE", "In Place", "Keep the character where it starts"),
    )
    reach: float = number(
        0.0,
        "Seconds from each end to blend over; 0 is half of the loop",
        limits=(0.0, None),
        soft_limits=(None, 2.0),
        unit=Unit.SECONDS,
    )
    cycles: bool = switch(False, "Repeat the curves endlessly with Cycles modifiers", label="Cycles Modifier")
    keep_contacts: bool = KEEP_CONTACTS
    keep_floor: bool = KEEP_FLOOR

    @property
    def unused(self) -> frozenset[str]:
        """The shortest loop, unless one is looked for."""
        return frozenset() if self.automatic else frozenset({"shortest"})

    def apply(self, take: Take) -> Change:
        """Find and close the loop; what it found is a `Loop`."""
        ends: dict[str, Any] = {} if self.automatic else {"start": 0, "end": len(take.motion) - 1}
        travel, reach = blending.Travel[self.travel], self.reach or None
        found = blending.loop(take.carried, take.body, travel=travel, reach=reach, shortest=self.shortest, **ends)
        change = take.restaged(found.motion, keep_contacts=self.keep_contacts, keep_floor=self.keep_floor)
        return replace(change, found=found)

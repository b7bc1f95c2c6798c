"""Locking feet as a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from .. import solve
from ..editing import Change, Tool, Unit, number, switch

if TYPE_CHECKING:
    from ..editing import Take


class LockFeet(Tool):
    """Pin planted feet in place with leg IK to stop foot sliding"""

    verb: ClassVar[str] = "Locked"
    is_whole: ClassVar[bool] = True
    needs_positions: ClassVar[bool] = True

    selected: bool = switch(False, "Lock only limbs with a selected bone", label="Selected Limbs")
    fade: float = number(
        0.1,
        "Seconds beside a contact over which its correction fades out",
        limits=(0.0, None),
        soft_limits=(None, 0.5),
        unit=Unit.SECONDS,
    )
    lowering: float = number(
        0.1,
        "How far the root may go down to reach contacts, in body heights",
        limits=(0.0, 1.0),
        soft_limits=(None, 0.3),
        unit=Unit.FACTOR,
    )
    # Body heights within which a foot stands still, and which end of the motion must keep its pose.
    still: float = 1e-5
    ends_stay: tuple[bool, bool] = (False, False)

    def _own_seconds_around(self) -> float:
        return 2.0 + self.fade

    def apply(self, take: Take) -> Change:
        """Let what is in contact stand at one place for each contact; what it found is a `LockReport`."""
        shown = take.shown
        locked, report = solve.contact_lock.lock_feet(
            shown.motion,
            shown.body,
            shown.contacts,
            fade=self.fade,
            giving=self.lowering,
            still=self.still,
            ends_stay=self.ends_stay,
        )
        return Change(take.laid(take.motion, locked), holds_contacts=True, found=report)

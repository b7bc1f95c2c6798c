"""What an edit did to a take."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import motion

if TYPE_CHECKING:
    from ..motion import Indices, Mask, Motion, Retimed, TimeMap


@dataclass(frozen=True)
class Change:
    """A new motion and what is known about it.

    Attributes:
        motion: As it is now. Of one that is only retimed keys move instead of getting other values.
        holds_contacts: Whether feet and hands in contact were held in place.
        stays_above: Whether nothing may end below the floor.
        has_new_contacts: Whether feet stand elsewhere, or at other times, than in the take.
        time_map: From new to old seconds; None where the timing stayed.
        partner: (J,) the joint whose motion each has now; None where sides stayed.
        joints: (J,) joints whose channels have the new timing; those of the take if None.
        led: (J,) joints that go along their paths with the new timing besides; None if there are none.
        found: What the tool looked for and found, for its report.
    """

    motion: "Motion | Retimed"
    holds_contacts: bool = False
    stays_above: bool = False
    has_new_contacts: bool = False
    time_map: "TimeMap | None" = None
    partner: "Indices | None" = None
    joints: "Mask | None" = None
    led: "Mask | None" = None
    found: Any = None

    @property
    def whole(self) -> "Motion":
        """All frames of the motion, worked out."""
        return self.motion.whole() if isinstance(self.motion, motion.Retimed) else self.motion

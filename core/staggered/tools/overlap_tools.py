"""Overlap for everyday use: bones in a row, without poses, as tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ... import staggered
from ...editing import KEEP_CONTACTS_TEXT, Tool, Unit, number, switch

if TYPE_CHECKING:
    from ...editing import Change, Take

_OVERLAP = "Seconds that each bone follows the one above it"
_SECONDS: dict[str, Any] = {"precision": 3, "drag": (0.002, 0.01), "drag_unit": Unit.SECONDS}


class Overlap(Tool):
    """Delay each selected bone behind the selected bones above it"""

    verb: ClassVar[str] = "Overlapped"
    sliders: ClassVar[tuple[str, ...]] = ("overlap",)

    overlap: float = number(0.08, _OVERLAP, soft_limits=(-0.3, 0.3), **_SECONDS)
    keep_contacts: bool = switch(True, KEEP_CONTACTS_TEXT, key="C")

    def apply(self, take: Take) -> Change:
        """Late by depth."""
        depths = staggered.depths_in_take(take, keep_contacts=self.keep_contacts)
        after = staggered.delayed(take.motion, depths, self.overlap, seam=take.seam)
        return take.changed(after, keep_contacts=self.keep_contacts and _stands(take))


def _stands(take: Take) -> bool:
    """Whether it is a figure with feet; a tail alone stands on nothing."""
    return bool(take.body.feet)

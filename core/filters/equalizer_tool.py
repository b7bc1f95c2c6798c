"""The equalizer as a tool."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from .. import filters
from ..editing import KEEP_CONTACTS, KEEP_FLOOR, Tool, numbers

if TYPE_CHECKING:
    from ..editing import Change, Take

# As many bands as 120 frames a second allow.
MOST_BANDS = 10
# Waves of the slowest band that have a say in a moment.
_WAVES = 2.0


class Equalize(Tool):
    """Scale the strength of each frequency band of the motion"""

    verb: ClassVar[str] = "Equalized"

    gains: tuple[float, ...] = numbers(
        (1.0,) * MOST_BANDS,
        "Factor of each band, slowest first; 1 changes nothing, 0 removes it",
        limits=(0.0, 10.0),
        soft_limits=(None, 2.0),
        precision=2,
        is_remembered=False,
    )
    keep_contacts: bool = KEEP_CONTACTS
    keep_floor: bool = KEEP_FLOOR

    def apply(self, take: Take) -> Change:
        """Every band times its gain; gains for more bands than there are do not count."""
        cutoffs = filters.cutoffs_of(take.motion)
        wanted = list(self.gains)[: len(cutoffs) + 1]
        slowest = _WAVES / min(cutoffs) if cutoffs else 0.0
        gained = partial(filters.equalized, gains=wanted[::-1], cutoffs=cutoffs[::-1], joints=take.joints)
        after = take.filtered(gained, slowest)
        return take.changed(after, keep_contacts=self.keep_contacts, keep_floor=self.keep_floor)

"""Repairing flaws as a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from .. import cleaning
from ..editing import Change, Tool, choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..analysis.flaws import Flaw


class RepairFlaws(Tool):
    """Repair the listed flaws"""

    verb: ClassVar[str] = "Repaired"

    which: str = choice(
        "ALL",
        "Flaws of the list to repair",
        ("ALL", "All", "All flaws of the list"),
        ("TICKED", "Enabled", "Flaws enabled in the list"),
        ("ACTIVE", "Active", "Active flaw of the list"),
    )

    def apply(self, take: Any) -> Change:
        """Put right what a take of a list of flaws has chosen; `found` are those that had better be left."""
        flaws: Sequence[Flaw] = take.flaws(self.which)
        motion, left = cleaning.mended(take, flaws, tolerance=take.tolerance)
        return Change(motion, found=left)

"""Removing outliers as a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from .. import cleaning
from ..editing import KEEP_CONTACTS, KEEP_FLOOR, Tool, Unit, choice, whole_number

if TYPE_CHECKING:
    from ..editing import Change, Take
    from ..motion import Motion

# Of the neighbours, how many of the farthest a trimmed mean leaves out.
_DROPPED = 2


class RemoveOutliers(Tool):
    """Replace each pose with the median of its neighbours"""

    verb: ClassVar[str] = "Cleaned"
    sliders: ClassVar[tuple[str, ...]] = ("radius",)

    kind: str = choice(
        "MEDIAN",
        "How the new pose is computed",
        ("MEDIAN", "Median", "Pose in the middle of its neighbours, keeping sharp edges"),
        ("TRIMMED", "Trimmed Mean", "Average of the neighbours without the two farthest, smoother"),
        label="Method",
    )
    radius: int = whole_number(
        2, "Frames on each side", limits=(0, 100), soft_limits=(None, 20), unit=Unit.FRAMES, drag=(1, 5)
    )
    keep_contacts: bool = KEEP_CONTACTS
    keep_floor: bool = KEEP_FLOOR

    def apply(self, take: Take) -> Change:
        """Medians or trimmed means."""
        after = take.filtered(lambda motion: self._cleaned(motion, take.joints), self.radius / take.motion.rate)
        return take.changed(after, keep_contacts=self.keep_contacts, keep_floor=self.keep_floor)

    def _cleaned(self, motion: Motion, joints: Any) -> Motion:
        if self.kind == "MEDIAN":
            return cleaning.median_filtered(motion, radius=self.radius, joints=joints)
        return cleaning.trimmed_mean(motion, radius=self.radius, dropped=min(_DROPPED, self.radius), joints=joints)

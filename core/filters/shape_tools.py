"""Wave shaping as tools: how far joints turn away from a pose, made more, less or limited."""

from __future__ import annotations

from math import radians
from typing import TYPE_CHECKING, ClassVar

from .. import filters
from ..editing import KEEP_CONTACTS, KEEP_FLOOR, Tool, Unit, choice, number

if TYPE_CHECKING:
    from ..editing import Change, Take

_ABOUT = choice(
    "MEAN",
    "Pose from which rotations are measured",
    ("MEAN", "Mean Pose", "Average pose of the range"),
    ("FRAME", "Current Frame", "Pose at the current frame"),
    ("REST", "Rest Pose", "Rest pose of the armature"),
)
_ANGLE = {"limits": (0.0, radians(360.0)), "soft_limits": (None, radians(180.0)), "unit": Unit.ANGLE, "drag": (1, 5)}


class ExaggerateMotion(Tool):
    """Rotate every bone further away from a pose, or closer to it"""

    verb: ClassVar[str] = "Exaggerated"
    sliders: ClassVar[tuple[str, ...]] = ("amount",)

    amount: float = number(
        1.2,
        "Factor of all angles; 1 changes nothing, 0 holds the pose",
        limits=(-2.0, 5.0),
        soft_limits=(0.0, 3.0),
        unit=Unit.FACTOR,
        drag=(1, 10),
    )
    about: str = _ABOUT
    keep_contacts: bool = KEEP_CONTACTS
    keep_floor: bool = KEEP_FLOOR

    def apply(self, take: Take) -> Change:
        """All angles times a factor."""
        about = take.reference_pose(self.about)
        after = filters.exaggerated(take.motion, self.amount, about=about, joints=take.posed_joints)
        return take.changed(after, keep_contacts=self.keep_contacts, keep_floor=self.keep_floor)

    def _own_seconds_around(self) -> float | None:
        return None if self.about == "MEAN" else 0.0


class SoftLimit(Tool):
    """Limit the rotation of bones from a pose, without abrupt stops"""

    verb: ClassVar[str] = "Limited"
    sliders: ClassVar[tuple[str, ...]] = ("limit", "softness")

    limit: float = number(radians(45.0), "Largest angle from the pose", **_ANGLE)
    softness: float = number(
        0.3,
        "Part of the limit over which bones slow down; 0 stops abruptly",
        limits=(0.0, 1.0),
        unit=Unit.FACTOR,
        drag=(1, 10),
    )
    about: str = _ABOUT
    keep_contacts: bool = KEEP_CONTACTS
    keep_floor: bool = KEEP_FLOOR

    def apply(self, take: Take) -> Change:
        """Angles that come to rest below the limit."""
        about = take.reference_pose(self.about)
        after = filters.soft_limited(
            take.motion, self.limit, softness=self.softness, about=about, joints=take.posed_joints
        )
        return take.changed(after, keep_contacts=self.keep_contacts, keep_floor=self.keep_floor)

    def _own_seconds_around(self) -> float | None:
        return None if self.about == "MEAN" else 0.0


class CompressRange(Tool):
    """Reduce large rotations away from a pose and keep small ones"""

    verb: ClassVar[str] = "Compressed"
    sliders: ClassVar[tuple[str, ...]] = ("ratio", "threshold")

    threshold: float = number(radians(20.0), "Angle from the pose below which nothing changes", **_ANGLE)
    ratio: float = number(
        2.0,
        "Divisor of what exceeds the threshold; below 1 it grows",
        limits=(0.1, 100.0),
        soft_limits=(0.5, 10.0),
        drag=(0.05, 0.5),
    )
    knee: float = number(
        0.2,
        "Angle over which the compression eases in; 0 is a corner",
        limits=(0.0, radians(180.0)),
        unit=Unit.ANGLE,
    )
    about: str = _ABOUT
    keep_contacts: bool = KEEP_CONTACTS
    keep_floor: bool = KEEP_FLOOR

    def apply(self, take: Take) -> Change:
        """Large angles made smaller."""
        after = filters.compressed(
            take.motion,
            threshold=self.threshold,
            ratio=self.ratio,
            knee=self.knee,
            about=take.reference_pose(self.about),
            joints=take.posed_joints,
        )
        return take.changed(after, keep_contacts=self.keep_contacts, keep_floor=self.keep_floor)

"""What poses look like and the way between them, as tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ... import staggered
from ...editing import Tool, Unit, choice, number, switch, whole_number
from ...errors import MotionEditError

if TYPE_CHECKING:
    from ..model import StaggeredMotion
    from .posed_take import PosedTake

_FACTOR: dict[str, Any] = {"limits": (0.0, None), "drag": (1, 10), "drag_unit": Unit.FACTOR}
_TANGENT: dict[str, Any] = {**_FACTOR, "soft_limits": (None, 3.0)}


class ExaggeratePose(Tool):
    """Push the pose away from another one, or closer to it"""

    verb: ClassVar[str] = "Exaggerated"
    sliders: ClassVar[tuple[str, ...]] = ("weight",)

    weight: float = number(
        0.25,
        "0 changes nothing, 1 doubles the difference, -1 is the other pose",
        soft_limits=(-1.0, 2.0),
        drag=(1, 10),
        drag_unit=Unit.FACTOR,
    )
    against: Literal["PREVIOUS", "NEXT", "AVERAGE", "POSE"] = choice(
        "AVERAGE",
        "Pose to push away from",
        ("PREVIOUS", "Previous Pose", "Push the pose away from the one before it"),
        ("NEXT", "Next Pose", "Push the pose away from the one after it"),
        ("AVERAGE", "Average Pose", "Push the pose away from the average of all poses"),
        ("POSE", "Chosen Pose", "Push the pose away from another one by its number"),
    )
    other: int = whole_number(-1, "Number of the other pose, from 0", limits=(-1, None), label="Other Pose")
    true_pose: bool = switch(False, "Compare the poses as shown, not the extremes of each bone")
    keep_range: bool = switch(True, "Keep bones near the range of the motion, knees bent one way")

    @property
    def unused(self) -> frozenset[str]:
        """The number of a pose that is not compared with."""
        return frozenset() if self.against == "POSE" else frozenset({"other"})

    def apply(self, take: PosedTake) -> StaggeredMotion:
        """Along the difference from the reference."""
        return staggered.exaggerate(
            take.model,
            self.weight,
            against=self._reference(take),
            poses=take.poses,
            joints=take.joints_in_place(),
            true_poses=self.true_pose,
            limit=self._limit(take) if self.keep_range else None,
        )

    def _reference(self, take: PosedTake) -> Any:
        if self.against != "POSE":
            return self.against
        if not 0 <= self.other < len(take.model):
            raise MotionEditError(
                f"There is no pose with number {self.other} among {len(take.model)}: pick another one"
            )
        return self.other

    @staticmethod
    def _limit(take: PosedTake) -> Any:
        source = take.model.source
        hinges = staggered.hinges_of(take.body(), source)
        return lambda poses: staggered.within_range(poses, source, hinges)


class DetailStrength(Tool):
    """Scale the detail between this pose and the next"""

    verb: ClassVar[str] = "Changed the detail of"
    sliders: ClassVar[tuple[str, ...]] = ("strength",)

    strength: float = number(
        0.5, "Factor of the detail; 0 is bare splines, 1 changes nothing", soft_limits=(None, 2.0), **_FACTOR
    )

    def apply(self, take: PosedTake) -> StaggeredMotion:
        """Scale the displacement maps."""
        return staggered.with_detail_strength(take.model, self.strength, poses=take.poses, joints=take.joints)


class EasePose(Tool):
    """Change how the motion eases in and out of the pose"""

    verb: ClassVar[str] = "Eased"
    sliders: ClassVar[tuple[str, ...]] = ("arriving", "leaving")

    arriving: float = number(0.5, "Factor on the tangents into the pose; 0 comes to rest", label="Ease In", **_TANGENT)
    leaving: float = number(
        0.5, "Factor on the tangents out of the pose; 0 starts from rest", label="Ease Out", **_TANGENT
    )

    def apply(self, take: PosedTake) -> StaggeredMotion:
        """Scale the tangents."""
        return staggered.with_scaled_tangents(
            take.model, arriving=self.arriving, leaving=self.leaving, poses=take.poses, joints=take.joints
        )


class SetTangents(Tool):
    """Set the tangents into and out of the pose"""

    verb: ClassVar[str] = "Set the tangents of"
    sliders: ClassVar[tuple[str, ...]] = ("arriving", "leaving")

    shape: str = choice(
        "AUTO",
        "Shape of the tangents",
        ("AUTO", "Auto", "Pass through the pose smoothly"),
        ("STRAIGHT", "Straight", "Point at the poses before and after"),
        ("FLAT", "Flat", "Ease to a stop in the pose"),
    )
    side: str = choice(
        "BOTH",
        "Tangents to set",
        ("BOTH", "Both", "Set both tangents"),
        ("ARRIVING", "Ease In", "Set only the tangent into the pose"),
        ("LEAVING", "Ease Out", "Set only the tangent out of the pose"),
    )
    arriving: float = number(
        1.0, "Length of the tangent into the pose; 1 is even, 0 comes to rest", label="Ease In Length", **_TANGENT
    )
    leaving: float = number(
        1.0, "Length of the tangent out of the pose; 1 is even, 0 is from rest", label="Ease Out Length", **_TANGENT
    )

    @property
    def lengths(self) -> dict[str, float | None]:
        """Of both tangents; none of a side that is left."""
        return {
            "arriving": None if self.side == "LEAVING" else self.arriving,
            "leaving": None if self.side == "ARRIVING" else self.leaving,
        }

    def apply(self, take: PosedTake) -> StaggeredMotion:
        """Replace the tangents."""
        shape: Any = self.shape.lower()
        chosen: dict[str, Any] = {"poses": take.poses, "joints": take.joints}
        return staggered.with_shaped_tangents(take.model, shape, **self.lengths, **chosen)

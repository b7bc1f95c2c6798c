"""When poses and their parts happen, as tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ... import staggered
from ...editing import Tool, Unit, number, switch, text, whole_number

if TYPE_CHECKING:
    from ..model import StaggeredMotion
    from .posed_take import PosedTake

_SECONDS: dict[str, Any] = {"precision": 3, "drag": (0.002, 0.01), "drag_unit": Unit.SECONDS}


class TimingTool(Tool):
    """Change when poses or their parts happen, as far as no bone jumps"""

    def apply(self, take: PosedTake) -> StaggeredMotion:
        """What is asked for, or as much of it as can be."""
        return staggered.within_steps(self.retimed(take), size=take.body().height)

    def retimed(self, take: PosedTake) -> StaggeredMotion:
        """The poses with the timing that is asked for."""
        raise NotImplementedError


class Succession(TimingTool):
    """Delay each bone down the chain from the active bone"""

    verb: ClassVar[str] = "Staggered"
    sliders: ClassVar[tuple[str, ...]] = ("offset", "power")

    offset: float = number(
        0.04, "Delay of the first bone in seconds; negative makes the ends lead", soft_limits=(-0.2, 0.2), **_SECONDS
    )
    power: float = number(
        1.0,
        "1 is an even succession; more adds drag towards the ends",
        limits=(0.1, None),
        soft_limits=(None, 3.0),
    )
    bone: str = text("", "Bone at the start of the chain; the active bone if empty", label="From Bone")

    def retimed(self, take: PosedTake) -> StaggeredMotion:
        """Late by offset x depth to the power."""
        start = take.joint_named(self.bone)
        chosen: dict[str, Any] = {"poses": take.poses, "joints": take.joints, "order": take.order}
        return staggered.succession(take.model, start, self.offset, exponent=self.power, **chosen)


class RandomStagger(TimingTool):
    """Offset each bone of the pose by a random time"""

    verb: ClassVar[str] = "Staggered"
    sliders: ClassVar[tuple[str, ...]] = ("reach",)

    reach: float = number(
        0.05, "Largest time offset in seconds", limits=(0.0, None), soft_limits=(None, 0.25), **_SECONDS
    )
    seed: int = whole_number(0, "Random seed", limits=(0, None))

    def retimed(self, take: PosedTake) -> StaggeredMotion:
        """Evenly spread within the reach."""
        return staggered.random_stagger(take.model, self.reach, seed=self.seed, poses=take.poses, joints=take.joints)


class ScaleStagger(TimingTool):
    """Scale the overlap of the pose; Re-stagger restores it from 0"""

    verb: ClassVar[str] = "Staggered"
    sliders: ClassVar[tuple[str, ...]] = ("factor",)

    factor: float = number(
        1.5,
        "1 changes nothing, 2 doubles the overlap, 0 removes it",
        limits=(0.0, None),
        soft_limits=(None, 3.0),
        drag=(1, 10),
        drag_unit=Unit.FACTOR,
    )

    def retimed(self, take: PosedTake) -> StaggeredMotion:
        """Scale the refinements."""
        return staggered.scale_stagger(take.model, self.factor, poses=take.poses, joints=take.joints)


class Unstagger(TimingTool):
    """Align all bones of the pose in time; Re-stagger restores it"""

    verb: ClassVar[str] = "Un-staggered"

    def retimed(self, take: PosedTake) -> StaggeredMotion:
        """Collapse the refinements."""
        return staggered.scale_stagger(take.model, 0.0, poses=take.poses, joints=take.joints)


class Restagger(TimingTool):
    """Restore the overlap that Un-stagger removed"""

    verb: ClassVar[str] = "Re-staggered"

    def retimed(self, take: PosedTake) -> StaggeredMotion:
        """Use the remembered refinements again."""
        return staggered.restagger(take.model, poses=take.poses, joints=take.joints)


class CopyStagger(TimingTool):
    """Copy the overlap of the active pose to all other poses"""

    verb: ClassVar[str] = "Staggered"

    mirror: bool = switch(False, "Swap left and right")

    def retimed(self, take: PosedTake) -> StaggeredMotion:
        """Copy to all others."""
        mirror = take.body().mirror if self.mirror else None
        return staggered.copy_stagger(take.model, take.active, joints=take.joints, mirror=mirror)


class RetimePose(TimingTool):
    """Move the pose or one of its bones to another frame"""

    verb: ClassVar[str] = "Retimed"

    frame: float = number(1.0, "New scene frame")
    bone: str = text("", "Only this bone; the whole pose if empty")
    shape_key: str = text("", "Only shape keys of this name; the whole pose if empty")
    later_poses: bool = switch(False, "Move all later poses by as much")

    def retimed(self, take: PosedTake) -> StaggeredMotion:
        """Move the pose or the knot."""
        time = take.seconds(self.frame)
        if not (self.bone or self.shape_key):
            return self._moved(take, time)
        late = time - float(take.model.pose_times[take.active])
        if self.shape_key:
            channels = staggered.channels_of_shape(take.model, self.shape_key)
            return staggered.with_channel_refinements(take.model, late, poses=[take.active], channels=channels)
        joint = take.joint_named(self.bone)
        return staggered.with_refinements(take.model, late, poses=[take.active], joints=[joint])

    def _moved(self, take: PosedTake, time: float) -> StaggeredMotion:
        """The pose at another time, and all that are chosen with it by as much."""
        if self.later_poses:
            return staggered.ripple(take.model, take.active, time)
        chosen = sorted(take.poses) if take.poses is not None and take.active in take.poses else [take.active]
        later = time - float(take.model.pose_times[take.active])
        return staggered.retime(take.model, chosen, take.model.pose_times[chosen] + later)

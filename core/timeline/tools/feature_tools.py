"""Features of a reference that windows take over, as tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import timeline
from ...editing import Change, choice
from ...errors import MotionEditError
from .reference_options import EASE, ReferenceTool

if TYPE_CHECKING:
    from ...motion import Motion
    from ...numerics import Array
    from ...solve import Limb
    from ..segment import Segment
    from .windowed_take import WindowedTake

    Window = tuple[float, float]


class FeatureTool(ReferenceTool):
    """What changes poses in windows after a reference."""

    ease: float = EASE

    def apply(self, take: WindowedTake) -> Change:
        """Change every target."""
        targets, segment, motion = self.targets(take), self.found(take).segment, take.motion
        for window in targets:
            motion = self.transferred(motion, (window.start, window.end), segment, take)
        return Change(motion)

    def transferred(self, motion: Motion, window: Window, segment: Segment, take: WindowedTake) -> Motion:
        """The motion with one window changed."""
        raise NotImplementedError


class TransferMean(FeatureTool):
    """Match the mean rotation of painted bones to the reference"""

    def transferred(self, motion: Motion, window: Window, segment: Segment, take: WindowedTake) -> Motion:
        """Painted joints held as in the reference; the body keeps its heading."""
        up = take.body.require("up axis").vector
        return timeline.transfer_mean_rotation(
            motion, window, segment, _painted(take), amount=self.amount, ease=self.ease, up=up
        )


class TransferVariance(FeatureTool):
    """Match the range of motion of painted bones to the reference"""

    def transferred(self, motion: Motion, window: Window, segment: Segment, take: WindowedTake) -> Motion:
        """Painted joints moved as strongly as in the reference."""
        return timeline.transfer_rotation_variance(
            motion, window, segment, _painted(take), amount=self.amount, ease=self.ease
        )


class TransferTrajectory(FeatureTool):
    """Match the path of the painted hand or foot to the reference"""

    def transferred(self, motion: Motion, window: Window, segment: Segment, take: WindowedTake) -> Motion:
        """Painted hands and feet on the reference's path."""
        for limb in _effectors(take):
            up = take.body.require("up axis").vector
            motion = timeline.transfer_trajectory(
                motion, window, segment, limb, up=up, amount=self.amount, ease=self.ease
            )
        return motion


class TransferCoordination(FeatureTool):
    """Match the time offset of painted bones to the reference"""

    shift: str = choice(
        "AUTOMATIC",
        "What is offset in time",
        ("AUTOMATIC", "Automatic", "Choose the method from what is painted"),
        ("JOINT_COORDINATION", "Bones", "Offset the painted bones against all others"),
        ("LIMB_COORDINATION", "Limb", "Offset the painted hand or foot against the rest of the body"),
        (
            "LIMB_AND_JOINT_COORDINATION",
            "Limb Against Bones",
            "Offset the painted hand or foot against the painted bones",
        ),
    )

    def transferred(self, motion: Motion, window: Window, segment: Segment, take: WindowedTake) -> Motion:
        """The painted part shifted in time against what stays; see `Feature`."""
        _painted(take)
        joints, limbs = take.painting.joints, take.painting.effectors
        offered = [each for each in timeline.feature_menu(joints, limbs) if each.is_coordination]
        # The last one is about all that is painted.
        chosen = offered[-1] if self.shift == "AUTOMATIC" else timeline.Feature[self.shift]
        if chosen not in offered:
            labels = ", ".join(f"'{feature.label}'" for feature in offered)
            raise MotionEditError(f"'{chosen.label}' needs other painting; this one allows {labels}")
        fixed, free = timeline.coordination_parts(chosen, motion.skeleton, joints, limbs)
        return timeline.transfer_coordination(motion, window, segment, fixed=fixed, free=free, ease=self.ease)


def _painted(take: WindowedTake) -> Array:
    if not take.painted.any():
        raise MotionEditError("Paint the bones that it is about: select them and use Paint Bones")
    return take.painted


def _effectors(take: WindowedTake) -> tuple[Limb, ...]:
    if not take.painting.effectors:
        painted = {*take.painted.nonzero()[0].tolist()}
        if any(limb.end in painted and painted.isdisjoint({*limb.joints} - {limb.end}) for limb in take.body.limbs):
            raise MotionEditError(
                "An IK control is painted: use Switch IK/FK, then paint the FK bone of the hand or foot"
            )
        raise MotionEditError("Paint a hand or a foot alone, without the bones of its limb")
    return take.painting.effectors

"""What the painting and the reference mean to a transfer of features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ....core.timeline import (
    Feature,
    coordination_parts,
    feature_menu,
    transfer_coordination,
    transfer_mean_rotation,
    transfer_rotation_variance,
    transfer_trajectory,
)
from ..windows.windows import windows_of
from .painted_bones import Painting, painted_mask, painting_of
from .reference import Choice, Reference, reference_of, targets_of

if TYPE_CHECKING:
    from bpy.types import Context

    from ....core.body import Body
    from ....core.motion import Motion
    from ....core.solve import Limb
    from ....core.timeline import PropagationWindow
    from ..subject import Subject

    Window = tuple[float, float]


@dataclass(frozen=True)
class Transfer:
    """A reference and what of the body it is about.

    Attributes:
        reference: What features are taken from.
        painting: What is painted.
        painted: (J,) the same as flags of joints.
        body: Of the motion that is changed.
    """

    reference: Reference
    painting: Painting
    painted: np.ndarray
    body: Body

    def mean(self, motion: Motion, window: Window, amount: float, ease: float) -> Motion:
        """Painted joints held as in the reference; the body keeps its heading."""
        return transfer_mean_rotation(
            motion,
            window,
            self.reference.segment,
            self._joints(),
            amount=amount,
            ease=ease,
            up=self.body.require("up axis").vector,
        )

    def variance(self, motion: Motion, window: Window, amount: float, ease: float) -> Motion:
        """Painted joints moved as strongly as in the reference."""
        return transfer_rotation_variance(
            motion, window, self.reference.segment, self._joints(), amount=amount, ease=ease
        )

    def trajectory(self, motion: Motion, window: Window, amount: float, ease: float) -> Motion:
        """Painted hands and feet on the reference's path."""
        for limb in self._effectors():
            motion = transfer_trajectory(
                motion,
                window,
                self.reference.segment,
                limb,
                up=self.body.require("up axis").vector,
                amount=amount,
                ease=ease,
            )
        return motion

    def coordination(self, motion: Motion, window: Window, feature: str, ease: float) -> Motion:
        """The painted part shifted in time against what stays; see `core.timeline.Feature`."""
        self._joints()
        joints, limbs = self.painting.joints, self.painting.effectors
        offered = [each for each in feature_menu(joints, limbs) if each.is_coordination]
        # The last one is about all that is painted.
        chosen = offered[-1] if feature == "AUTOMATIC" else Feature[feature]
        if chosen not in offered:
            raise MotionEditError(f"'{chosen.label}' needs other painting; this one allows {_listed(offered)}")
        fixed, free = coordination_parts(chosen, motion.skeleton, joints, limbs)
        return transfer_coordination(motion, window, self.reference.segment, fixed=fixed, free=free, ease=ease)

    def _joints(self) -> np.ndarray:
        if not self.painted.any():
            raise MotionEditError("Paint the bones that it is about: select them and use Paint Bones")
        return self.painted

    def _effectors(self) -> tuple[Limb, ...]:
        if not self.painting.effectors:
            raise MotionEditError("Paint a hand or a foot alone, without the bones of its limb")
        return self.painting.effectors


def _listed(features: list[Feature]) -> str:
    return ", ".join(f"'{feature.label}'" for feature in features)


def prepared(
    context: Context, subject: Subject, choice: Choice, target: int
) -> tuple[Transfer, list[PropagationWindow]]:
    """The transfer and the windows that it changes."""
    windows = windows_of(subject.clip)
    targets = targets_of(windows, choice, target)
    transfer = Transfer(
        reference_of(context, subject, windows, choice),
        painting_of(subject.armature, subject.body),
        painted_mask(subject.armature, subject.motion.skeleton),
        subject.body,
    )
    return transfer, targets

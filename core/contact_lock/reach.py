"""How far a limb reaches, without a pop when it becomes straight."""

from dataclasses import dataclass

import numpy as np

from ..global_poses import GlobalPoses
from ..limb_ik import Limb
from ..motion import Motion
from ..quaternion import Array
from .windows import Mask


@dataclass(frozen=True, eq=False)
class Reach:
    """Distances from a limb's upper joint, one for every frame.

    Attributes:
        bent: (F,) the limb before it slows down.
        soft: (F,) up to here targets are met: as far, or as straight as the limb was in the reference.
        full: (F,) the straight limb.
        span: (F,) where the end is in the motion.
    """

    bent: Array
    soft: Array
    full: Array
    span: Array

    def limited(self, upper: Array, targets: Array, active: Mask) -> Array:
        """Targets (F, 3) drawn in until the limb reaches them; those within the soft limit are kept.

        What a limb in contact can reach depends on its upper joint and the reference alone, not on
        where the edit has its end: what was drawn in once is not moved again.
        """
        offset = targets - upper
        distance = np.linalg.norm(offset, axis=1)
        start = np.where(active, self.soft, np.maximum(self.soft, np.minimum(self.span, self.full)))
        room = self.full - start
        beyond = np.maximum(distance - start, 0.0)
        eased = start - room * np.expm1(-beyond / np.where(room > 0.0, room, 1.0))
        far = beyond > 0.0
        share = np.where(far, eased / np.where(far, distance, 1.0), 1.0)
        return np.where(far[:, None], upper + offset * share[:, None], targets)


def reach_of(limb: Limb, edited: Motion, reference: GlobalPoses, softness: float) -> Reach:
    """Reach of a limb in the edited motion.

    Args:
        limb: The limb.
        edited: Motion to correct.
        reference: Poses that are straight here may be so again.
        softness: Part of the limb's length over which it slows down before full extension.
    """
    places = edited.poses.positions
    upper, lower, end = places[:, limb.upper], places[:, limb.lower], places[:, limb.end]
    full = np.linalg.norm(lower - upper, axis=1) + np.linalg.norm(end - lower, axis=1)
    known = reference.positions
    before = np.linalg.norm(known[:, limb.end] - known[:, limb.upper], axis=1)
    bent = (1.0 - softness) * full
    return Reach(bent, np.minimum(np.maximum(bent, before), full), full, np.linalg.norm(end - upper, axis=1))

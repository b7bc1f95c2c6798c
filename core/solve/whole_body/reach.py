"""How far a limb reaches, without a pop when it becomes straight."""

from dataclasses import dataclass

import numpy as np

from ...motion import GlobalPoses
from ...numerics import Array
from ..limb_ik import Limb

# Corrections below this, in radians or limb lengths, are rounding. They are left out, since a limb
# that is nearly straight would answer them by the square root of it.
NOTHING = 1e-10


@dataclass(frozen=True, eq=False)
class Reach:
    """Distances from a limb's upper joint, one for every frame.

    Attributes:
        bent: (F,) the limb before it slows down.
        soft: (F,) up to here targets are met: as far, or as straight as the limb was in the reference.
        full: (F,) the straight limb.
        span: (F,) where the end is in the motion.
        bones: (F,) of both bones.
    """

    bent: Array
    soft: Array
    full: Array
    span: Array
    bones: tuple[Array, Array]

    def part(self, frames: slice) -> "Reach":
        """Some of the frames."""
        bones = self.bones[0][frames], self.bones[1][frames]
        return Reach(self.bent[frames], self.soft[frames], self.full[frames], self.span[frames], bones)

    def limited(self, upper: Array, targets: Array) -> Array:
        """Targets (F, 3) of a limb in contact drawn in until it reaches them; those within the soft limit are kept.

        What it can reach depends on its upper joint (F, 3) and the reference alone, not on where the edit
        has its end: what was drawn in once is not moved again.
        """
        return self._drawn_in(upper, targets, self.soft)

    def limited_beside(self, upper: Array, end: Array, ways: Array, straight: Array) -> Array:
        """Where a limb's end (F, 3) gets when it is moved by ways (F, 3) beside contacts.

        Args:
            upper: (F, 3) places of the upper joint.
            end: (F, 3) places of the end. A limb that is straight there stays so as far as it is moved little,
                and slows down earlier the further it is moved: leaving full extension it would snap.
            ways: (F, 3) what it is moved by.
            straight: (F,) lengths up to which it does not slow down, so that a leg that is straight in its
                contact bends slowly after it.
        """
        least = np.maximum(np.maximum(self.soft, self.span) - np.linalg.norm(ways, axis=1), self.bent)
        return self._drawn_in(upper, end + ways, np.minimum(np.maximum(least, straight), self.full))

    def _drawn_in(self, upper: Array, targets: Array, start: Array) -> Array:
        """Targets (F, 3) as near as limbs come to them that slow down from lengths (F,) on."""
        offset = targets - upper
        distance = np.linalg.norm(offset, axis=1)
        room, beyond = self.full - start, np.maximum(distance - start, 0.0)
        eased = start - room * np.expm1(-beyond / np.where(room > 0.0, room, 1.0))
        far = beyond > 0.0
        share = np.where(far, eased / np.where(far, distance, 1.0), 1.0)
        return np.where(far[:, None], upper + offset * share[:, None], targets)

    def lowering(self, upper: Array, targets: Array, up: Array) -> Array:
        """(..., F) least way down of the upper joint that brings targets within reach; to their level where none does.

        Args:
            upper: (F, 3) places of the upper joint.
            targets: (..., F, 3) places for the end.
            up: (3,) away from the ground.
        """
        offset = targets - upper
        above, distance = -(offset @ up), np.linalg.norm(offset, axis=-1)
        beyond = distance - self.soft
        # The knee is left some bend, as far as more is asked for than the limb had: lowered just
        # enough, it would snap straight in the one frame that needs most.
        radius = self.soft - np.clip(beyond, 0.0, self.soft - self.bent)
        least = above - np.sqrt(np.maximum(radius**2 - (distance**2 - above**2), 0.0))
        return np.where(beyond > NOTHING * self.full, np.maximum(least, 0.0), 0.0)


def bend_at(reach: Reach, length: Array) -> Array:
    """(F,) radians by which limbs are bent whose ends are so far (F,) from their upper joints; 0 is straight."""
    upper, lower = reach.bones
    cosine = (length**2 - upper**2 - lower**2) / np.maximum(2.0 * upper * lower, 1e-300)
    bend: Array = np.arccos(np.clip(cosine, -1.0, 1.0))
    return bend


def reach_of(limb: Limb, poses: GlobalPoses, reference: GlobalPoses, softness: float) -> Reach:
    """Reach of a limb.

    Args:
        poses: Those to correct.
        reference: Poses that are straight here may be so again.
        softness: Part of the limb's length over which it slows down before full extension.
    """
    places = poses.positions
    upper, lower, end = places[:, limb.upper], places[:, limb.lower], places[:, limb.end]
    bones = np.linalg.norm(lower - upper, axis=1), np.linalg.norm(end - lower, axis=1)
    full = bones[0] + bones[1]
    known = reference.positions
    before = np.linalg.norm(known[:, limb.end] - known[:, limb.upper], axis=1)
    bent = (1.0 - softness) * full
    soft = np.minimum(np.maximum(bent, before), full)
    return Reach(bent, soft, full, np.linalg.norm(end - upper, axis=1), bones)

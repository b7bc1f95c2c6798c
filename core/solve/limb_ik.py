"""Two-bone inverse kinematics of all frames at once: an arm or a leg whose end meets a target.

The limb is first bent or stretched in its own plane until it has the right length, then
turned as a whole, by the shortest way, onto the target. So the side to which elbow or knee
point is that of the original motion, nothing is twisted about its own axis, and a target
that is where the end already was changes nothing.

An almost straight limb has no plane of its own: there the hinge of the joint between the
two bones says where to bend to, and takes over from the plane smoothly.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..motion import Motion, Skeleton, with_scene_turns
from ..numerics import Array, quaternion
from .limb_bend import bone_turns, limb_shape


@dataclass(frozen=True)
class BendRange:
    """How far elbow or knee may bend, in radians; never to the side opposite to the hinge's.

    Attributes:
        smallest: Angle between the two bones at most stretch; 0 is straight.
        largest: At the sharpest bend.
    """

    smallest: float = 0.0
    largest: float = np.pi

    def __post_init__(self) -> None:
        """Refuse what is no range."""
        if not 0.0 <= self.smallest <= self.largest <= np.pi:
            raise ValueError(f"A bend goes from 0 to pi, not from {self.smallest:g} to {self.largest:g}")


@dataclass(frozen=True)
class Limb:
    """Three joints of a limb, each below the one before; other joints may lie between them.

    Attributes:
        upper: Hip or shoulder.
        lower: Knee or elbow.
        end: Ankle or wrist, the joint that is brought to the target.
        hinge: Axis in the lower joint's own axes about which the end turns, right-handed,
            when the limb bends. Used only where the limb is straight. When not given it is
            the mean axis about which the limb is bent in the motion.
        bend: How far it may bend, and that only to the hinge's side, as knees do; any way by default.
    """

    upper: int
    lower: int
    end: int
    hinge: tuple[float, float, float] | None = None
    bend: BendRange | None = None

    @classmethod
    def named(
        cls,
        skeleton: Skeleton,
        upper: str,
        lower: str,
        end: str,
        hinge: tuple[float, float, float] | None = None,
    ) -> "Limb":
        """The limb of the joints with these names."""
        return cls(skeleton.index[upper], skeleton.index[lower], skeleton.index[end], hinge)


def reach_targets(
    motion: Motion,
    limb: Limb,
    targets: Any,
    *,
    end_rotations: Any = None,
    softness: float = 0.01,
    one_sided: Any = 1.0,
) -> Motion:
    """Turn the joints of a limb so that its end sits on the targets.

    The distance d from the limb's first joint to a target is kept up to a start s, and beyond
    it approaches the limb's full length L without ever stopping abruptly:
    s + w (1 - exp(-(d - s) / w)) with w = L - s. The start is (1 - softness) L, or the
    limb's length in the original motion where that is longer, so that poses which were
    straight stay so. Targets below the start are met exactly. A range of the limb's bend limits its length
    in the same way; what the motion has beyond the range is brought into it.

    Args:
        motion: Motion to change. Scales along the limb must be uniform.
        targets: (F, 3) places of the limb's end, in scene space.
        end_rotations: (F, 4) orientation of the end joint in scene space; when not given the
            end keeps the one it had.
        softness: Part of the limb's length, 0 to 1, over which it slows down before full
            extension. Raise it where elbows or knees still pop; 0 switches it off, and all
            targets within reach are met.
        one_sided: One number or (F,), 0 to 1: how strictly a limb with a range bends to its hinge's side. The
            less, the more a limb that is bent backwards stays so while it is opened little; fading it
            out leads back to such a pose.

    Raises:
        ValueError: The joints are no limb of this skeleton, or an array does not fit.
    """
    _check(motion, limb, softness)
    targets = _rows(targets, (len(motion), 3), "targets")
    positions, rotations = motion.poses.positions, motion.poses.rotations
    bend = limb.bend or BendRange()
    strictness = None if limb.bend is None else np.broadcast_to(np.asarray(one_sided, dtype=np.float64), len(motion))
    shape = limb_shape(motion, (limb.upper, limb.lower, limb.end), limb.hinge)
    aim = targets - positions[:, limb.upper]
    upper_turn, lower_turn = bone_turns(shape, aim, softness, (bend.smallest, bend.largest), strictness)
    if end_rotations is None:
        end_turn = quaternion.identity(len(motion))
    else:
        wanted = _rows(end_rotations, (len(motion), 4), "end_rotations")
        end_turn = quaternion.multiply(wanted, quaternion.conjugate(rotations[:, limb.end]))
    return with_scene_turns(motion, (limb.upper, limb.lower, limb.end), (upper_turn, lower_turn, end_turn))


def _check(motion: Motion, limb: Limb, softness: float) -> None:
    skeleton = motion.skeleton
    between_end = skeleton.ancestors(limb.end)
    if limb.lower not in between_end or limb.upper not in skeleton.ancestors(limb.lower):
        names = ", ".join(f"'{skeleton.names[joint]}'" for joint in (limb.upper, limb.lower, limb.end))
        raise ValueError(f"A limb needs three joints, each below the one before, not {names}")
    for joint in between_end[: between_end.index(limb.upper)]:
        if joint != limb.lower and not skeleton.inherits_rotation[joint]:
            raise ValueError(f"'{skeleton.names[joint]}' does not turn with the limb that it is part of")
    if not 0.0 <= softness < 1.0:
        raise ValueError("softness must be at least 0 and below 1")


def _rows(values: Any, shape: tuple[int, int], name: str) -> Array:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, not {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite")
    return array

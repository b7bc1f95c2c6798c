"""The range of rotations that a motion uses: beyond it joints give way more and more."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...motion import Motion
from ...numerics import Array, quaternion
from .hinges import Hinge

# Radians beyond its range that a joint can never go further than, however far it is pushed.
_BEYOND = np.radians(25.0)


def within_range(poses: Motion, source: Motion, hinges: Sequence[Hinge]) -> Motion:
    """Poses whose joints go little beyond what a motion does with them.

    Args:
        poses: A frame for each.
        source: The motion.
        hinges: Joints that bend one way only: these stop where they are straight.
    """
    middles, reaches = own_ranges(source)
    away = quaternion.log(quaternion.multiply(quaternion.conjugate(middles), poses.rotations))
    angles = np.linalg.norm(away, axis=-1)
    limited = soft_limit(angles, reaches, _BEYOND)
    less = limited < angles - 1e-12
    scaled = away * np.where(less, limited / np.maximum(angles, 1e-12), 1.0)[..., None]
    rotations = np.where(less[..., None], quaternion.multiply(middles, quaternion.exp(scaled)), poses.rotations)
    for hinge in hinges:
        own = rotations[:, hinge.joint]
        beyond = np.maximum(hinge.least - hinge.bends(own), 0.0)
        rotations[:, hinge.joint] = np.where(beyond[:, None] > 0.0, hinge.turned(own, beyond), own)
    return replace(poses, rotations=quaternion.aligned(rotations, poses.rotations))


def own_ranges(source: Motion) -> tuple[Array, Array]:
    """(J, 4) middle rotations of all joints, and (J,) radians that each goes away from it at most."""
    return source.fact("own ranges", lambda: _ranges(source))


def _ranges(source: Motion) -> tuple[Array, Array]:
    middles = quaternion.normalize(source.rotations.mean(axis=0))
    return middles, quaternion.angle_between(source.rotations, middles).max(axis=0)


def soft_limit(values: Array, limits: Array, beyond: float) -> Array:
    """Values that are at most so far beyond limits: kept below these, and slower and slower above."""
    excess = np.maximum(values - limits, 0.0)
    limited: Array = np.minimum(values, limits) - beyond * np.expm1(-excess / beyond)
    return limited

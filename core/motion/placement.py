"""The object that carries a skeleton, and motions without it."""

from dataclasses import fields, replace

import numpy as np

from ..numerics import quaternion
from .motion import Motion
from .skeleton import Skeleton

# Of the single precision in which Blender keeps what it was told.
_STILL = 1e-6


def without_placement(motion: Motion) -> Motion:
    """The same joints without the one that stands for the object, if that one does nothing.

    Files know no object: a skeleton that is written with one has a joint more each time it is
    read and written again. An object that moves, or stands elsewhere, is needed and stays.
    """
    skeleton = motion.skeleton
    if not skeleton.has_placement or len(skeleton) == 1 or not _does_nothing(motion):
        return motion
    return replace(
        motion,
        skeleton=_without_first(skeleton),
        rotations=motion.rotations[:, 1:],
        locations=motion.locations[:, 1:],
        scales=motion.scales[:, 1:],
    )


def _does_nothing(motion: Motion) -> bool:
    skeleton = motion.skeleton
    turns = quaternion.multiply(skeleton.rest_rotations[0], motion.rotations[:, 0])
    places = motion.locations[:, 0] + skeleton.rest_positions[0]
    # Both signs of a quaternion are the same rotation.
    turned = np.abs(turns[:, 1:]).max(initial=0.0)
    return bool(
        max(turned, np.abs(places).max(initial=0.0), np.abs(motion.scales[:, 0] - 1.0).max(initial=0.0)) < _STILL
    )


def _without_first(skeleton: Skeleton) -> Skeleton:
    """The skeleton without joint 0, whose children become roots."""
    arrays = {
        each.name: getattr(skeleton, each.name)[1:]
        for each in fields(skeleton)
        if each.name not in ("parents", "has_placement")
    }
    return replace(skeleton, **arrays, parents=np.maximum(skeleton.parents[1:] - 1, -1), has_placement=False)

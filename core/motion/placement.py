"""The object that carries a skeleton, and motions without it or in which it stands still."""

from dataclasses import fields, replace
from typing import Any

import numpy as np

from ..numerics import Array, quaternion
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


def with_still_object(motion: Motion) -> Motion:
    """The motion whose object does nothing: the skeleton stands as it does already."""
    arrays: dict[str, Any] = {name: np.array(getattr(motion, name)) for name in ("rotations", "locations", "scales")}
    arrays["rotations"][:, 0], arrays["locations"][:, 0], arrays["scales"][:, 0] = quaternion.IDENTITY, 0.0, 1.0
    return replace(motion, **arrays)


def motion_from_poses(like: Motion, skeleton: Skeleton, places: Array, turns: Array) -> Motion:
    """A motion whose bones are at (F, J, 3) places and turned by (F, J, 4), wherever a skeleton has them at rest."""
    free = np.zeros(len(skeleton), dtype=np.bool_)
    loose = replace(skeleton, connected=free, inherits_rotation=~free, local_location=~free)
    above = np.maximum(skeleton.parents, 0)
    start = quaternion.multiply(turns[:, above], loose.rest_offsets[0])
    at_rest = places[:, above] + quaternion.rotate(turns[:, above], loose.rest_offsets[1])
    back = quaternion.conjugate(start)
    rotations = quaternion.normalize(quaternion.multiply(back, turns))
    locations = quaternion.rotate(back, places - at_rest)
    # Whatever the object does is in its bones now; they hang on it as it stands at rest.
    roots = skeleton.parents == 0
    still = quaternion.multiply(skeleton.rest_rotations[0], loose.rest_offsets[0])[roots]
    rest = skeleton.rest_positions[roots]
    rotations[:, roots] = quaternion.multiply(quaternion.conjugate(still), turns[:, roots])
    locations[:, roots] = quaternion.rotate(quaternion.conjugate(still), places[:, roots] - rest)
    return with_still_object(Motion.build(loose, rotations, rate=like.rate, times=like.times, locations=locations))


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

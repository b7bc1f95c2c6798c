"""The same motion described with other rest axes of the joints."""

from dataclasses import replace
from typing import Any

import numpy as np

from ..numerics import quaternion
from .motion import Motion


def with_rest_rotations(motion: Motion, rest_rotations: Any) -> Motion:
    """Give the joints other axes at rest; every joint and tip stays where it is.

    File formats and programs disagree about the axes of a bone at rest: BVH has the
    world's, Blender points y along the bone.

    Args:
        motion: Scales must be uniform: an uneven one has no meaning along other axes.
        rest_rotations: (J, 4) orientation of each joint at rest, in skeleton space.
    """
    if bool((motion.scales != motion.scales[..., :1]).any()):
        raise ValueError("Rest axes cannot be changed under uneven scales")
    rest = quaternion.normalize(rest_rotations)
    turn = quaternion.multiply(quaternion.conjugate(motion.skeleton.rest_rotations), rest)
    back = quaternion.conjugate(turn)
    skeleton = replace(motion.skeleton, rest_rotations=rest, tips=quaternion.rotate(back, motion.skeleton.tips))
    # A location acts in the joint's own axes, or in its parent's; a root's parent is the skeleton.
    above = np.concatenate([back, quaternion.identity(1)])[motion.skeleton.parents]
    axes = np.where(motion.skeleton.local_location[:, None], back, above)
    return replace(
        motion,
        skeleton=skeleton,
        rotations=quaternion.multiply(back, quaternion.multiply(motion.rotations, turn)),
        locations=quaternion.rotate(axes, motion.locations),
    )


def turned(motion: Motion, rotation: Any, *, scale: float = 1.0) -> Motion:
    """The whole motion turned about the origin and scaled, as when another axis points up.

    Args:
        rotation: (4,) quaternion.
        scale: Factor on all lengths.
    """
    skeleton = motion.skeleton
    placed = replace(
        skeleton,
        rest_rotations=quaternion.multiply(rotation, skeleton.rest_rotations),
        rest_positions=quaternion.rotate(rotation, skeleton.rest_positions) * scale,
        tips=skeleton.tips * scale,
    )
    return replace(motion, skeleton=placed, locations=motion.locations * scale)

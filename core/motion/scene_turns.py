"""Turns of joints in scene space, put into their own rotations."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..numerics import Array, quaternion
from .motion import Motion


def with_scene_turns(motion: Motion, joints: Sequence[int], turns: Sequence[Array]) -> Motion:
    """A motion whose joints are turned in scene space; what hangs on them follows.

    Args:
        joints: Each below the one before. Joints between them keep their own rotations.
        turns: For each joint (F, 4) how it is turned as a whole, what the joints above it do included.
    """
    rotations = np.array(motion.rotations.T).T
    carried = quaternion.identity(len(motion))
    for joint, turn in zip(joints, turns, strict=True):
        if not motion.skeleton.inherits_rotation[joint]:
            carried = quaternion.identity(len(motion))
        own_axes = motion.poses.rotations[:, joint]
        extra = quaternion.multiply(quaternion.conjugate(carried), turn)
        local = quaternion.multiply(quaternion.conjugate(own_axes), quaternion.multiply(extra, own_axes))
        turned = quaternion.normalize(quaternion.multiply(motion.rotations[:, joint], local))
        rotations[:, joint] = quaternion.aligned(turned, motion.rotations[:, joint])
        carried = turn
    changed = list(joints)
    rotations[:, changed] = quaternion.sign_continuous(rotations[:, changed])
    return replace(motion, rotations=rotations)

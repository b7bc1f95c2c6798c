"""Chains that no limb IK lifts, such as tails and wings: where an edit lets them sink they go back to how they were."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...body import Body
from ...motion import Motion
from ...numerics import Array, quaternion
from ..smooth_path import Fading
from .ground import Ground

# Shares of the way back that are tried.
_SHARES = (0.25, 0.5, 0.75, 1.0)


def loose_joints(body: Body) -> list[int]:
    """Joints below the root that belong neither to the trunk nor to a limb with a hand or foot."""
    if body.root is None:
        return []
    known = {body.root, body.head, *body.torso, *body.neck}
    known |= {joint for limb in body.limbs if limb.end is not None for joint in limb.joints}
    below = {each for limb in body.limbs if limb.end is not None for each in body.skeleton.descendants(limb.end)}
    return [joint for joint in body.skeleton.descendants(body.root) if joint not in known | below]


def retreated(motion: Motion, before: Motion, joints: Sequence[int], ground: Ground, fade: Fading) -> Motion:
    """The motion with joints turned back, where they or what they carry are below the ground, until they are not.

    Args:
        motion: The edit.
        before: As it was; its rotations count.
        joints: Those that may be turned back.
        ground: What nothing goes below.
        fade: How the way back comes and goes.
    """
    carried = sorted({each for joint in joints for each in (joint, *motion.skeleton.descendants(joint))})
    if not carried:
        return motion
    low = ground.sunk(motion.poses.positions)[:, carried].max(axis=1) > 0.0
    if not low.any():
        return motion
    share = np.where(low, 1.0, -np.inf)
    for each in reversed(_SHARES[:-1]):
        tried = _turned_back(motion, before, joints, np.full(len(motion), each))
        rises = ground.sunk(tried.poses.positions)[:, carried].max(axis=1) == 0.0
        share = np.where(low & rises, each, share)
    path = fade.lifted(np.zeros((len(motion), 1)), np.zeros_like(low), np.ones(1), share)[:, 0]
    return _turned_back(motion, before, joints, np.clip(path, 0.0, 1.0))


def _turned_back(motion: Motion, before: Motion, joints: Sequence[int], share: Array) -> Motion:
    """The motion with rotations of some joints a share (F,) of the way back to how they were."""
    rotations, chosen = np.array(motion.rotations.T).T, np.flatnonzero(share > 0.0)
    for joint in joints:
        own = motion.rotations[chosen, joint]
        back = quaternion.slerp(own, quaternion.aligned(before.rotations[chosen, joint], own), share[chosen])
        rotations[chosen, joint] = back
    return replace(motion, rotations=quaternion.sign_continuous(rotations))

"""Hands that would go through the floor, on longer arms or a longer trunk, are brought up to where the source's are."""

import numpy as np

from ..analysis.contacts import ContactSpans
from ..body import Limb, LimbKind
from ..motion import Motion
from ..numerics import Array
from ..solve import limb_ik
from ..solve.contact_lock import contact_frames, eased, faded
from ..solve.whole_body import solvable
from .ground import Ground

# Share of the leg's length that is not worth a lift.
_NOTHING = 1e-3


def with_hands_lifted(
    motion: Motion, source: Motion, ground: Ground, contacts: ContactSpans, *, fade: float = 0.1
) -> Motion:
    """The motion with hands above the floor, unless the source's wrists are as low.

    Cartwheels and falls: nothing stands still long enough to be a contact, and still hands touch the floor.

    Args:
        source: The source's motion.
        contacts: Of the target's joints; hands in contact stay where they are.
        fade: Seconds over which a lift comes and goes.
    """
    body = ground.between.target.body
    for limb in (limb for limb in body.limbs if limb.kind is LimbKind.ARM and limb.end is not None):
        joints = solvable(body.skeleton, limb, motion.poses)
        if joints is None or joints.end not in ground.between.partners:
            continue
        needed = _needed(motion, source, ground, limb)
        held = contact_frames(contacts, motion.skeleton.names[joints.end], motion.times)
        needed[held] = 0.0
        if needed.any():
            free = 1.0 - faded(np.ones((len(motion), 1)), held, motion.times, fade)[:, 0]
            lift = np.maximum(needed, free * eased(needed, motion.times, fade))
            motion = _lifted(motion, joints, lift[:, None] * ground.up)
    return motion


def _lifted(motion: Motion, joints: limb_ik.Limb, ways: Array) -> Motion:
    """The motion with a wrist moved by (F, 3); frames in which it stays are bit for bit as they were."""
    reached = limb_ik.reach_targets(motion, joints, motion.poses.positions[:, joints.end] + ways, softness=0.0)
    moved = (ways != 0.0).any(axis=1)
    return motion.with_rotations(np.where(moved[:, None, None], reached.rotations, motion.rotations))


def _needed(motion: Motion, source: Motion, ground: Ground, limb: Limb) -> Array:
    """(F,) how far a wrist has to go up so that the hand is above the floor, or as high as the source's wrist is."""
    wrist = int(limb.end or 0)
    hand = [wrist, *motion.skeleton.descendants(wrist)]
    points = np.concatenate([motion.poses.positions[:, hand], motion.poses.tips[:, hand]], axis=1) @ ground.up
    partner = source.poses.positions[:, ground.between.partners[wrist]] @ ground.between.source.up
    wanted = ground.level + ground.scale * (partner - ground.source_floor)
    missing = np.minimum(ground.level - points.min(axis=1), wanted - points[:, 0])
    needed: Array = np.where(missing > _NOTHING * ground.measures[1].leg, missing, 0.0)
    return needed

"""Feet that would go through the floor on other legs are brought up to it."""

import numpy as np

from .. import quaternion
from ..body import Body, Limb
from ..contact_lock.held_limb import solvable
from ..contact_lock.windows import Mask, contact_frames
from ..contacts import ContactSpans
from ..limb_ik import reach_targets
from ..motion import Motion
from ..quaternion import Array
from ..scene_turns import with_scene_turns
from .ground import Ground
from .measures import foot_joints

# Share of the leg's length that is rounding.
_NOTHING = 1e-9
# Radians up to which toes may point up so that they stay above the floor.
_STEEPEST = 0.7


def below_floor(motion: Motion, ground: Ground, limb: Limb) -> Array:
    """(F,) how far the lowest joint of a foot is below where it stands; zero above."""
    heights = motion.poses.positions[:, foot_joints(limb)] @ ground.up
    depth: Array = np.maximum(ground.level - heights.min(axis=1), 0.0)
    return depth


def deepest(motion: Motion, ground: Ground, body: Body) -> float:
    """The deepest that any foot is below where it stands."""
    return max((float(below_floor(motion, ground, limb).max(initial=0.0)) for limb in body.legs), default=0.0)


def lifted(motion: Motion, ground: Ground, body: Body, contacts: ContactSpans) -> Motion:
    """The motion with feet brought up to the floor in frames in which they are below it.

    Toes come up by turning the foot about its ankle, which may stand. What is left lifts the whole foot.

    Args:
        motion: Of the target.
        ground: Its floor.
        body: Its legs.
        contacts: Joints that stay where they are.
    """
    for limb in body.legs:
        joints = solvable(body.skeleton, limb, motion.poses)
        if joints is None or not _is_below(motion, ground, limb).any():
            continue
        motion = _with_toes_up(motion, ground, limb, joints.end)
        depth = np.where(_held(motion, limb, contacts), 0.0, below_floor(motion, ground, limb))
        if (depth > _NOTHING * ground.measures[1].leg).any():
            targets = motion.poses.positions[:, joints.end] + depth[:, None] * ground.up
            motion = reach_targets(motion, joints, targets, softness=0.0)
    return motion


def _is_below(motion: Motion, ground: Ground, limb: Limb) -> Mask:
    return np.asarray(below_floor(motion, ground, limb) > _NOTHING * ground.measures[1].leg)


def _held(motion: Motion, limb: Limb, contacts: ContactSpans) -> Mask:
    """(F,) frames in which a joint of the foot is in contact."""
    names = [motion.skeleton.names[joint] for joint in foot_joints(limb)]
    held: Mask = np.any([contact_frames(contacts, name, motion.times) for name in names], axis=0)
    return held


def _with_toes_up(motion: Motion, ground: Ground, limb: Limb, ankle: int) -> Motion:
    """The motion with feet turned about their ankles until no toe is below the floor."""
    turns, below = quaternion.identity(len(motion)), _is_below(motion, ground, limb)
    places, frames = motion.poses.positions, np.arange(len(motion))
    joints = foot_joints(limb)
    lowest = np.array(joints)[(places[:, joints] @ ground.up).argmin(axis=1)]
    ways = places[frames, lowest] - places[:, ankle]
    length = np.linalg.norm(ways, axis=1)
    chosen = below & (lowest != ankle) & (length > 0.0)
    if not chosen.any():
        return motion
    ways, length = ways[chosen], length[chosen]
    wanted = np.clip((ground.level - places[:, ankle] @ ground.up)[chosen] / length, -1.0, np.sin(_STEEPEST))
    angles = np.arcsin(wanted) - np.arcsin(np.clip(ways @ ground.up / length, -1.0, 1.0))
    turns[chosen] = quaternion.from_axis_angle(np.cross(ways, ground.up), np.maximum(angles, 0.0))
    return with_scene_turns(motion, (ankle,), (turns,))

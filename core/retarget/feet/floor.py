"""Feet that would go through the floor on other legs are brought up to it."""

from collections.abc import Sequence

import numpy as np

from ...analysis.contacts import ContactSpans
from ...body import Body, Limb
from ...motion import Motion, with_scene_turns
from ...numerics import Array, quaternion
from ...solve import reach_targets
from ...solve.contact_lock import Mask, contact_frames, eased, faded
from ...solve.whole_body import moved, solvable
from ..controls import has_control
from ..ground import Ground
from ..proportions.measures import foot_joints

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


def lifted(motion: Motion, ground: Ground, body: Body, contacts: ContactSpans, *, fade: float = 0.1) -> Motion:
    """The motion with feet brought up to the floor in frames in which they are below it.

    Toes below a standing ankle come up by turning the foot about it. A foot in the air is lifted as a whole:
    turning one that hangs down would throw it to one side or the other.

    Args:
        body: Its legs.
        contacts: Joints that stay where they are.
        fade: Seconds beside a contact over which a turn dies away.
    """
    for limb in body.legs:
        joints = solvable(body.skeleton, limb, motion.poses)
        placed = joints is not None or has_control(body.skeleton, limb)
        if not placed or not _is_below(motion, ground, limb).any():
            continue
        motion = _with_toes_up(motion, ground, limb, contacts, fade)
        lift = _lift(motion, ground, limb, contacts, fade)
        if not lift.any():
            continue
        ways = lift[:, None] * ground.up
        if joints is None:
            motion = moved(motion, foot_joints(limb)[0], ways)
        else:
            motion = reach_targets(motion, joints, motion.poses.positions[:, joints.end] + ways, softness=0.0)
    return motion


def _is_below(motion: Motion, ground: Ground, limb: Limb) -> Mask:
    return np.asarray(below_floor(motion, ground, limb) > _NOTHING * ground.measures[1].leg)


def _lift(motion: Motion, ground: Ground, limb: Limb, contacts: ContactSpans, fade: float) -> Array:
    """(F,) how far a foot goes up: nothing while it stands, else at least to the floor, coming and going smoothly.

    Without that a nearly straight leg would answer the last bit of a lift by a snap of its knee.
    """
    held = _held(motion, foot_joints(limb), contacts)
    depth = np.where(held | ~_is_below(motion, ground, limb), 0.0, below_floor(motion, ground, limb))
    if not depth.any():
        return depth
    free = 1.0 - faded(np.ones((len(motion), 1)), held, motion.times, fade)[:, 0]
    return np.maximum(depth, free * eased(depth, motion.times, 2.0 * fade))


def _held(motion: Motion, joints: Sequence[int], contacts: ContactSpans) -> Mask:
    """(F,) frames in which one of some joints is in contact."""
    names = [motion.skeleton.names[joint] for joint in joints]
    held: Mask = np.any([contact_frames(contacts, name, motion.times) for name in names], axis=0)
    return held


def _with_toes_up(motion: Motion, ground: Ground, limb: Limb, contacts: ContactSpans, fade: float) -> Motion:
    """The motion with feet turned about standing ankles until no toe is below the floor."""
    joints, places = foot_joints(limb), motion.poses.positions
    ankle, standing = joints[0], _held(motion, joints[:1], contacts)
    lowest = np.array(joints)[(places[:, joints] @ ground.up).argmin(axis=1)]
    chosen = standing & _is_below(motion, ground, limb) & (lowest != ankle)
    if not chosen.any():
        return motion
    ways = (places[np.arange(len(motion)), lowest] - places[:, ankle])[chosen]
    length = np.linalg.norm(ways, axis=1)
    wanted = np.clip((ground.level - places[:, ankle] @ ground.up)[chosen] / length, -1.0, np.sin(_STEEPEST))
    angles = np.arcsin(wanted) - np.arcsin(np.clip(ways @ ground.up / length, -1.0, 1.0))
    turns = np.zeros((len(motion), 3))
    turns[chosen] = quaternion.log(quaternion.from_axis_angle(np.cross(ways, ground.up), np.maximum(angles, 0.0)))
    turns = faded(turns, standing, motion.times, fade)
    turns[~standing & _held(motion, joints, contacts)] = 0.0
    return with_scene_turns(motion, (ankle,), (quaternion.exp(turns),))

"""Edits of the sample motion that move its feet, and how far off they are."""

from __future__ import annotations

import numpy as np
from made_motion import smooth_rotations

from core.analysis.contacts import ContactSpans
from core.body import Axis, Body, Limb, LimbKind, Side, find_body
from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.sample_motion import sample_events, sample_motion

WALK = sample_motion(30.0)
BODY = find_body(WALK.skeleton, motion=WALK)
CONTACTS = ContactSpans(sample_events().contacts)
INDEX = WALK.skeleton.index
LEG_JOINTS = [INDEX[f"{name}.{side}"] for side in "LR" for name in ("thigh", "shin", "foot", "toe")]
ARM_JOINTS = [INDEX[f"{name}.{side}"] for side in "LR" for name in ("shoulder", "upper_arm", "forearm", "hand")]
UP, SIDE, FRONT = np.eye(3)[2], np.eye(3)[0], -np.eye(3)[1]
HEIGHT = float(BODY.height)


def bell(motion: Motion, middle: float, width: float) -> np.ndarray:
    """(F,) from 0 to 1 at the middle and back to 0."""
    share = np.clip(np.abs(motion.times - middle) / width, 0.0, 1.0)
    return 1.0 - share**2 * (3.0 - 2.0 * share)


def with_root_moved(motion: Motion, body: Body, way, *, middle: float, width: float = 0.7) -> Motion:
    """The root moved by a way in the scene at one time, fading out before and after it."""
    root, skeleton = body.root, motion.skeleton
    parent = int(skeleton.parents[root])
    axes = quaternion.IDENTITY if parent < 0 else motion.poses.rotations[:, parent]
    if skeleton.local_location[root]:
        axes = quaternion.multiply(axes, skeleton.rest_offsets[0][root])
    locations = np.array(motion.locations)
    shift = bell(motion, middle, width)[:, None] * np.asarray(way)
    locations[:, root] += quaternion.rotate(quaternion.conjugate(axes), shift)
    return motion.with_locations(locations)


def with_root_turned(motion: Motion, body: Body, turn, *, middle: float, width: float = 0.8) -> Motion:
    rotations = np.array(motion.rotations)
    extra = quaternion.exp(bell(motion, middle, width)[:, None] * np.asarray(turn))
    rotations[:, body.root] = quaternion.multiply(rotations[:, body.root], extra)
    return motion.with_rotations(rotations)


def with_joint_turned(motion: Motion, joint: str, turn) -> Motion:
    rotations = np.array(motion.rotations)
    number = motion.skeleton.index[joint]
    rotations[:, number] = quaternion.multiply(rotations[:, number], quaternion.exp(np.asarray(turn)))
    return motion.with_rotations(rotations)


def largest_miss(before: Motion, held: Motion, contacts: ContactSpans) -> float:
    """Largest distance of a joint in contact from where it was, frame by frame."""
    away = np.linalg.norm(held.poses.positions - before.poses.positions, axis=-1)
    index = before.skeleton.index
    return max(away[contacts.active(joint, before.times), index[joint]].max(initial=0.0) for joint in contacts.joints)


def with_foot_controls() -> tuple[Motion, Body]:
    """A control rig: a leg, and a control beside it that places the foot."""
    skeleton = Skeleton.build(
        ["root", "hips", "thigh.L", "shin.L", "control.L"],
        [-1, 0, 1, 2, 0],
        [[0, 0, 0], [0, 0, 1.0], [0.1, 0, 0.9], [0.1, 0.05, 0.5], [0.1, 0, 0.1]],
    )
    motion = Motion.build(skeleton, smooth_rotations(60, 5, seed=2, reach=0.1), rate=30.0)
    limb = Limb(LimbKind.LEG, Side.LEFT, (2, 3), 4)
    return motion, Body(skeleton, root=0, limbs=(limb,), up=Axis.PLUS_Z, height=1.8)


EDITS = {
    "up": with_root_moved(WALK, BODY, 0.07 * HEIGHT * UP, middle=1.9),
    "far up": with_root_moved(WALK, BODY, 0.2 * HEIGHT * UP, middle=5.3),
    "down": with_root_moved(WALK, BODY, -0.12 * HEIGHT * UP, middle=4.6),
    "aside": with_root_moved(WALK, BODY, 0.08 * HEIGHT * SIDE, middle=7.6),
    "ahead": with_root_moved(WALK, BODY, 0.08 * HEIGHT * FRONT, middle=2.4),
    "tilted": with_root_turned(WALK, BODY, [0.35, 0.0, 0.1], middle=8.4),
    "turned": with_root_turned(WALK, BODY, [0.0, 0.5, 0.0], middle=1.3),
}
OUT_OF_REACH = with_root_moved(WALK, BODY, 0.5 * HEIGHT * SIDE, middle=5.3)

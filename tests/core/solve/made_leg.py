"""A leg that swings and bends, made in code, and targets for its foot."""

import numpy as np
from scipy.spatial.transform import Rotation

from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.solve.limb_ik import Limb

UPPER, TWIST, LOWER, END, TOE = 1, 2, 3, 4, 5
LIMB = Limb(UPPER, LOWER, END)


def leg_skeleton(upper=0.45, lower=0.4):
    """A leg below a hip, with a joint between knee and hip and tilted rest axes."""
    rest = Rotation.from_euler("xyz", np.arange(18).reshape(6, 3) * 0.3).as_quat()[:, [3, 0, 1, 2]]
    knee = [0.1, 0.0, 1.0 - upper]
    return Skeleton.build(
        ("hip", "thigh", "thigh_twist", "shin", "foot", "toe"),
        [-1, 0, 1, 2, 3, 4],
        [[0, 0, 1], [0.1, 0, 1], [0.1, 0, 1 - upper / 2], knee, [0.1, 0, 1 - upper - lower], [0.1, -0.2, 0]],
        rest_rotations=rest,
    )


def about(skeleton, joint, axis, angles):
    """Rotations about an axis of the scene, in the joint's own rest axes."""
    rest = skeleton.rest_rotations[joint]
    local = quaternion.rotate(quaternion.conjugate(rest), np.asarray(axis, dtype=float))
    return quaternion.from_axis_angle(local, angles)


def bent_leg(frames=40, *, seed=3, bend=None, **lengths):
    """A leg that swings at random, its knee bent about the x axis by `bend` radians."""
    generator = np.random.default_rng(seed)
    skeleton = leg_skeleton(**lengths)
    swing = np.cumsum(generator.normal(scale=0.05, size=(frames, 6, 3)), axis=0)
    rotations = quaternion.exp(swing)
    bend = generator.uniform(0.3, 1.8, frames) if bend is None else np.broadcast_to(bend, frames)
    rotations[:, TWIST] = quaternion.IDENTITY
    rotations[:, LOWER] = about(skeleton, LOWER, [1, 0, 0], bend)
    locations = np.zeros((frames, 6, 3))
    locations[:, 0] = generator.normal(size=(frames, 3))
    return Motion.build(skeleton, rotations, rate=30, locations=locations)


def limb_length(motion):
    first, second, third = (motion.poses.positions[0, joint] for joint in (UPPER, LOWER, END))
    return np.linalg.norm(second - first) + np.linalg.norm(third - second)


def nearby_targets(motion, *, spread=0.1, limit=0.97, seed=5):
    """Targets around the end, all within reach."""
    generator = np.random.default_rng(seed)
    positions = motion.poses.positions
    offset = positions[:, END] + generator.normal(scale=spread, size=(len(motion), 3)) - positions[:, UPPER]
    distance = np.linalg.norm(offset, axis=1, keepdims=True)
    return positions[:, UPPER] + offset / distance * np.clip(distance, 0.2, limit * limb_length(motion))

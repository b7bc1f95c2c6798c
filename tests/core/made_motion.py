"""Seeded skeletons and motions for tests: small, smooth, the same in every run."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.numerics.quaternion import Array


def random_rotations(*shape: int, seed: int = 0) -> Array:
    """Unit quaternions, evenly spread over all rotations."""
    return quaternion.normalize(np.random.default_rng(seed).normal(size=(*shape, 4)))


def smooth_curves(frames: int, count: int, seed: int = 0, *, waves: int = 4) -> Array:
    """(F, N) sums of a few slow sine waves of size about one."""
    random = np.random.default_rng(seed)
    speed = random.uniform(0.5, 4.0, size=(waves, 1, count))
    phase = random.uniform(0.0, 2 * np.pi, size=(waves, 1, count))
    size = random.normal(size=(waves, 1, count)) / waves
    turn = np.linspace(0.0, 2 * np.pi, frames)[:, None]
    return (size * np.sin(speed * turn + phase)).sum(axis=0)


def noisy_curves(frames: int, count: int, seed: int = 0, *, noise: float = 0.05) -> Array:
    """(F, N) smooth curves with white noise on top."""
    random = np.random.default_rng(seed + 1)
    return smooth_curves(frames, count, seed) + noise * random.normal(size=(frames, count))


def smooth_rotations(frames: int, joints: int, seed: int = 0, *, reach: float = 1.5) -> Array:
    """(F, J, 4) rotations that swing by about `reach` radians, without sign jumps."""
    vectors = reach * smooth_curves(frames, joints * 3, seed).reshape(frames, joints, 3)
    return quaternion.sign_continuous(quaternion.exp(vectors))


def random_skeleton(joints: int, seed: int = 0, **flags: Any) -> Skeleton:
    """A tree with random rest axes whose joints are listed in a random order."""
    random = np.random.default_rng(seed)
    tree = np.array([-1, *(random.integers(0, joint) for joint in range(1, joints))])
    order = random.permutation(joints)
    place_of = np.argsort(order)
    parents = np.array([-1 if tree[joint] < 0 else place_of[tree[joint]] for joint in order])
    return Skeleton.build(
        [f"joint {number}" for number in range(joints)],
        parents,
        random.normal(size=(joints, 3)),
        rest_rotations=random.normal(size=(joints, 4)),
        tips=random.normal(size=(joints, 3)),
        **flags,
    )


def chain(joints: int, **flags: Any) -> Skeleton:
    """Joints one above the other, one unit apart, in the world's axes."""
    positions = np.zeros((joints, 3))
    positions[:, 1] = np.arange(joints)
    return Skeleton.build(
        [f"joint {number}" for number in range(joints)],
        np.arange(-1, joints - 1),
        positions,
        tips=np.tile([0.0, 1.0, 0.0], (joints, 1)),
        **flags,
    )


def swinging_chain(joints: int = 3, frames: int = 30, seed: int = 0, *, rate: float = 30.0) -> Motion:
    """A chain whose joints swing smoothly while its root wanders."""
    locations = np.zeros((frames, joints, 3))
    locations[:, 0] = smooth_curves(frames, 3, seed + 7)
    return Motion.build(chain(joints), smooth_rotations(frames, joints, seed), rate=rate, locations=locations)

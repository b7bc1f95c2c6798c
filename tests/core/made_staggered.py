"""Noisy motions with staggered poses, made in code, and how they are compared."""

from __future__ import annotations

import numpy as np
from made_motion import chain, noisy_curves, smooth_curves

from core.motion.motion import Motion
from core.numerics import quaternion
from core.numerics.quaternion import Array
from core.staggered import StaggeredMotion, fit

POSE_TIMES = [0.0, 0.7, 1.5, 2.1, 3.3]


def noisy_motion(joints: int = 4, frames: int = 100, seed: int = 0) -> Motion:
    """A chain with fine noise on every channel: rotations, two locations, scales, scalars."""
    vectors = 0.9 * noisy_curves(frames, joints * 3, seed).reshape(frames, joints, 3)
    locations, scales = np.zeros((frames, joints, 3)), np.ones((frames, joints, 3))
    locations[:, [0, 2]] = noisy_curves(frames, 6, seed + 1).reshape(frames, 2, 3)
    scales[:, 1] += 0.1 * smooth_curves(frames, 3, seed + 2)
    return Motion.build(
        chain(joints),
        quaternion.exp(vectors),
        rate=30.0,
        locations=locations,
        scales=scales,
        scalars=noisy_curves(frames, 2, seed + 3),
        scalar_names=("blink", "smile"),
    )


def staggered(motion: Motion, seed: int = 0, times: list[float] = POSE_TIMES) -> StaggeredMotion:
    """Fitted with refinements of up to a fifth of a second, none at the ends."""
    spread = np.random.default_rng(seed).uniform(-0.2, 0.2, size=(len(times), len(motion.skeleton)))
    spread[[0, -1]] = 0.0
    return fit(motion, times, spread)


def largest_difference(a: Motion, b: Motion) -> float:
    """Radians or units, over all channels."""
    numbers = [np.abs(getattr(a, name) - getattr(b, name)) for name in ("locations", "scales", "scalars")]
    turned = quaternion.angle_between(a.rotations, b.rotations)
    return float(max([turned.max(), *(part.max() for part in numbers if part.size)]))


def unchanged_frames(a: Motion, b: Motion) -> Array:
    """(F,) all channels of the frame are the same bit for bit."""
    same = [
        (getattr(a, name) == getattr(b, name)).reshape(len(a), -1).all(axis=1)
        for name in ("rotations", "locations", "scales", "scalars")
    ]
    return np.all(same, axis=0)

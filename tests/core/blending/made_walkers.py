"""Motions that travel, made in code, and how they are compared."""

from __future__ import annotations

import numpy as np
from made_motion import Motion, smooth_curves, smooth_rotations
from made_person import person

FRAMES, UP = 50, np.array([0.0, 1.0, 0.0])
ARRAYS = ("rotations", "locations", "scales", "scalars")


def walker(seed: int = 0, *, speed: float = 10.0, reach: float = 0.4) -> Motion:
    """A person that goes along z while it swings."""
    skeleton, _ = person()
    locations = np.zeros((FRAMES, len(skeleton), 3))
    locations[:, 0] = 0.3 * smooth_curves(FRAMES, 3, seed + 5)
    locations[:, 0, 2] += speed * np.linspace(0.0, 2.0, FRAMES)
    return Motion.build(
        skeleton,
        smooth_rotations(FRAMES, len(skeleton), seed, reach=reach),
        rate=30.0,
        locations=locations,
        scales=1.0 + 0.1 * smooth_curves(FRAMES, 3 * len(skeleton), seed + 1).reshape(FRAMES, -1, 3),
        scalars=smooth_curves(FRAMES, 2, seed),
        scalar_names=("smile", "frown"),
    )


def unscaled(motion: Motion) -> Motion:
    return motion.with_scales(np.ones_like(motion.scales))


def assert_same(one: Motion, other: Motion) -> None:
    for name in ARRAYS:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name

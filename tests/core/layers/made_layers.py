"""A motion, layers over it made of edited poses, and how motions are compared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from made_motion import Motion, chain, smooth_curves, smooth_rotations

from core.layers import (
    Layer,
    Scope,
    layer_from_edits,
)
from core.motion.offsets.pose_rows import chosen
from core.numerics import quaternion

FRAMES, JOINTS, RATE = 60, 5, 30.0
ARRAYS = ("rotations", "locations", "scales", "scalars")


def base() -> Motion:
    return Motion.build(
        chain(JOINTS),
        smooth_rotations(FRAMES, JOINTS, 1),
        rate=RATE,
        locations=smooth_curves(FRAMES, 3 * JOINTS, 2).reshape(FRAMES, JOINTS, 3),
        scalars=smooth_curves(FRAMES, 2, 3),
        scalar_names=("smile", "frown"),
    )


def edited(motion: Motion, frames: list[int], *, seed: int = 0, size: float = 0.5, joints: int = 3) -> Motion:
    """Poses at some frames whose first joints and first scalar were changed."""
    random = np.random.default_rng(seed)
    poses = chosen(motion, frames)
    turns, moves = np.zeros((2, len(frames), len(motion.skeleton), 3))
    turns[:, :joints] = size * random.normal(size=(len(frames), joints, 3))
    moves[:, :joints] = random.normal(size=(len(frames), joints, 3))
    scalars = np.array(poses.scalars)
    scalars[:, :1] += random.normal(size=(len(frames), min(1, scalars.shape[1])))
    return replace(
        poses,
        rotations=quaternion.multiply(poses.rotations, quaternion.exp(turns)),
        locations=poses.locations + moves,
        scalars=scalars,
    )


def made_layer(name: str = "one", *, frames: tuple[int, ...] = (20, 28, 33), seed: int = 0, **scope: float) -> Layer:
    motion = base()
    poses = edited(motion, list(frames), seed=seed)
    return layer_from_edits(motion, frames, poses, name=name, scope=Scope(**scope))


def assert_same(one: Motion, other: Motion, rows: object = slice(None)) -> None:
    for name in ARRAYS:
        assert np.array_equal(getattr(one, name)[rows], getattr(other, name)[rows]), name


def assert_near(one: Motion, other: Motion, *, within: float = 1e-9) -> None:
    assert quaternion.angle_between(one.rotations, other.rotations).max() < within
    for name in ARRAYS[1:]:
        assert np.abs(getattr(one, name) - getattr(other, name)).max() < within, name

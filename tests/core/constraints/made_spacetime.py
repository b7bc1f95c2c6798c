"""Motions and splines for tests of spacetime edits."""

from __future__ import annotations

import numpy as np
from made_motion import Motion, chain, smooth_curves, smooth_rotations

from core.solve.spacetime import SplineBasis

FRAMES, JOINTS = 90, 6


def made(seed: int = 0, joints: int = JOINTS) -> Motion:
    """A chain that swings, its root on a wandering path."""
    locations = np.zeros((FRAMES, joints, 3))
    locations[:, 0] = smooth_curves(FRAMES, 3, seed + 5)
    return Motion.build(
        chain(joints), smooth_rotations(FRAMES, joints, seed, reach=0.7), rate=30.0, locations=locations
    )


def basis(spacing: float = 10.0, **window: int) -> SplineBasis:
    return SplineBasis.build(FRAMES, spacing=spacing, **window)


def point(motion: Motion, joint: int, frame: int) -> np.ndarray:
    return motion.poses.positions[frame, joint]


def energy_above(change: np.ndarray, spacing: float) -> float:
    """Share of the energy of a change above half a wave for each spacing."""
    length = 8 * len(change)
    waves = np.abs(np.fft.rfft(change, length, axis=0)) ** 2
    quick = np.fft.rfftfreq(length) > 0.5 / spacing
    return float(waves[quick].sum() / waves.sum())

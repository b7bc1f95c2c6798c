"""A clean motion, flaws that are put into it, and where they were found."""

from __future__ import annotations

import numpy as np
from made_motion import Motion, chain, smooth_curves, smooth_rotations

from core.analysis.flaws import Flaw
from core.numerics import quaternion

FRAMES, JOINTS, RATE = 300, 4, 60.0
# Joint, first and last frame.
SPANS = [(0, 40, 40), (1, 100, 101), (2, 200, 202), (2, 60, 60)]


def clean(seed: int = 1) -> Motion:
    """Swinging joints with a little noise and a root that travels."""
    noise = 0.002 * np.random.default_rng(seed).normal(size=(FRAMES, JOINTS, 3))
    rotations = quaternion.multiply(smooth_rotations(FRAMES, JOINTS, seed), quaternion.exp(noise))
    locations = np.zeros((FRAMES, JOINTS, 3))
    locations[:, 0] = smooth_curves(FRAMES, 3, seed + 3)
    return Motion.build(chain(JOINTS), rotations, rate=RATE, locations=locations)


def with_spikes(motion: Motion, spans: list[tuple[int, int, int]], size: float) -> Motion:
    """Rotations turned away in some spans of joint, first and last frame."""
    rotations = np.array(motion.rotations)
    for joint, first, last in spans:
        turn = quaternion.exp(size * np.array([0.6, -0.8, 0.0]))
        rotations[first : last + 1, joint] = quaternion.multiply(rotations[first : last + 1, joint], turn)
    return motion.with_rotations(rotations)


def places(flaws: tuple[Flaw, ...]) -> list[tuple[str, str, int, int]]:
    return [(flaw.joint, flaw.channel, flaw.first, flaw.last) for flaw in flaws]


def marked(motion: Motion, flaws: tuple[Flaw, ...]) -> np.ndarray:
    """(F, J) samples of rotations that are listed."""
    mask = np.zeros(motion.rotations.shape[:2], dtype=bool)
    for flaw in flaws:
        if flaw.channel == "rotation":
            mask[flaw.first : flaw.last + 1, motion.skeleton.index[flaw.joint]] = True
    return mask

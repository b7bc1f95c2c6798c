"""Figures that step on the spot, one turn like the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.motion.motion import Motion
from core.sample_motion import sample_skeleton

PERIOD, CYCLES = 1.1, 6


def turned_about_x(angles: Any) -> Any:
    """(F, 4) rotations."""
    zero = np.zeros_like(angles)
    return np.stack([np.cos(0.5 * angles), np.sin(0.5 * angles), zero, zero], axis=-1)


def made_walk(rate: float = 30.0, *, turns: float = CYCLES + 1) -> Motion:
    """Steps on the spot."""
    skeleton = sample_skeleton()
    phase = 2.0 * np.pi / PERIOD * np.arange(round(turns * PERIOD * rate) + 1) / rate
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (len(phase), len(skeleton), 1))
    for side, own in (("L", phase), ("R", phase + np.pi)):
        angles = {
            "thigh": 0.45 * np.sin(own),
            "shin": 0.36 * (1.0 + np.sin(own + 1.2)),
            "upper_arm": -0.4 * np.sin(own),
        }
        for name, turned in angles.items():
            rotations[:, skeleton.index[f"{name}.{side}"]] = turned_about_x(turned)
    return Motion.build(skeleton, rotations, rate=rate)

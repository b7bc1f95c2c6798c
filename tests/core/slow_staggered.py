"""Obvious versions of what staggered poses do: one interval, one joint, one time after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from core.quaternion import Array

# The paper's weights (Appendix A): fitting against unit length.
FITTING_WEIGHT, LENGTH_WEIGHT = 1000.0, 1.0


def slerp(a: Array, b: Array, weight: float) -> Array:
    """From one quaternion to another, the shorter way; both may be longer or shorter than one."""
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    b = -b if a @ b < 0.0 else b
    angle = np.arccos(np.clip(a @ b, -1.0, 1.0))
    if angle < 1e-7:
        mixed = (1.0 - weight) * a + weight * b
        return mixed / np.linalg.norm(mixed)
    return (np.sin((1.0 - weight) * angle) * a + np.sin(weight * angle) * b) / np.sin(angle)


def rotation_spline(controls: Any, time: float) -> Array:
    """Shoemake's cubic: slerp between four, three, two control rotations."""
    level = [np.asarray(control) for control in controls]
    while len(level) > 1:
        level = [slerp(a, b, time) for a, b in zip(level[:-1], level[1:], strict=True)]
    return level[0]


def fitting_cost(controls: Any, times: Array, values: Array) -> float:
    """Mean squared angle between spline and samples, as the paper measures it: half the rotation's."""
    misses = [
        np.arccos(min(abs(float(value @ rotation_spline(controls, time))), 1.0)) ** 2
        for time, value in zip(times, values, strict=True)
    ]
    return float(np.mean(misses))


def nelder_mead(first: Array, last: Array, times: Array, values: Array, **options: Any) -> tuple[Array, Array]:
    """The paper's solver: inner controls by the downhill simplex, started on the straight way."""

    def cost(unknown: Array) -> float:
        second, third = unknown[:4], unknown[4:]
        length = abs(second @ second + third @ third - 2.0)
        return FITTING_WEIGHT * _cost(first, second, third, last, times, values) + LENGTH_WEIGHT * length

    start = np.concatenate([slerp(first, last, 1.0 / 3.0), slerp(first, last, 2.0 / 3.0)])
    found = minimize(cost, start, method="Nelder-Mead", options=options).x
    second, third = found[:4], found[4:]
    return second / np.linalg.norm(second), third / np.linalg.norm(third)


def _cost(first: Array, second: Array, third: Array, last: Array, times: Array, values: Array) -> float:
    """fitting_cost with all times of the interval at once, or a test would take minutes."""
    level = [np.broadcast_to(control / np.linalg.norm(control), values.shape) for control in (first, second, third, last)]
    while len(level) > 1:
        level = [_slerps(a, b, times) for a, b in zip(level[:-1], level[1:], strict=True)]
    cosine = np.abs((values * level[0]).sum(axis=1)).clip(max=1.0)
    return float(np.mean(np.arccos(cosine) ** 2))


def _slerps(a: Array, b: Array, times: Array) -> Array:
    b = np.where(((a * b).sum(axis=1) < 0.0)[:, None], -b, b)
    angle = np.arccos(np.clip((a * b).sum(axis=1), -1.0, 1.0))[:, None]
    weight, flat = times[:, None], angle < 1e-7
    sine = np.where(flat, 1.0, np.sin(angle))
    start = np.where(flat, 1.0 - weight, np.sin((1.0 - weight) * angle) / sine)
    return start * a + np.where(flat, weight, np.sin(weight * angle) / sine) * b


def rotation(quaternion: Array) -> Rotation:
    """SciPy's rotation of a quaternion w, x, y, z."""
    return Rotation.from_quat(np.roll(quaternion, -1, axis=-1))

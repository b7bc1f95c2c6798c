"""Obvious versions of what staggered poses do: one interval, one joint, one time after the other."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from core.numerics.quaternion import Array
from core.staggered.model import StaggeredMotion

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
        level = [slerp(a, b, time) for a, b in pairwise(level)]
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
    level = [
        np.broadcast_to(control / np.linalg.norm(control), values.shape) for control in (first, second, third, last)
    ]
    while len(level) > 1:
        level = [_slerps(a, b, times) for a, b in pairwise(level)]
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


def everything_edited(model: StaggeredMotion) -> StaggeredMotion:
    """The same model, none of whose intervals counts as untouched: all of it must be evaluated."""
    fitted = replace(
        model.fitted,
        rotations=model.rotations.changed(strength=np.full_like(model.rotations.strength, np.nan)),
        numbers=model.numbers.changed(strength=np.full_like(model.numbers.strength, np.nan)),
    )
    return replace(model, fitted=fitted)


def evaluate_rotation(model: StaggeredMotion, joint: int, time: float) -> Array:
    """One joint's rotation at one time: find the interval, its spline, its displacement."""
    track, timing = model.rotations, model.fitted.timing
    slots = [slot for slot in range(len(timing.slots_used)) if timing.slots_used[slot, joint]]
    times = [timing.slot_times[slot, joint] for slot in slots]
    time = old_time(model, joint, time)
    place = max(0, min(sum(knot <= time for knot in times) - 1, len(times) - 2))
    way = min(max((time - times[place]) / (times[place + 1] - times[place]), 0.0), 1.0)
    interval = sum(timing.slots_used[:, :joint].sum(axis=0) - 1) + place
    first, last = (track.values[track.layout.number[slot, joint]] for slot in slots[place : place + 2])
    controls = [first, _turned_own(first, track.leaving[interval]), _turned_own(last, track.arriving[interval]), last]
    samples = slice(track.detail.starts[interval], track.detail.starts[interval + 1])
    offset = [np.interp(way, track.detail.times[samples], track.detail.offsets[samples, axis]) for axis in range(3)]
    displacement = Rotation.from_rotvec(track.strength[interval] * np.array(offset))
    return as_quaternion(displacement * rotation(rotation_spline(controls, way)))


def old_time(model: StaggeredMotion, variable: int, time: float) -> float:
    """The time of its fitted curve that a variable shows: smooth and rising through its extremes, one after the other.

    The piece between two extremes with mean speed s and speeds a and b at its ends is a quotient of quadratics.
    """
    present = np.flatnonzero(model.timing.present[:, variable])
    old = [float(model.fitted.timing.extreme_times[pose, variable]) for pose in present]
    new = [float(model.timing.extreme_times[pose, variable]) for pose in present]
    place = max(0, min(sum(knot <= time for knot in new) - 1, len(new) - 2))
    share = min(max((time - new[place]) / (new[place + 1] - new[place]), 0.0), 1.0)
    mean = (old[place + 1] - old[place]) / (new[place + 1] - new[place])
    a, b = _knot_speed(old, new, place), _knot_speed(old, new, place + 1)
    top = mean * share**2 + a * share * (1.0 - share)
    return old[place] + (old[place + 1] - old[place]) * top / (mean + (a + b - 2.0 * mean) * share * (1.0 - share))


def _knot_speed(old: list[float], new: list[float], knot: int) -> float:
    """The speeds on both sides, the nearer one counting more; that of time which is as it was beside it."""
    sides = [place for place in (knot - 1, knot) if 0 <= place < len(new) - 1]
    if any(old[place : place + 2] == new[place : place + 2] for place in sides):
        return 1.0
    paces = [(old[place + 1] - old[place]) / (new[place + 1] - new[place]) for place in sides]
    if len(sides) == 1:
        return paces[0]
    before, after = (new[place + 1] - new[place] for place in sides)
    return float(np.exp((after * np.log(paces[0]) + before * np.log(paces[1])) / (before + after)))


def _turned_own(knot: Array, tangent: Array) -> Array:
    """A rotation turned on about its own axes."""
    return as_quaternion(rotation(knot) * Rotation.from_rotvec(tangent))


def as_quaternion(turn: Rotation) -> Array:
    """Quaternion w, x, y, z of SciPy's rotation."""
    return np.roll(turn.as_quat(), 1)

"""Breakdown keys where a curve that was retimed with sparse keys strays from what it should show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .key_splits import with_breakdowns
from .keys import evaluated, read_keys, write_keys

if TYPE_CHECKING:
    from bpy.types import FCurve

    from ...key_options import KeyOptions
    from .channels import Property

_MOST_ROUNDS = 12


def bound_of(prop: Property, options: KeyOptions, size: float) -> float:
    """Largest error of a channel, in its own unit, that keeps the error stated for the whole property.

    Args:
        prop: The property.
        options: State the errors.
        size: Units of the scene that a unit of the property is, if it is a location.
    """
    name = prop.path.rpartition(".")[2]
    if name == "rotation_quaternion":
        return 0.5 * options.rotation_error
    if name.startswith("rotation_"):
        return options.rotation_error
    return options.location_error / (size or 1.0) if name == "location" else options.scalar_error


def follow(curve: FCurve, frames: np.ndarray, wanted: np.ndarray, bound: float) -> tuple[int, float]:
    """Add breakdown keys until the curve is nowhere farther than `bound` from the wanted values at the frames.

    Between every two keys the worst frame gets a key, as often as it takes. Gives how many keys
    were added and the largest error that is left.
    """
    added = 0
    for _round in range(_MOST_ROUNDS):
        got = evaluated(curve, frames).astype(np.float64)
        error = np.abs(got - wanted)
        if error.max(initial=0.0) <= bound:
            break
        keys = read_keys(curve)
        worst = _worst_of_each_segment(frames, error, keys["co"][:, 0], bound)
        tilt = np.gradient(wanted - got, frames)[worst] if len(frames) > 1 else np.zeros(len(worst))
        write_keys(curve, with_breakdowns(keys, frames[worst], wanted[worst], tilt))
        curve.update()
        added += len(worst)
    got = evaluated(curve, frames).astype(np.float64)
    return added, float(np.abs(got - wanted).max(initial=0.0))


def _worst_of_each_segment(frames: np.ndarray, error: np.ndarray, keys: np.ndarray, bound: float) -> np.ndarray:
    segment = np.searchsorted(keys, frames + 1e-3)
    free = np.abs(keys[np.clip(segment - 1, 0, len(keys) - 1)] - frames) > 0.5
    worst = []
    for number in np.unique(segment[(error > bound) & free]):
        inside = np.flatnonzero((segment == number) & free)
        worst.append(int(inside[np.argmax(error[inside])]))
    return np.array(worst, dtype=np.intp)

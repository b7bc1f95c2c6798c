"""Breakdown keys where a curve that was retimed with sparse keys strays from what it should show."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, eq=False)
class Following:
    """A sparse curve and what it should show.

    Attributes:
        curve: With its new keys.
        wanted: (F,) values that it should show.
        bound: Largest error that does not matter.
        reach: How much is seen of an error; what more is seen of gets a key first.
    """

    curve: FCurve
    wanted: np.ndarray
    bound: float
    reach: float = 1.0

    def errors(self, frames: np.ndarray) -> np.ndarray:
        """(F,) what is missing at the frames (F,)."""
        return self.wanted - evaluated(self.curve, frames).astype(np.float64)


def follow(curves: list[Following], frames: np.ndarray, most: int) -> int:
    """Add breakdown keys where curves are farther than their bound from what they should show; gives how many.

    Between every two keys the worst frame gets a key, as often as it takes, the worst of all curves first. There are
    no more than `most` of them.
    """
    added, open_curves = 0, list(curves)
    for _round in range(_MOST_ROUNDS):
        missing = [_missing(each, frames) for each in open_curves]
        found = [(miss * each.reach, number, frame)
                 for number, (each, (errors, worst)) in enumerate(zip(open_curves, missing, strict=True))
                 for frame, miss in zip(worst.tolist(), np.abs(errors[worst]).tolist(), strict=True)]  # fmt: skip
        chosen = sorted(found, reverse=True)[: most - added]
        if not chosen:
            break
        for number in dict.fromkeys(each for _miss, each, _frame in chosen):
            places = np.array(sorted(frame for _miss, each, frame in chosen if each == number))
            _put_keys(open_curves[number], frames, places, missing[number][0])
        added += len(chosen)
        open_curves = [each for each, (_errors, worst) in zip(open_curves, missing, strict=True) if len(worst)]
    return added


def _missing(following: Following, frames: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(F,) errors of a curve, and the places of those that want a key."""
    errors, keys = following.errors(frames), read_keys(following.curve, "co")["co"][:, 0]
    return errors, _worst_of_each_segment(frames, np.abs(errors), keys, following.bound)


def _put_keys(following: Following, frames: np.ndarray, places: np.ndarray, errors: np.ndarray) -> None:
    tilt = np.gradient(errors, frames)[places] if len(frames) > 1 else np.zeros(len(places))
    keys = with_breakdowns(read_keys(following.curve), frames[places], following.wanted[places], tilt)
    write_keys(following.curve, keys)
    following.curve.update()


def _worst_of_each_segment(frames: np.ndarray, error: np.ndarray, keys: np.ndarray, bound: float) -> np.ndarray:
    segment = np.searchsorted(keys, frames + 1e-3)
    free = np.abs(keys[np.clip(segment - 1, 0, len(keys) - 1)] - frames) > 0.5
    worst = []
    for number in np.unique(segment[(error > bound) & free]):
        inside = np.flatnonzero((segment == number) & free)
        worst.append(int(inside[np.argmax(error[inside])]))
    return np.array(worst, dtype=np.intp)

"""Ground that moves: a figure that walks on the spot stands on it as on a treadmill.

Loops for games are made so. The body stays where it is, and feet that stand go back at the speed at which the
figure would walk. Contacts are found there too, and what is asked of standing feet is asked of them on that ground.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array

# A joint, and the frames in which it stands.
Stance = tuple[int, slice]

# Part of the ground's speed by which a figure on the spot may travel, and the least share of the time in contact in
# which feet go along with the ground: this far into its direction, and no further from it than this part of its speed.
_TRAVEL, _SHARE, _ALONG, _ASIDE = 0.15, 0.75, 0.25, 1.5
# Figure's sizes a second below which feet creep, and the ground stands.
_CREEPING = 0.1
# Least time in contact, of all feet together, as a share of the motion: less says nothing about how it goes on.
_STANDING = 0.25


def ground_velocity(places: Array, times: Array, stances: Sequence[Stance], *, up: Array | None = None) -> Array:
    """(3,) units a second by which the ground moves under a figure that stays where it is; zero if it stands.

    Args:
        places: (F, J, 3) joints.
        times: (F,) seconds.
        stances: What stands, and when.
        up: (3,) away from the ground, which moves along itself.
    """
    whole = [(joint, run) for joint, run in stances if run.stop - run.start > 1]
    if len({joint for joint, _ in whole}) < 2:
        return np.zeros(3)
    ways = np.array([places[run.stop - 1, joint] - places[run.start, joint] for joint, run in whole])
    spans = np.array([times[run.stop - 1] - times[run.start] for _, run in whole])
    velocities = ways / spans[:, None]
    if up is not None:
        velocities = velocities - (velocities @ up)[:, None] * up
    common = _weighted_median(velocities, spans)
    goes_along = is_along(velocities, common)
    total = float(spans.sum())
    shared = float(spans[goes_along].sum()) >= _SHARE * total >= _SHARE * _STANDING * float(times[-1] - times[0])
    return common if shared and is_treadmill(places, times, common) else np.zeros(3)


def is_treadmill(places: Array, times: Array, velocity: Array) -> bool:
    """Whether a figure stays where it is while its standing feet go away at a velocity (3,).

    Args:
        places: (F, J, 3) joints of the whole figure.
        times: (F,) seconds.
        velocity: Of the feet, in units a second.
    """
    speed = float(np.linalg.norm(velocity))
    size = float(np.median(np.linalg.norm(np.ptp(places, axis=1), axis=-1)))
    travel = places[[0, -1]].mean(axis=1)
    travelled = float(np.linalg.norm(travel[1] - travel[0])) / max(float(times[-1] - times[0]), 1e-9)
    return speed > _CREEPING * size and travelled < _TRAVEL * speed


def is_along(velocities: Array, ground: Array) -> NDArray[np.bool_]:
    """(N,) whether velocities (N, 3) are such as feet on a ground that moves have: they are never quite even."""
    speed = float(np.linalg.norm(ground))
    if speed == 0.0:
        return np.zeros(len(velocities), dtype=np.bool_)
    along = velocities @ (ground / speed)
    away = np.linalg.norm(velocities - ground, axis=-1)
    return np.asarray((along > _ALONG * speed) & (away < _ASIDE * speed))


def on_still_ground(places: Array, times: Array, velocity: Array) -> Array:
    """(F, ..., 3) places as seen from a ground that moves at a velocity (3,); the same places where it stands."""
    if not np.any(velocity):
        return places
    drift = (times - times[0])[:, None] * velocity
    return np.asarray(places - drift.reshape(len(times), *(1,) * (places.ndim - 2), 3))


def _weighted_median(values: Array, weights: Array) -> Array:
    """(3,) median of each column of values (N, 3)."""
    found = np.zeros(3)
    for column in range(3):
        order = np.argsort(values[:, column])
        half = np.searchsorted(np.cumsum(weights[order]), 0.5 * weights.sum())
        found[column] = values[order[min(int(half), len(order) - 1)], column]
    return found

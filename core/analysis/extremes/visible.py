"""What people see happen: highest and lowest moments of a body, how far it leans, where its limbs turn round."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...body import Body, Limb, centre_of_mass, is_person
from ...motion import Indices
from ...numerics import Array
from . import evidence
from .peaks import maxima, prominences, signal_extremes

# Standard deviation of the smoothing of places, in seconds, and the time over which a turn of a limb is seen.
_SMOOTHING, _TURN_TIME = 0.025, 1.0 / 12.0
# Least and full strength: body heights that a height rises or falls, degrees of leaning, body heights of a stroke.
_HEIGHT, _LEAN, _STROKE = (0.02, 0.05), (10.0, 30.0), (0.05, 0.2)
# Sine of half the turn from which on a limb turns round, and body heights a second at which turns count half.
_TURN, _STILL = 0.45, 0.1
# What the centre of mass says beside the root.
_MASS_SHARE = 0.5


@dataclass(frozen=True, eq=False)
class Events:
    """Moments at which something is extreme, in any order.

    Attributes:
        frames: (N,) when.
        strengths: (N,) how much it is so, up to 1.
    """

    frames: Indices
    strengths: Array

    @classmethod
    def of(cls, frames: Indices, amounts: Array, grades: tuple[float, float], weight: float) -> "Events":
        """Events from amounts, of which some are the least and the full ones."""
        chosen = amounts >= grades[0]
        return cls(frames[chosen], weight * np.minimum(amounts[chosen] / grades[1], 1.0))

    @classmethod
    def joined(cls, events: "list[Events]") -> "Events":
        """All of them."""
        frames = np.concatenate([np.empty(0, dtype=np.intp), *(each.frames for each in events)])
        return cls(frames, np.concatenate([np.empty(0), *(each.strengths for each in events)]))

    def signal(self, count: int, spread: float) -> Array:
        """(F,) a hill at each, as high as it is strong and so many frames wide."""
        impulses = np.zeros(count)
        np.add.at(impulses, self.frames, self.strengths)
        height = spread * float(np.sqrt(2.0 * np.pi))
        hills: Array = height * evidence.filtered(impulses, evidence.laplacian_kernel(spread))
        return hills


@dataclass(frozen=True)
class EventWeights:
    """How strong the fullest of each kind is."""

    height: float
    lean: float
    stroke: float


def visible_events(places: Array, body: Body, rate: float, size: float, weights: EventWeights) -> Events:
    """What is extreme in a body whose joints are at (F, J, 3).

    Args:
        places: Of all joints.
        body: As much of it as is known: height and leaning need to know where up is.
        rate: Frames a second.
        size: Height of the body, in units.
        weights: Of the kinds of events.
    """
    if len(places) < 5 or body.root is None:
        return Events.joined([])
    found = [*_heights(places, body, rate, size, weights.height), *_leaning(places, body, rate, weights.lean)]
    found += [_strokes(places, body, limb, rate, size, weights.stroke) for limb in body.limbs]
    return Events.joined(found)


def _heights(places: Array, body: Body, rate: float, size: float, weight: float) -> Iterator[Events]:
    """Apex and crouch, of root and centre of mass."""
    if body.up is None:
        return
    for points, share in ((places[:, body.root], 1.0), (_mass(places, body), _MASS_SHARE)):
        if points is not None:
            height = smoothed((points @ body.up.vector)[:, None], rate)[:, 0] / size
            yield Events.of(*signal_extremes(height, _HEIGHT[0]), _HEIGHT, share * weight)


def _mass(places: Array, body: Body) -> Array | None:
    return centre_of_mass(places, body) if is_person(body) else None


def _leaning(places: Array, body: Body, rate: float, weight: float) -> Iterator[Events]:
    """Where the line from root to head leans most: bows, and upside down."""
    if body.up is None or body.head is None:
        return
    line = smoothed(places[:, body.head] - places[:, body.root], rate)
    length = np.maximum(np.linalg.norm(line, axis=1), 1e-12)
    lean = np.degrees(np.arccos(np.clip(line @ body.up.vector / length, -1.0, 1.0)))
    peaks = maxima(lean)
    yield Events.of(peaks, prominences(lean, peaks), _LEAN, weight)


def _strokes(places: Array, body: Body, limb: Limb, rate: float, size: float, weight: float) -> Events:
    """Where the end of a limb turns round, seen from the root: slowest between two strokes."""
    end = limb.chain[-1] if limb.end is None else limb.end
    return turning_events(places[:, end] - places[:, body.root], rate, size, weight)


def turning_events(places: Array, rate: float, size: float, weight: float) -> Events:
    """Where a path (F, C) turns round: slowest between two strokes."""
    path = smoothed(places, rate)
    step = max(1, round(_TURN_TIME * rate))
    turning, _ = evidence.path_evidence(np.ascontiguousarray(path.T), step=step, still=_STILL * size * step / rate)
    peaks = maxima(turning)
    peaks = peaks[turning[peaks] > _TURN]
    edges = np.concatenate([[0], peaks, [len(path) - 1]])
    ways = np.array([np.ptp(path[a : b + 1], axis=0).max() for a, b in pairwise(edges)])
    strokes = np.minimum(ways[:-1], ways[1:]) / size if len(peaks) else np.empty(0)
    speed = np.linalg.norm(np.gradient(path, axis=0), axis=1)
    reach = max(1, step // 2)
    slowest = [int(p - min(p, reach) + np.argmin(speed[max(p - reach, 0) : p + reach + 1])) for p in peaks]
    return Events.of(np.array(slowest, dtype=np.intp), strokes, _STROKE, weight)


def smoothed(curves: Array, rate: float) -> Array:
    """Curves (F, C) smoothed; beyond their ends they go on as they are there."""
    kernel = evidence.laplacian_kernel(_SMOOTHING * rate)
    reach = len(kernel) // 2
    padded = np.pad(curves, ((reach, reach), (0, 0)), mode="edge")
    return np.column_stack([np.convolve(column, kernel, mode="valid") for column in padded.T])

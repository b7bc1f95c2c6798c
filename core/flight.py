"""Times in which a body touches nothing: then it falls freely, whatever it does."""

from dataclasses import dataclass

import numpy as np

from .quaternion import Array

# Fall in heights per second squared. A grown-up of 1.7 m is about 1.45 m from the lowest to the
# highest joint, which is what a skeleton shows of the height.
GRAVITY = 9.81 / 1.45
# Lift of the lowest joint above the floor, in heights, from which on nothing touches it; toes and
# noise stay below.
_LIFT = 0.03
_FEWEST_SAMPLES = 5
# Largest misfit of a parabola, as a share of its rise. Steps on uneven floors and rolls are worse.
_MOST_MISFIT = 0.04
# Largest disagreement, in natural logarithms of the rate, between the body's middle and its trunk.
_MOST_DISAGREEMENT = 0.25
# Spread of the logarithm of the rate that a flight shows: limbs move, and people differ in height.
_SPREAD = 0.17
# Chance that what looks like a flight is none.
_DOUBT = 0.015
# Further flights repeat the mistakes of the first; together they count as this many.
_MOST_COUNTED = 3.0


@dataclass(frozen=True)
class Flight:
    """One free fall.

    Attributes:
        first: First sample in the air.
        last: Sample after the last one in the air.
        rate: Samples per second at which the fall has the strength of gravity.
        weight: How much this flight counts among the others.
    """

    first: int
    last: int
    rate: float
    weight: float = 1.0

    def log_likelihood(self, rates: Array) -> Array:
        """Logarithm of how likely this flight is at each rate; doubt keeps it from being final."""
        distance = np.log(self.rate / rates) / _SPREAD
        likelihood: Array = self.weight * np.log(_DOUBT + (1.0 - _DOUBT) * np.exp(-0.5 * distance**2))
        return likelihood


def find_flights(bodies: Array, up_axis: int) -> list[Flight]:
    """Free falls in joint positions (F, J, 3) that are given in heights of the body."""
    heights = bodies[..., up_axis]
    lowest, middle = heights.min(axis=1), heights.mean(axis=1)
    trunk = heights[:, _central_joint(bodies)]
    spans = _spans(lowest > np.quantile(lowest, 0.1) + _LIFT)
    falls = [(first, last, _falling_rate(middle[first:last], trunk[first:last])) for first, last in spans]
    rates = [(first, last, rate) for first, last, rate in falls if rate is not None]
    # Where most of the time off the floor is no fall, the floor is not where it seems to be.
    if 2 * len(rates) < len(spans):
        return []
    weight = min(1.0, _MOST_COUNTED / max(1, len(rates)))
    return [Flight(first, last, rate, weight) for first, last, rate in rates]


def _central_joint(bodies: Array) -> int:
    """The joint that stays nearest to the middle of the body."""
    sparse = bodies[:: max(1, len(bodies) // 200)]
    return int(np.argmin(np.linalg.norm(sparse - sparse.mean(axis=1, keepdims=True), axis=-1).mean(axis=0)))


def _spans(chosen: Array) -> list[tuple[int, int]]:
    """Runs of true values long enough for a parabola, without those cut off by the clip's ends."""
    edges = np.diff(np.concatenate([[0], chosen.astype(np.int8), [0]]))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return [
        (int(start), int(end))
        for start, end in zip(starts, ends, strict=True)
        if end - start >= _FEWEST_SAMPLES and start > 0 and end < len(chosen)
    ]


def _falling_rate(middle: Array, trunk: Array) -> float | None:
    """Rate at which both heights fall by g; None where they do not follow a parabola up and down."""
    rates = [_parabola_rate(middle), _parabola_rate(trunk)]
    if rates[0] is None or rates[1] is None or abs(np.log(rates[0] / rates[1])) > _MOST_DISAGREEMENT:
        return None
    return float(np.sqrt(rates[0] * rates[1]))


def _parabola_rate(heights: Array) -> float | None:
    count = len(heights)
    steps = np.arange(count) - 0.5 * (count - 1)
    bend, slope, level = np.polyfit(steps, heights, 2)
    if bend >= 0.0 or abs(slope) > -bend * count:
        return None
    misfit = np.sqrt(np.mean((heights - (bend * steps**2 + slope * steps + level)) ** 2))
    if misfit > _MOST_MISFIT * -bend * count**2 / 4.0:
        return None
    return float(np.sqrt(GRAVITY / (-2.0 * bend)))

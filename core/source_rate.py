"""Guessing how many samples a second a motion was captured with.

Files and actions often say it wrongly, and a wrong rate makes every threshold in seconds wrong.
The one clock that a motion carries in itself is gravity: while nothing touches the floor, the body
falls by g. Everything else (how quickly limbs change direction, how fast they get) only says
what is usual.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .flight import Flight, find_flights
from .motion_pace import Pace, measure_pace
from .quaternion import Array

CANDIDATES = (24.0, 25.0, 30.0, 50.0, 60.0, 100.0, 120.0, 240.0)
# Rates nearer to each other than this factor are not told apart.
_SAME = 1.3
# The one taken where several are equally likely, and how usual they are before anything is known.
_COMMON = {30.0: 0.35, 60.0: 0.2, 120.0: 0.4, 240.0: 0.05}
# Share of files whose stated rate is right.
_STATED_IS_RIGHT = 0.9
_FEWEST_SAMPLES = 8
# Most that may be claimed without a flight, where a calm clip looks the same at half or twice the
# rate, and with one, where the body may still be a giant's or the motion slowed down.
_MOST_WITHOUT_FLIGHT, _MOST_WITH_FLIGHT = 0.5, 0.95


@dataclass(frozen=True)
class RateGuess:
    """A rate, how sure it is, and why.

    Attributes:
        rate: Samples per second.
        confidence: 0 to 1. Above 0.5 only where gravity shows the rate.
        reason: One line for the user.
    """

    rate: float
    confidence: float
    reason: str


def guess_source_rate(
    positions: Any,
    *,
    up_axis: int,
    height: float,
    candidates: Sequence[float] = CANDIDATES,
    stated: float | None = None,
    hint: float | None = None,
) -> RateGuess:
    """Guess the rate at which a motion was captured.

    It can tell: rates that differ by a factor of 1.5 or more, for a body of human size that
    jumps, hops or runs; then it also overrules a wrong stated rate. It can make it likely, never
    sure: film rates (24 to 30) against capture rates (100 and more), for vivid movement.
    It can't tell: 24, 25 and 30 from each other, 50 from 60, 100 from 120; half from double the rate
    of a calm clip; slow motion, hand-made animation, giants and children from other rates.
    Where it can't, the stated rate is kept, else the hint or the commonest rate is taken.

    Args:
        positions: (F, J, 3) joint positions, one row per sample, without a reference pose in front.
        up_axis: 0, 1 or 2.
        height: Height of the body standing, in the same unit.
        candidates: Rates to choose from.
        stated: What the file says, if it says something.
        hint: Rate of the scene, taken where nothing tells its neighbours apart.

    Raises:
        ValueError: The height is not above zero, or a position is not finite.
    """
    positions = np.asarray(positions, dtype=np.float64)
    if stated is not None and not (np.isfinite(stated) and stated > 0.0):
        stated = None
    usual = stated or hint or 30.0
    if not height > 0.0 or not np.isfinite(positions).all():
        raise ValueError("height must be above zero and positions must be finite")
    if len(positions) < _FEWEST_SAMPLES:
        return RateGuess(usual, 0.0, f"{_source(stated, hint)}; the motion is too short to tell its rate")
    bodies = positions / height
    pace = measure_pace(bodies, up_axis)
    if pace is None:
        return RateGuess(usual, 0.0, f"{_source(stated, hint)}; there is too little movement to tell the rate")
    flights = find_flights(bodies, up_axis)
    groups = _groups(candidates, stated)
    chances = _chances(groups, stated, pace, flights)
    best = int(np.argmax(chances))
    rate = _choice(groups[best], stated, hint)
    confirmed = bool(flights) and abs(np.log(_shown(flights) / rate)) < np.log(1.5)
    confidence = float(chances[best]) * (_MOST_WITH_FLIGHT if confirmed else _MOST_WITHOUT_FLIGHT)
    return RateGuess(rate, round(confidence, 2), _reason(rate, stated, flights if confirmed else []))


def _shown(flights: list[Flight]) -> float:
    """The rate that the flights show together."""
    return float(np.exp(np.mean([np.log(flight.rate) for flight in flights])))


def _groups(candidates: Sequence[float], stated: float | None) -> list[list[float]]:
    """Candidates in order, those that cannot be told apart together; a stated rate like none is one more."""
    groups: list[list[float]] = []
    for rate in sorted(float(candidate) for candidate in candidates):
        if groups and rate <= _SAME * groups[-1][0]:
            groups[-1].append(rate)
        else:
            groups.append([rate])
    if stated and not any(_belongs(stated, group) for group in groups):
        groups.append([float(stated)])
    return groups


def _choice(group: list[float], stated: float | None, hint: float | None) -> float:
    """The member to name: what is stated or hinted at if it belongs here, else the commonest."""
    for known in (stated, hint):
        if known and _belongs(known, group):
            return float(known)
    return next((rate for rate in group if rate in _COMMON), group[-1])


def _belongs(rate: float, group: list[float]) -> bool:
    """The rate lies among those of the group or within a tenth of them (23.976, 119.88)."""
    return group[0] / 1.1 <= rate <= group[-1] * 1.1


def _chances(groups: list[list[float]], stated: float | None, pace: Pace, flights: list[Flight]) -> Array:
    """Probability of every group of rates."""
    usual = np.array([max((_COMMON.get(rate, 0.0) for rate in group), default=0.0) for group in groups])
    prior = np.maximum(usual, 0.02)
    if stated and len(groups) > 1:
        agrees = np.array([_belongs(stated, group) for group in groups])
        others = (1.0 - _STATED_IS_RIGHT) * prior / prior[~agrees].sum()
        prior = np.where(agrees, _STATED_IS_RIGHT, others)
    middles = np.array([np.sqrt(group[0] * group[-1]) for group in groups])
    weights = np.log(prior / prior.sum()) + pace.log_likelihood(middles)
    weights += sum((flight.log_likelihood(middles) for flight in flights), np.zeros(len(groups)))
    likelihoods = np.exp(weights - weights.max())
    chances: Array = likelihoods / likelihoods.sum()
    return chances


def _source(stated: float | None, hint: float | None) -> str:
    return "As the file says" if stated else "As in the scene" if hint else "The commonest rate"


def _reason(rate: float, stated: float | None, flights: list[Flight]) -> str:
    contradicts = bool(stated) and stated != rate
    if flights:
        many = "the jump" if len(flights) == 1 else f"{len(flights)} jumps or strides"
        reason = f"Free fall in {many} shows about {_shown(flights):.0f} samples a second"
        return f"{reason}, not the {stated:g} that the file says" if contradicts else reason
    if contradicts:
        return f"The movement would be unusually fast or slow at the {stated:g} that the file says"
    if stated:
        return "As the file says; nothing in the motion confirms it"
    return "From the usual pace of movement; nothing in the motion confirms it"

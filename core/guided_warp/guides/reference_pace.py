"""The pace that another motion asks for: what moves like it should move as fast as it.

For every moment of the motion the moments of the reference are looked for that have a like pose and move in like
directions, whatever their speed. How much faster they move is what is wanted. (Comparing velocities themselves would
slow everything down: the slower, the smaller any difference.) Where both repeat a movement, such as steps, their turns
should take the same time besides: small steps are not slow ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...analysis.events import Event, EventKind
from ...numerics import Array
from .movement import RATE, Movement

Numbers = NDArray[np.intp]
# Heights by which joints of like poses differ, as the root of their mean square.
_LIKE_POSE = 0.1
# Moments of the reference that are asked.
_NEIGHBOURS = 8
# Heights a second below which nothing moves; speeds below count as this.
_STILL = 0.05
# Pairs of moments that are compared at most; longer motions are compared at fewer moments.
_MOST_PAIRS = 1 << 25
# Pairs that are looked at together.
_BLOCK = 1 << 22
# Seconds over which the wish is averaged to both sides: moments that move more count more.
_SMOOTHING = 0.2
# Distance at which a moment is half unlike the reference, in multiples of those within it, and how suddenly.
_UNLIKE, _STEEPNESS = 4.0, 4
# Share of the distances within a reference that count as usual, and the least that is: further turns differ as much.
_USUAL, _LEAST_USUAL = 0.9, 0.1
# Squared distance of the first and the last pose up to which a reference is one turn of something, as a share of
# its mean squared distance from the mean pose.
_CLOSED = 0.5
# Greatest wish, as a factor.
_MOST = 8.0


@dataclass(frozen=True, eq=False)
class Match:
    """What is like each of S moments.

    Attributes:
        pace: (S,) new seconds for an old one that would make it as fast as what is like it.
        distance: (S,) how unlike the nearest moment is.
        nearest: (S,) its number.
    """

    pace: Array
    distance: Array
    nearest: Numbers


def wanted_pace(
    own: Movement,
    other: Movement,
    *,
    own_events: Sequence[Event] = (),
    other_events: Sequence[Event] = (),
    keep_unlike: bool = False,
) -> Array:
    """(S,) pace that the reference asks for at every sample of the motion.

    Args:
        own: The motion.
        other: The reference, of the same joints.
        own_events: What happens in the motion; of its repetitions turns are made as long as those of the reference.
        other_events: What is repeated in the reference, from `repetitions_in`.
        keep_unlike: What is like nothing in the reference keeps its pace. For a reference that is a part of the same
            motion; another person's motion is unlike everywhere, and would have no say.
    """
    match = _matched(own, other)
    unlike = _unlikeness(match, other) if keep_unlike else np.zeros(len(own.times))
    wish = _smoothed(np.log(np.clip(match.pace, 1.0 / _MOST, _MOST)), own) * (1.0 - unlike)
    wanted: Array = np.exp(wish)
    for event in own_events:
        inside = (own.times >= event.start) & (own.times <= event.end)
        turn = _turn(other, other_events, match.nearest[inside], event)
        if turn is not None and np.median(unlike[inside]) < 0.5:
            _set_turns(wanted, own.times, event, turn)
    return np.clip(wanted, 1.0 / _MOST, _MOST)


def _matched(own: Movement, other: Movement) -> Match:
    """What is like every moment; of long motions only some are compared, and what lies between is in between."""
    step = max(1, int(np.ceil(np.sqrt(len(own.times) * len(other.times) / _MOST_PAIRS))))
    asked, asking = np.arange(0, len(other.times), step), np.arange(0, len(own.times), step)
    found = _match(own, other, asking, asked)
    if step == 1:
        return found
    every = np.arange(len(own.times))
    pace = np.exp(np.interp(every, asking, np.log(found.pace)))
    nearest = found.nearest[np.minimum(every // step, len(asking) - 1)]
    return Match(pace, np.interp(every, asking, found.distance), nearest)


def _match(own: Movement, other: Movement, asking: Numbers, asked: Numbers) -> Match:
    middle = other.poses.mean(axis=0)
    mine, theirs = _described(own, asking, middle), _described(other, asked, middle)
    sizes = np.einsum("sd,sd->s", theirs, theirs)
    count = min(_NEIGHBOURS, len(asked))
    pace, distance = np.empty(len(asking)), np.empty(len(asking))
    nearest = np.empty(len(asking), dtype=np.intp)
    speeds = np.log(np.maximum(other.speed[asked], _STILL))
    width = max(1, _BLOCK // len(asked))
    for first in range(0, len(asking), width):
        rows = mine[first : first + width]
        apart = np.einsum("sd,sd->s", rows, rows)[:, None] + sizes - 2.0 * rows @ theirs.T
        chosen = np.argpartition(apart, count - 1, axis=1)[:, :count]
        near = np.take_along_axis(apart, chosen, axis=1)
        place = slice(first, first + len(rows))
        distance[place] = np.maximum(near.min(axis=1), 0.0)
        nearest[place] = asked[np.take_along_axis(chosen, near.argmin(axis=1)[:, None], axis=1)[:, 0]]
        weights = np.exp(near.min(axis=1, keepdims=True) - near)
        their_speed = (weights * speeds[chosen]).sum(axis=1) / weights.sum(axis=1)
        pace[place] = np.maximum(own.speed[asking[place]], _STILL) / np.exp(their_speed)
    return Match(pace, distance, nearest)


def _described(movement: Movement, rows: Numbers, middle: Array) -> Array:
    """(R, 2 D) poses and directions of movement; the square of the distance of two is how unlike they are."""
    poses = (movement.poses[rows] - middle) / (_LIKE_POSE * np.sqrt(movement.joints))
    speeds = np.maximum(movement.speed[rows], _STILL) * np.sqrt(movement.joints)
    directions = movement.velocities[rows] / speeds[:, None]
    return np.concatenate([poses, directions], axis=1)


def _smoothed(wish: Array, own: Movement) -> Array:
    """Means over a while, weighted by the square of the speed."""
    radius = round(_SMOOTHING * RATE)
    window, weights = np.hanning(2 * radius + 3)[1:-1], _STILL**2 + own.speed**2

    def around(values: Array) -> Array:
        return np.convolve(np.pad(values, radius, mode="edge"), window, mode="valid")

    return around(wish * weights) / around(weights)


def _unlikeness(match: Match, other: Movement) -> Array:
    """(S,) from 0, a moment that the reference has something like, to 1 for one that is like nothing in it."""
    every = np.arange(len(other.times))
    rows = _described(other, every, other.poses.mean(axis=0))
    steps = np.einsum("sd,sd->s", np.diff(rows, axis=0), np.diff(rows, axis=0))
    usual = max(float(np.quantile(steps, _USUAL)), _LEAST_USUAL)
    far = (match.distance / usual) ** _STEEPNESS
    unlike: Array = far / (far + _UNLIKE**_STEEPNESS)
    return unlike


def _set_turns(wanted: Array, times: Array, event: Event, turn: float) -> None:
    """Let every turn of a repetition take so many seconds; before the first and after the last time runs as in them."""
    edges = [event.start, *event.beats[1:-1], event.end]
    for (start, end), (first, last) in zip(pairwise(edges), pairwise(event.beats), strict=True):
        within, around = (times >= first) & (times <= last), (times >= start) & (times <= end)
        if within.any():
            wanted[around] *= turn / ((last - first) * float(wanted[within].mean()))


def repetitions_in(other: Movement, events: Sequence[Event]) -> list[Event]:
    """What is repeated in a reference; one that ends as it begins is one turn of something."""
    return [each for each in events if each.kind is EventKind.REPETITION] or _whole_turn(other)


def _turn(other: Movement, repeated: Sequence[Event], nearest: Numbers, event: Event) -> float | None:
    """Seconds that a turn of the reference takes which is like those of a repetition; None if there is none."""
    if event.kind is not EventKind.REPETITION:
        return None
    seen = other.times[nearest]
    shares = [float(((seen >= each.start) & (seen <= each.end)).mean()) for each in repeated]
    if not shares or max(shares) < 0.5:
        return None
    return float(np.median(np.diff(repeated[int(np.argmax(shares))].beats)))


def _whole_turn(other: Movement) -> list[Event]:
    """A reference that ends as it begins is one turn of something."""
    spread = float(((other.poses - other.poses.mean(axis=0)) ** 2).sum(axis=1).mean())
    if float(((other.poses[-1] - other.poses[0]) ** 2).sum()) > _CLOSED * spread:
        return []
    first, last = float(other.times[0]), float(other.times[-1])
    return [Event(EventKind.REPETITION, first, last, (first, last))]

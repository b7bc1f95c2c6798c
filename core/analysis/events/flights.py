"""Flights: nothing touches the ground, and the body as a whole falls.

Unlike free falls by which a rate is told (`analysis.flight`), these may be of hand-keyed figures, whose gravity is what
their animator made it: half as strong, or twice.
"""

import numpy as np

from ...body import centre_of_mass, is_person
from ...numerics import Array
from ..flight import GRAVITY
from .course import Course, Flags
from .event import Event, EventKind

# Heights above the ground from which on nothing touches it; the ground is what the lowest joint hardly goes below.
_OFF_GROUND, _BELOW = 0.015, 0.05
# Least share of gravity with which the body falls, on average and at every moment, and shortest flight in seconds.
_MEAN_FALL, _FALL, _SHORTEST = 0.5, 0.25, 0.1
# Seconds over which heights are averaged, to both sides, before accelerations are taken.
_SMOOTHING = 0.03
# Seconds that a flight begins earlier and ends later at most than it is seen to fall.
_MORE = 0.1


def find_flights(course: Course) -> list[Event]:
    """Times in the air, from take-off to landing."""
    lowest = course.shown[..., 2].min(axis=1)
    ground = float(np.quantile(lowest, _BELOW))
    rising = course.changes(course.smoothed(_centre(course), _SMOOTHING))
    fall = -course.changes(course.smoothed(rising, _SMOOTHING)) / GRAVITY
    is_up = lowest > ground + _OFF_GROUND
    return [
        Event(EventKind.FLIGHT, *_from_take_off(course.times, is_up, start, end))
        for start, end in course.stretches(is_up & (fall > _FALL), _SHORTEST)
        if fall[(course.times >= start) & (course.times <= end)].mean() > _MEAN_FALL
    ]


def _from_take_off(times: Array, is_up: Flags, start: float, end: float) -> tuple[float, float]:
    """The same flight from the moment at which nothing touches the ground any more to the one at which something does.

    Around take-off and landing accelerations are those of the push and of the impact, once they are averaged.
    """
    before = np.flatnonzero(~is_up & (times < start))
    after = np.flatnonzero(~is_up & (times > end))
    first = float(times[before[-1] + 1]) if len(before) else float(times[0])
    last = float(times[after[0] - 1]) if len(after) else float(times[-1])
    return max(first, start - _MORE), min(last, end + _MORE)


def _centre(course: Course) -> Array:
    """(F,) height of the centre of mass; where masses are not known, of the mean of all joints."""
    if is_person(course.body):
        return centre_of_mass(course.places, course.body)[:, 2]
    mean: Array = course.shown[..., 2].mean(axis=1)
    return mean

"""Stillness: nothing moves that anybody would see."""

import numpy as np

from ...numerics import Array
from .course import Course
from .event import Event, EventKind

# Heights a second below which even the fastest joint is still, averaged over these seconds to both sides.
_STILL, _SMOOTHING = 0.15, 0.05
_SHORTEST = 0.25


def find_stillness(course: Course) -> list[Event]:
    """Times at which nothing moves."""
    fastest: Array = course.smoothed(course.speeds(course.shown).max(axis=1), _SMOOTHING)
    quiet = np.asarray(fastest < _STILL)
    return [Event(EventKind.IDLE, start, end) for start, end in course.stretches(quiet, _SHORTEST)]

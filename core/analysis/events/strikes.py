"""Strikes: a hand or a foot is thrust out, a ball thrown."""

import numpy as np

from ...numerics import first_and_last
from .course import Course
from .event import Event, EventKind

# Heights a second, against the trunk, from which on the end of a limb strikes; a walking foot reaches half of it.
_FAST = 2.0
# Seconds over which speeds are averaged to both sides.
_SMOOTHING = 0.03
# Seconds before the fastest moment, in which the limb gathers speed, and after it, in which it stops again.
WIND_UP, FOLLOW_THROUGH = 0.25, 0.25


def find_strikes(course: Course) -> list[Event]:
    """Strikes of all limbs, from gathering speed to having stopped, in order."""
    body = course.body
    trunk = list(body.torso or (() if body.root is None else (body.root,)))
    if not trunk:
        return []
    middle = course.places[:, trunk[0]]
    peaks: list[float] = []
    for limb in body.limbs:
        if limb.end is not None:
            speed = course.smoothed(course.speeds(course.places[:, limb.end] - middle), _SMOOTHING)
            peaks += [
                float(course.times[first + int(np.argmax(speed[first : last + 1]))])
                for first, last in first_and_last(speed > _FAST)
            ]
    first, last = float(course.times[0]), float(course.times[-1])
    return [
        Event(EventKind.STRIKE, max(peak - WIND_UP, first), min(peak + FOLLOW_THROUGH, last)) for peak in sorted(peaks)
    ]

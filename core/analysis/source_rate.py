"""Telling how many samples a second a motion was captured with.

Files and actions often say it wrongly, and a wrong rate makes every threshold in seconds wrong. The one clock that a
motion carries in itself is gravity: while nothing touches the floor, the body falls by g. How fast limbs move and feet
step is no clock: someone who sneaks, slow motion and a giant all look like a person captured at a higher rate.

Nor is a slow fall: giants fall slowly. But nobody can fall faster than gravity lets him, so a file in which people
fall far too fast is wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..body import Body, centre_of_mass, is_person
from ..numerics import Array
from .flight import USUAL_HEIGHT, Flight, find_flights

# Rates that are usual; those in one row differ less than people do in height, and cannot be told apart.
_USUAL = ((24.0, 25.0, 30.0), (50.0, 60.0), (100.0, 120.0), (240.0,))
# The one that is named of each row.
_COMMONEST = (30.0, 60.0, 120.0, 240.0)
# What a fall shows, as a share of the true rate, for children of school age up to the tallest people.
_LEAST_SHOWN, _MOST_SHOWN = 0.82, 1.15
# Factor within which flights agree.
_AGREEING = 1.1
# How many agreeing flights it takes to overrule a file: one may be a swing, a trampoline or a friend's arms.
_FEWEST_TO_OVERRULE = 2
# How many times as fast as gravity people fall at a wrong rate; of those who can jump the smallest do at 1.4 times.
_TOO_FAST = 1.6
# Heights, in units, that may be metres; others are people in some smaller unit. Of these, those of people.
_METRES, _PEOPLE = (0.1, 13.0), (0.9, 2.2)
# Factor within which a height is the one that a fall shows.
_SAME_HEIGHT = 1.4


@dataclass(frozen=True)
class RateGuess:
    """What a motion tells about its rate.

    Attributes:
        rate: Samples per second; None if nothing tells it.
        reason: One line for the user.
        contradicts: The motion speaks against what the file says, whether that was overruled or not.
    """

    rate: float | None
    reason: str
    contradicts: bool = False


def guess_source_rate(positions: Any, body: Body, *, stated: float | None = None) -> RateGuess:
    """Judge from free falls at which rate a motion was captured.

    It can tell rates that differ by a factor of 1.6 or more, for a person that jumps, hops or runs. It can't tell 24,
    25 and 30 from each other, 50 from 60, 100 from 120: people differ in height, and all falls of one person share
    that error. A stated rate is overruled only where several falls agree with each other, and are so fast at that rate
    that no one who can jump is so small.

    Args:
        positions: (F, J, 3) joint positions, one row per sample, without a reference pose in front.
        body: Whose they are; up axis, height, head, arms and legs are needed.
        stated: What the file says, if it says something.

    Raises:
        ValueError: A position is not finite.
    """
    positions = np.asarray(positions, dtype=np.float64)
    if not np.isfinite(positions).all():
        raise ValueError("positions must be finite")
    if stated is not None and not (np.isfinite(stated) and stated > 0.0):
        stated = None
    falls = _agreeing(_flights(positions, body))
    if stated is None:
        return _without_header(falls, body.height or 0.0)
    return _with_header(falls, stated, body.height or 0.0)


def _flights(positions: Array, body: Body) -> list[Flight]:
    if body.up is None or not body.height or not is_person(body):
        return []
    centre = centre_of_mass(positions, body)
    # Other joints may be no part of the body: what places it in the scene, and what hangs or stands beside it.
    parts = sorted({*body.torso, *body.neck, *(joint for limb in body.limbs for joint in limb.joints)})
    return find_flights(positions[:, parts] / body.height, centre / body.height, body.up.index)


def _agreeing(flights: Sequence[Flight]) -> list[float]:
    """The rates of most flights that agree with each other; of as many, those of the fastest falls."""
    rates = sorted(flight.rate for flight in flights)
    groups = [[rate for rate in rates[first:] if rate <= _AGREEING * rates[first]] for first in range(len(rates))]
    return max(groups, key=len, default=[])


def _without_header(falls: list[float], height: float) -> RateGuess:
    if not falls:
        return RateGuess(None, "Unknown: there is no jump or stride in which a person falls freely")
    shown = float(np.median(falls))
    rate = _usual_rate(shown)
    said = f"free fall in {_many(falls)} shows about {shown:.0f} samples a second"
    if rate is None:
        return RateGuess(None, f"Unknown: {said}, which is no usual rate")
    if _may_be_another(shown, rate, height):
        return RateGuess(None, f"Unknown: {said} for a person, but this figure has another size")
    return RateGuess(rate, said[0].upper() + said[1:])


def _with_header(falls: list[float], stated: float, height: float) -> RateGuess:
    if not falls:
        return RateGuess(stated, "As the file says; nothing in the motion confirms it")
    shown = float(np.median(falls))
    if stated < _TOO_FAST * shown or _is_height(height, USUAL_HEIGHT * (shown / stated) ** 2):
        slow = stated * _MOST_SHOWN < shown
        return RateGuess(stated, "As the file says" + ("" if slow else f"; free fall in {_many(falls)} confirms it"))
    rate = _part_of(stated, shown)
    said = f"free fall in {_many(falls)} shows about {shown:.0f} samples a second"
    if len(falls) < _FEWEST_TO_OVERRULE or rate is None:
        return RateGuess(stated, f"As the file says, but {said}", contradicts=True)
    return RateGuess(rate, f"F{said[1:]}, not the {stated:g} that the file says", contradicts=True)


def _usual_rate(shown: float) -> float | None:
    """The usual rate that falls may show; None if they are far from all of them."""
    for row, named in zip(_USUAL, _COMMONEST, strict=True):
        if _LEAST_SHOWN * row[0] <= shown <= _MOST_SHOWN * row[-1]:
            return named
    return None


def _part_of(stated: float, shown: float) -> float | None:
    """The rate in place of a stated one: a usual rate that is a whole part of it, as of captures that were thinned out.

    Where none is near what falls show, another usual rate.
    """
    parts = [stated / parts for parts in range(2, 11)]
    likely = [part for part in parts if _is_usual(part) and _LEAST_SHOWN * part <= shown <= _MOST_SHOWN * part]
    return min(likely, key=lambda part: abs(np.log(part / shown)), default=_usual_rate(shown))


def _is_usual(rate: float) -> bool:
    """Whether a rate is a usual one, or nearly so as 59.94 is."""
    return any(abs(rate / usual - 1.0) < 0.01 for row in _USUAL for usual in row)


def _may_be_another(shown: float, rate: float, height: float) -> bool:
    """Whether a creature that is as tall as its units say, in metres, shows another rate."""
    if not _METRES[0] <= height <= _METRES[1] or _PEOPLE[0] <= height <= _PEOPLE[1]:
        return False
    other = _usual_rate(shown * np.sqrt(USUAL_HEIGHT / height))
    return other is not None and other != rate


def _is_height(height: float, other: float) -> bool:
    """Whether a height in units is another one in metres."""
    return other / _SAME_HEIGHT <= height <= other * _SAME_HEIGHT


def _many(falls: list[float]) -> str:
    return "a jump" if len(falls) == 1 else f"{len(falls)} jumps or strides"

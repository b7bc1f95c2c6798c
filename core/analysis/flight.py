"""Times in which a person touches nothing: then the centre of mass falls freely, whatever the limbs do.

A flight is told by what only free fall does: the centre of mass has one acceleration all the time, straight
down, while every joint moves and none is on the floor. Whatever else looks like it (the tops of steps on
uneven ground, marching) falls more slowly, for nobody can fall faster than gravity lets him.
"""

from dataclasses import dataclass

import numpy as np

from ..numerics import Array

# Fall in heights per second squared. A grown-up of 1.7 m is about 1.45 m from the lowest to the
# highest joint, which is what a skeleton shows of the height.
USUAL_HEIGHT = 1.45
GRAVITY = 9.81 / USUAL_HEIGHT
# Samples to each side of the highest point.
_FEWEST = 3
# Heights by which the centre of mass falls from its highest point to the ends: less is noise, more no jump.
_LEAST_FALL, _MOST_FALL = 0.008, 1.5
# Shares of the fall: misfit of the parabola, and of its acceleration: sideways, and how far its halves differ from it.
_MOST_MISFIT, _MOST_SIDEWAYS, _MOST_UNEVEN = 0.03, 0.2, 0.2
# Heights by which the lowest joint is above the floor, at the highest point and all the time; the floor is the lowest
# that it is within so many times the length of the flight.
_LIFT, _LEAST_LIFT, _AROUND = 0.02, 0.01, 5
# Heights that every joint moves: one that stands, or rolls on the floor, carries the body.
_LEAST_WAY = 0.03
# How much longer than the shortest possible flight one is looked for where none has been found yet.
_PATIENCE = 1.5


@dataclass(frozen=True)
class Flight:
    """One free fall.

    Attributes:
        first: First sample of the part that is surely in the air.
        last: Sample after its last one.
        rate: Samples per second at which the fall has the strength of gravity, for someone of usual height.
    """

    first: int
    last: int
    rate: float


def find_flights(bodies: Array, centre: Array, up_axis: int) -> list[Flight]:
    """Free falls of a person, none of which overlap.

    Args:
        bodies: (F, J, 3) joint positions in heights of the body.
        centre: (F, 3) centre of mass, in the same unit.
        up_axis: 0, 1 or 2.
    """
    course = _Course(bodies, np.roll(centre, 2 - up_axis, axis=1), bodies[..., up_axis].min(axis=1))
    found = [flight for top in _tops(course.centre[:, 2]) if (flight := course.flight_around(top)) is not None]
    kept: list[Flight] = []
    for flight in sorted(found, key=lambda each: each.first - each.last):
        if all(flight.last <= other.first or other.last <= flight.first for other in kept):
            kept.append(flight)
    return sorted(kept, key=lambda each: each.first)


def _tops(heights: Array) -> list[int]:
    """Samples at which smoothed heights (F,) are highest, away from the ends."""
    if len(heights) <= 2 * _FEWEST:
        return []
    steps = np.diff(np.convolve(heights, (0.25, 0.5, 0.25), mode="same"))
    tops = np.flatnonzero((steps[:-1] > 0.0) & (steps[1:] <= 0.0)) + 1
    return [int(top) for top in tops if _FEWEST <= top < len(heights) - _FEWEST]


@dataclass(frozen=True, eq=False)
class _Course:
    """What a person does, in heights: joints (F, J, 3), centre of mass (F, 3) with the third axis up, lowest (F,)."""

    bodies: Array
    centre: Array
    lowest: Array

    def flight_around(self, top: int) -> Flight | None:
        """The longest flight whose highest point is in its middle."""
        longest, give_up = None, 0.0
        for reach in range(_FEWEST, min(top, len(self.centre) - 1 - top) + 1):
            fall = -0.5 * reach**2 * _acceleration(self.centre[top - reach : top + reach + 1, 2])
            if fall <= 0.0 or fall > _MOST_FALL or (give_up and reach > give_up):
                break
            if fall >= _LEAST_FALL:
                if self._is_free(top, reach, fall):
                    longest = Flight(top - reach, top + reach + 1, float(np.sqrt(GRAVITY / (2.0 * fall)) * reach))
                    give_up = 0.0
                give_up = give_up or _PATIENCE * reach + _FEWEST
        return longest

    def _is_free(self, top: int, reach: int, fall: float) -> bool:
        """Whether nothing but gravity acts on the body so many samples to both sides of its highest point."""
        part, pull = slice(top - reach, top + reach + 1), 2.0 * fall / reach**2
        around = self.lowest[max(0, top - _AROUND * reach) : top + _AROUND * reach + 1]
        lift = self.lowest[part] - around.min()
        if lift.min() < _LEAST_LIFT or lift[reach] < _LIFT:
            return False
        path = self.centre[part]
        sideways = np.hypot(_acceleration(path[:, 0]), _acceleration(path[:, 1]))
        if sideways > _MOST_SIDEWAYS * pull or _misfit(path[:, 2]) > _MOST_MISFIT * fall:
            return False
        halves = (path[: reach + 1, 2], path[reach:, 2]) if reach > _FEWEST else ()
        if any(abs(_acceleration(half) + pull) > _MOST_UNEVEN * pull for half in halves):
            return False
        ways = np.linalg.norm(np.ptp(self.bodies[part], axis=0), axis=1)
        return bool(ways.min() >= _LEAST_WAY)


def _acceleration(values: Array) -> float:
    """Acceleration, per sample squared, of the parabola nearest to values (N,)."""
    _line, bend = _shapes(len(values))
    return float(2.0 * (bend @ values) / (bend @ bend))


def _misfit(values: Array) -> float:
    """Root of the mean square distance of values (N,) from the parabola nearest to them."""
    left = values - values.mean()
    for shape in _shapes(len(values)):
        left = left - shape * ((shape @ left) / (shape @ shape))
    return float(np.sqrt(np.mean(left**2)))


def _shapes(count: int) -> tuple[Array, Array]:
    """(N,) a line and a parabola that are perpendicular to each other and to a constant."""
    line: Array = np.arange(count, dtype=np.float64) - 0.5 * (count - 1)
    bend: Array = line**2 - np.mean(line**2)
    return line, bend

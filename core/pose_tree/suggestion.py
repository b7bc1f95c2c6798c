"""Where in a control space a new pose belongs: where the blend is most like it already (pose trees, 3.1).

The paper lets a swarm of particles look for the place. Gauss-Newton steps from promising places
find a better one in a small part of the time, and always the same. Promising are places whose blend
is near in its vectors, and those that steps on a sketch lead to: the targets' joints interpolated
as points, which takes no kinematics.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..motion import Motion
from ..numerics import Array
from .control_space import ControlSpace
from .pose_distance import pose_points

# Targets whose poses are nearest, between which places are tried, and places tried all over the space.
_NEAREST, _SCATTERED = 8, 512
# Places improved on the sketch, and how many steps; places from which the search itself starts, by either
# measure, and its steps.
_SKETCHED, _SKETCH_STEPS, _BY_SKETCH, _BY_VECTORS, _STEPS = 24, 4, 2, 8, 16
# Steps of the search after which the worse half of the places is given up.
_ROUND = 2
# Share of the distance that a step must still save for the search to go on.
_WORTHWHILE = 1e-3
# Steps of evenly scattered points along the three axes: powers of the root of x^4 = x + 1.
_SCATTER = 1.0 / 1.2207440846057596 ** np.arange(1.0, 4.0)
# Part of the space's size by which places are moved to see how the pose changes.
_NUDGE = 1e-4
# Damping of the first step, as a share of the largest curvature.
_DAMPING = 1e-3

# From places (K, 3) to how the poses' points there differ from the wanted ones (K, P).
_Errors = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Suggestion:
    """A place for a pose.

    Attributes:
        place: (3,).
        distance: Root mean square distance of the joints between the pose and the blend there.
    """

    place: Array
    distance: float


def suggest_place(space: ControlSpace, pose: Motion) -> Suggestion:
    """The place at which the blend is most like a pose, so that a target there changes the space least.

    Args:
        space: With one target or more.
        pose: One frame.
    """
    goal = pose_points(pose)[0]

    def errors_of(places: Array) -> Array:
        errors: Array = pose_points(space.at(places)) - goal
        return errors

    nudge = _NUDGE * (float(np.ptp(space.places, axis=0).max()) or 1.0)
    places, errors = _improved(errors_of, _starts(space, pose, goal, nudge), nudge, steps=_STEPS, round_length=_ROUND)
    best = int(np.argmin(_squares(errors)))
    return Suggestion(places[best], float(np.sqrt(_squares(errors)[best])))


def _starts(space: ControlSpace, pose: Motion, goal: Array, nudge: float) -> Array:
    """Places from which the search starts, the best of many by either measure."""
    near, tried = _tried(space, goal)
    differences = space.vectors(tried) - space.chart.vectors(pose)
    by_vectors = tried[_leading(differences[:, : 3 * len(pose.skeleton)], _BY_VECTORS)]

    def sketched_errors(places: Array) -> Array:
        return space.sketched_points(places) - goal

    sketched = tried[_leading(sketched_errors(tried), _SKETCHED)]
    sketched, _ = _improved(sketched_errors, sketched, nudge, steps=_SKETCH_STEPS, round_length=_SKETCH_STEPS)
    by_sketch = np.concatenate([near[:2], sketched])
    return np.concatenate(
        [by_sketch[_leading(pose_points(space.at(by_sketch)) - goal, _BY_SKETCH)], by_vectors],
    )


def _tried(space: ControlSpace, goal: Array) -> tuple[Array, Array]:
    """Places of the nearest targets; and these, places between and beyond them, and some all over the space."""
    near = space.places[_leading(space.target_points - goal, _NEAREST)]
    one, other = (near[side] for side in np.triu_indices(len(near), 1))
    low, high = space.places.min(axis=0), space.places.max(axis=0)
    count = min(_SCATTERED, 8 * len(space.places))
    scattered = low + (high - low) * (np.arange(1, count + 1)[:, None] * _SCATTER % 1.0)
    beyond = (1.25 * one - 0.25 * other, 1.25 * other - 0.25 * one)
    return near, np.concatenate([near, 0.5 * (one + other), *beyond, scattered])


def _improved(errors_of: _Errors, places: Array, nudge: float, *, steps: int, round_length: int) -> tuple[Array, Array]:
    """Places and their errors after damped Gauss-Newton steps; each round but the last ends with half of them."""
    errors = errors_of(places)
    damping = np.full(len(places), _DAMPING)
    for step in range(1, steps + 1):
        tried = places + _steps(_slopes(errors_of, places, errors, nudge), errors, damping)
        found = errors_of(tried)
        before, after = _squares(errors), _squares(found)
        better = after < before
        places = np.where(better[:, None], tried, places)
        errors = np.where(better[:, None], found, errors)
        damping = np.where(better, 0.3 * damping, 8.0 * damping)
        if (np.abs(before - after) <= _WORTHWHILE * before.min()).all():
            break
        if step % round_length == 0 and step < steps:
            leading = _leading(errors, max(1, len(places) // 2))
            places, errors, damping = places[leading], errors[leading], damping[leading]
    return places, errors


def _squares(errors: Array) -> Array:
    squares: Array = np.einsum("kp,kp->k", errors, errors)
    return squares


def _leading(errors: Array, count: int) -> NDArray[np.intp]:
    """Numbers of the rows with the smallest errors."""
    leading: NDArray[np.intp] = np.argsort(_squares(errors), kind="stable")[:count]
    return leading


def _slopes(errors_of: _Errors, places: Array, errors: Array, nudge: float) -> Array:
    """(K, P, 3) change of the pose's points along the three axes."""
    moved = (places[:, None] + nudge * np.eye(3)).reshape(-1, 3)
    there = errors_of(moved).reshape(len(places), 3, -1)
    slopes: Array = ((there - errors[:, None]) / nudge).transpose(0, 2, 1)
    return slopes


def _steps(slopes: Array, errors: Array, damping: Array) -> Array:
    """(K, 3) damped Gauss-Newton steps."""
    across = slopes.transpose(0, 2, 1)
    curvature, downhill = across @ slopes, across @ errors[..., None]
    # A space that is flat along an axis has no curvature there; the smallest number keeps it solvable.
    largest = np.maximum(np.trace(curvature, axis1=1, axis2=2), np.finfo(np.float64).tiny ** 0.5)
    damped = curvature + (damping * largest)[:, None, None] * np.eye(3)
    steps: Array = -np.linalg.solve(damped, downhill)[..., 0]
    return steps

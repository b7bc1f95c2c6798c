"""Where in a control space a new pose belongs: where the blend is most like it already (pose trees, 3.1).

The paper lets a swarm of particles look for the place. Gauss-Newton steps from the targets whose
poses are nearest find a better one in a small part of the time, and always the same.
"""

from dataclasses import dataclass

import numpy as np

from ..motion import Motion
from ..quaternion import Array
from .control_space import ControlSpace
from .pose_distance import pose_points

# Targets whose poses are nearest, between which places are tried, and places tried all over the space;
# the best of all are improved in steps.
_NEAREST, _SCATTERED, _STARTS, _STEPS = 16, 512, 12, 20
# Steps after which the worse half of them is given up.
_ROUND = 4
# Share of the distance that a step must still save for the search to go on.
_WORTHWHILE = 1e-3
# Steps of evenly scattered points along the three axes: powers of the root of x^4 = x + 1.
_SCATTER = 1.0 / 1.2207440846057596 ** np.arange(1.0, 4.0)
# Part of the space's size by which places are moved to see how the pose changes.
_NUDGE = 1e-4
# Damping of the first step, as a share of the largest curvature.
_DAMPING = 1e-3


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
    places = _starts(space, pose, goal)
    size = float(np.ptp(space.places, axis=0).max()) or 1.0
    errors = _errors(space, places, goal)
    damping = np.full(len(places), _DAMPING)
    for step in range(_STEPS):
        slopes = _slopes(space, places, goal, errors, _NUDGE * size)
        tried = places + _steps(slopes, errors, damping)
        found = _errors(space, tried, goal)
        before, after = (errors**2).sum(axis=1), (found**2).sum(axis=1)
        better = after < before
        places = np.where(better[:, None], tried, places)
        errors = np.where(better[:, None], found, errors)
        damping = np.where(better, 0.3 * damping, 8.0 * damping)
        if (np.abs(before - after) <= _WORTHWHILE * before.min()).all():
            break
        if step % _ROUND == _ROUND - 1:
            leading = np.argsort((errors**2).sum(axis=1), kind="stable")[: max(1, len(places) // 2)]
            places, errors, damping = places[leading], errors[leading], damping[leading]
    distances = np.sqrt((errors**2).sum(axis=1))
    best = int(np.argmin(distances))
    return Suggestion(places[best], float(distances[best]))


def _starts(space: ControlSpace, pose: Motion, goal: Array) -> Array:
    """Places whose blend is near in its vectors, which takes no kinematics, with those of the nearest targets."""
    order = np.argsort(((space.target_points - goal) ** 2).sum(axis=1), kind="stable")[:_NEAREST]
    near = space.places[order]
    one, other = (near[side] for side in np.triu_indices(len(near), 1))
    low, high = space.places.min(axis=0), space.places.max(axis=0)
    count = min(_SCATTERED, 8 * len(space.places))
    scattered = low + (high - low) * (np.arange(1, count + 1)[:, None] * _SCATTER % 1.0)
    tried = np.concatenate([near, 0.5 * (one + other), 1.25 * one - 0.25 * other, 1.25 * other - 0.25 * one, scattered])
    differences = space.vectors(tried) - space.chart.vectors(pose)
    ranked = np.argsort((differences[:, : 3 * len(pose.skeleton)] ** 2).sum(axis=1), kind="stable")
    return np.concatenate([near[:2], tried[ranked[:_STARTS]]])


def _errors(space: ControlSpace, places: Array, goal: Array) -> Array:
    return pose_points(space.at(places)) - goal


def _slopes(space: ControlSpace, places: Array, goal: Array, errors: Array, nudge: float) -> Array:
    """(K, P, 3) change of the pose's points along the three axes."""
    moved = (places[:, None] + nudge * np.eye(3)).reshape(-1, 3)
    there = _errors(space, moved, goal).reshape(len(places), 3, -1)
    slopes: Array = ((there - errors[:, None]) / nudge).transpose(0, 2, 1)
    return slopes


def _steps(slopes: Array, errors: Array, damping: Array) -> Array:
    """(K, 3) damped Gauss-Newton steps."""
    curvature = np.einsum("kpa,kpb->kab", slopes, slopes)
    downhill = np.einsum("kpa,kp->ka", slopes, errors)
    # A space that is flat along an axis has no curvature there; the smallest number keeps it solvable.
    largest = np.maximum(np.trace(curvature, axis1=1, axis2=2), np.finfo(np.float64).tiny ** 0.5)
    damped = curvature + (damping * largest)[:, None, None] * np.eye(3)
    steps: Array = -np.linalg.solve(damped, downhill[..., None])[..., 0]
    return steps

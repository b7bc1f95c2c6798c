"""The paper's search for a place, as it describes it: a swarm of particles."""

from __future__ import annotations

import numpy as np

from core.motion.motion import Motion
from core.pose_tree import ControlSpace
from core.pose_tree.pose_distance import pose_points


def swarm_place(
    space: ControlSpace, pose: Motion, *, seed: int = 0, iterations: int = 100, pull: float = 0.15
) -> tuple[np.ndarray, float]:
    """Place and distance that particles find which start at the targets and are drawn to what they found best."""
    random = np.random.default_rng(seed)
    goal = pose_points(pose)[0]

    def distances(places: np.ndarray) -> np.ndarray:
        return np.linalg.norm(pose_points(space.at(places)) - goal, axis=1)

    places, speed = np.array(space.places), np.zeros_like(space.places)
    best, best_distance = places.copy(), distances(places)
    for _ in range(iterations):
        leader = best[np.argmin(best_distance)]
        own, common = random.uniform(size=(2, len(places), 1))
        speed = speed + pull * own * (best - places) + pull * common * (leader - places)
        places = places + speed
        found = distances(places)
        better = found < best_distance
        best[better], best_distance[better] = places[better], found[better]
    winner = int(np.argmin(best_distance))
    return best[winner], float(best_distance[winner])

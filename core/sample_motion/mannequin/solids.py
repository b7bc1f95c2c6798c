"""Rounded solids that melt into each other: the masses of a body, as distances to its surface."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...numerics import Array

# Farther than this from every solid nothing is measured; metres.
FAR = 0.12


@dataclass(frozen=True)
class Solid:
    """A capsule whose radius changes along it.

    Attributes:
        part: The part of the body that it belongs to.
        start: Middle of one end, in metres.
        end: Middle of the other end.
        radii: Radius at each end.
        flat: Axis along which it is pressed, as long as what is left of its thickness; zero for none.
        blend: Metres over which it melts into others.
    """

    part: str
    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radii: tuple[float, float]
    flat: tuple[float, float, float] = (0.0, 0.0, 0.0)
    blend: float = 0.03

    @property
    def mirrored(self) -> Solid:
        """The same on the right side."""
        ends = [(-place[0], *place[1:]) for place in (self.start, self.end, self.flat)]
        part = self.part.replace(".L", ".R")
        return replace(self, part=part, start=ends[0], end=ends[1], flat=ends[2])

    def bounds(self) -> tuple[Array, Array]:
        """Lowest and highest corner of the box in which it can be felt."""
        ends = np.array([self.start, self.end])
        margin = max(self.radii) + FAR
        return ends.min(axis=0) - margin, ends.max(axis=0) + margin

    def distances(self, points: Array) -> Array:
        """(N,) distance of points (N, 3) to its surface, negative inside."""
        stretch = _stretching(np.array(self.flat))
        along = stretch @ (np.array(self.end) - self.start)
        places = (points - self.start) @ stretch
        share = np.clip(places @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
        radius = self.radii[0] + (self.radii[1] - self.radii[0]) * share
        distance: Array = np.linalg.norm(places - share[:, None] * along, axis=1) - radius
        return distance


def _stretching(flat: Array) -> Array:
    """(3, 3) what makes a pressed solid round again."""
    left = float(np.linalg.norm(flat))
    if left == 0.0:
        return np.eye(3)
    axis = flat / left
    stretch: Array = np.eye(3) + (1.0 / left - 1.0) * np.outer(axis, axis)
    return stretch


def both_sides(solids: Iterable[Solid]) -> list[Solid]:
    """Solids of the left side and the middle, with those of the right."""
    return [each for solid in solids for each in ((solid, solid.mirrored) if ".L" in solid.part else (solid,))]


def melted_distances(solids: Sequence[Solid], points: Array) -> Array:
    """(N,) distance of points (N, 3) to the surface of all solids together."""
    distance = np.full(len(points), FAR)
    for solid in solids:
        lowest, highest = solid.bounds()
        near = np.flatnonzero(((points > lowest) & (points < highest)).all(axis=1))
        distance[near] = _melted(distance[near], solid.distances(points[near]), solid.blend)
    return distance


def _melted(first: Array, second: Array, blend: float) -> Array:
    """The smaller distance, smooth where both are about as large."""
    overlap = np.maximum(blend - np.abs(first - second), 0.0)
    melted: Array = np.minimum(first, second) - overlap**2 / (4.0 * blend)
    return melted


def part_distances(solids: Sequence[Solid], points: Array) -> dict[str, Array]:
    """Distance of points (N, 3) to each part of the body alone."""
    parts = dict.fromkeys(solid.part for solid in solids)
    return {part: np.min([s.distances(points) for s in solids if s.part == part], axis=0) for part in parts}

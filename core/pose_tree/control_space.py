"""A control space: every place in it is a blend of the poses at its targets (pose trees, 3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionEditError
from ..motion import Motion, chosen, replaced
from ..numerics import Array
from .pose_chart import Flags, PoseChart, columns_of
from .pose_distance import pose_points
from .radial_basis import RadialBasis

# Distance, as a share of the space's extent, below which two targets are at one place.
_COINCIDENT = 1e-7


class EmptySpaceError(MotionEditError):
    """A control space has no target."""


@dataclass(frozen=True, eq=False)
class _Part:
    """Numbers of the pose vector that the same targets hold."""

    columns: Flags
    targets: NDArray[np.intp]
    basis: RadialBasis
    moving: NDArray[np.intp]  # which moving targets take part
    reaction: Array  # (rows, K) weights that one unit of a moving target's value brings


@dataclass(frozen=True, eq=False)
class ControlSpace:
    """Targets and the blend between them.

    Attributes:
        places: (N, 3) of the targets.
        target_poses: Their poses, one frame each.
        held: (N, J) joints that a target says something about.
        held_scalars: (N, S) likewise scalars.
        moving: Targets whose pose may be another one at every evaluation.
        merged: Groups of targets at one place; each group counts as its mean.
    """

    places: Array
    target_poses: Motion
    held: Flags
    held_scalars: Flags
    moving: tuple[int, ...]
    merged: tuple[tuple[int, ...], ...]
    chart: PoseChart
    _parts: tuple[_Part, ...]

    @classmethod
    def build(
        cls,
        places: Any,
        poses: Motion,
        *,
        held: Any = None,
        held_scalars: Any = None,
        moving: Sequence[int] = (),
    ) -> "ControlSpace":
        """Solve for a blend that gives every target's pose at its place.

        Args:
            places: (N, 3) of the targets.
            poses: N frames, the pose of each target.
            held: (N, J) joints that a target's pose includes; all by default.
            held_scalars: (N, S) likewise scalars.
            moving: Targets whose poses change from one evaluation to the next, such as children of a tree.

        Raises:
            EmptySpaceError: There is no target.
        """
        places = np.asarray(places, dtype=np.float64).reshape(-1, 3)
        if not len(places):
            raise EmptySpaceError("The control space has no targets; add a pose to it first")
        if len(places) != len(poses):
            raise ValueError(f"{len(places)} places for {len(poses)} poses")
        flags = _flags(held, (len(places), len(poses.skeleton)))
        scalar_flags = _flags(held_scalars, (len(places), len(poses.scalar_names)))
        chart = PoseChart.about(poses, flags, scalar_flags)
        group = _groups(places)
        space = cls(places, poses, flags, scalar_flags, tuple(moving), _merged(group), chart, ())
        return replace(space, _parts=tuple(space._solved(group)))

    @property
    def joints(self) -> Flags:
        """(J,) joints that the space drives."""
        driven: Flags = np.logical_or.reduce(self.held, axis=0)
        return driven

    @property
    def scalars(self) -> Flags:
        """(S,) scalars that the space drives."""
        driven: Flags = np.logical_or.reduce(self.held_scalars, axis=0)
        return driven

    def at(self, places: Any, *, moving_poses: Sequence[Motion] = ()) -> Motion:
        """The poses at places (M, 3), one frame each; joints that no target holds have the targets' mean.

        Args:
            moving_poses: For each moving target its poses, M frames each; those of `build` by default.
        """
        places = np.asarray(places, dtype=np.float64).reshape(-1, 3)
        blended = self.chart.poses(self.vectors(places, moving_poses=moving_poses))
        if self.target_poses.steps.any():
            blended = blended.with_scalars(self._with_switches(places, blended.scalars, moving_poses))
        return self._exact_at_targets(places, blended, moving_poses)

    def _with_switches(self, places: Array, scalars: Array, moving_poses: Sequence[Motion]) -> Array:
        """(M, S) scalars of a blend, with switches as in the strongest of the targets that hold them."""
        values = np.repeat(self.target_poses.scalars[None], len(places), axis=0)
        for target, poses in zip(self.moving if moving_poses else (), moving_poses, strict=True):
            values[:, target] = poses.scalars
        result, first = np.array(scalars), self.chart.size - scalars.shape[1]
        for part, shares in zip(self._parts, self._part_shares, strict=True):
            switched = np.flatnonzero(part.columns[first:] & self.target_poses.steps)
            if len(switched):
                strongest = part.targets[shares(places).argmax(axis=1)]
                result[:, switched] = values[np.arange(len(places)), strongest][:, switched]
        return result

    def vectors(self, places: Array, *, moving_poses: Sequence[Motion] = ()) -> Array:
        """(M, D) the blend at places (M, 3) as vectors of the chart."""
        change = self._change(moving_poses)
        vectors = np.zeros((len(places), self.chart.size))
        for part in self._parts:
            rows = part.basis.rows(places)
            values = rows @ part.basis.weights
            if change is not None and len(part.moving):
                brought = change[part.moving][..., part.columns]
                values += np.einsum("mk,kmd->md", rows @ part.reaction, brought)
            vectors[:, part.columns] = values
        return vectors

    def weights(self, place: Any) -> Array:
        """(N,) how much of every target is in those joints and scalars at a place that it says something about.

        Their sum is one where all targets hold the same. A target of less than the whole body takes nothing from the
        others elsewhere. What the object itself does counts for nothing.
        """
        shown, counted = np.zeros((2, len(self.places)))
        body = np.arange(len(self.target_poses.skeleton)) >= self.target_poses.skeleton.has_placement
        counts = columns_of(body[None], np.ones((1, self.held_scalars.shape[1]), dtype=np.bool_))[0]
        for part, shares in zip(self._parts, self._part_shares, strict=True):
            # A part of which nothing counts still says something where there is no other.
            size = float((part.columns & counts).sum()) or 1e-9
            shown[part.targets] += size * shares(np.reshape(place, (1, 3)))[0]
            counted[part.targets] += size
        return shown / np.maximum(counted, 1e-9)

    @cached_property
    def target_points(self) -> Array:
        """(N, P) the targets' poses as points whose distance is that of the poses."""
        return pose_points(self.target_poses)

    def sketched_points(self, places: Array) -> Array:
        """(M, P) the targets' points blended as points: near to those of the blend at places (M, 3), and quick."""
        return self._point_basis(places)

    @cached_property
    def _point_basis(self) -> RadialBasis:
        return replace(self._shares, weights=self._shares.weights @ self.target_points)

    @cached_property
    def _shares(self) -> RadialBasis:
        return RadialBasis.fit(*_averaged(_groups(self.places), self.places, np.eye(len(self.places))))

    @cached_property
    def _part_shares(self) -> list[RadialBasis]:
        """For each part how much of each of its targets is in it."""
        group = _groups(self.places)
        rows = [part.targets for part in self._parts]
        return [RadialBasis.fit(*_averaged(group[own], self.places[own], np.eye(len(own)))) for own in rows]

    def _change(self, moving_poses: Sequence[Motion]) -> Array | None:
        """(K, M, D) by how much the moving targets differ from what was solved for."""
        if not moving_poses:
            return None
        pairs = zip(self._moving_vectors, moving_poses, strict=True)
        return np.stack([self.chart.vectors(poses) - before for before, poses in pairs])

    @cached_property
    def _moving_vectors(self) -> Array:
        """(K, D) the moving targets as they were solved for."""
        return self.chart.vectors(chosen(self.target_poses, list(self.moving)))

    def _exact_at_targets(self, places: Array, blended: Motion, moving_poses: Sequence[Motion]) -> Motion:
        """Rounding is taken out where a place is that of a single, whole, unchanging target."""
        here, target = np.nonzero((places[:, None, 0] == self.places[:, 0]) & self._whole)
        met = (places[here] == self.places[target]).all(axis=1)
        if moving_poses:
            met &= ~np.isin(target, self.moving)
        if not met.any():
            return blended
        return replaced(blended, here[met], chosen(self.target_poses, target[met]))

    @cached_property
    def _whole(self) -> Flags:
        """(N,) targets that hold everything and share their place with none."""
        whole: Flags = np.logical_and(self.held.all(axis=1), self.held_scalars.all(axis=1))
        whole[[number for group in self.merged for number in group]] = False
        return whole

    def _solved(self, group: NDArray[np.intp]) -> list[_Part]:
        """One system for all numbers that the same targets hold: usually one."""
        vectors = self.chart.vectors(self.target_poses)
        if self.held.all() and self.held_scalars.all():
            # What all have in common, most locations and scales, is the mean's and needs no solution.
            differing = np.full(self.chart.size, bool(self.moving)) | vectors.any(axis=0)
            return [self._part(np.arange(len(self.places)), differing, vectors, group)]
        holds = columns_of(self.held, self.held_scalars)
        patterns, which = np.unique(holds, axis=1, return_inverse=True)
        return [
            self._part(np.flatnonzero(pattern), which.reshape(-1) == number, vectors, group)
            for number, pattern in enumerate(patterns.T)
            if pattern.any()
        ]

    def _part(self, targets: NDArray[np.intp], columns: Flags, vectors: Array, group: NDArray[np.intp]) -> _Part:
        moving = np.flatnonzero(np.isin(self.moving, targets))
        units = np.array(self.moving, dtype=np.intp)[moving] == targets[:, None]
        values = np.concatenate([vectors[np.ix_(targets, columns)], units], axis=1)
        solved = RadialBasis.fit(*_averaged(group[targets], self.places[targets], values))
        count = values.shape[1] - len(moving)
        basis = replace(solved, weights=np.ascontiguousarray(solved.weights[:, :count]))
        return _Part(columns, targets, basis, moving, np.ascontiguousarray(solved.weights[:, count:]))


def _flags(given: Any, shape: tuple[int, int]) -> Flags:
    if given is None:
        return np.ones(shape, dtype=np.bool_)
    return np.array(np.broadcast_to(np.asarray(given, dtype=np.bool_), shape))


def _groups(places: Array) -> NDArray[np.intp]:
    """(N,) the same number for targets at one place."""
    extent = float(np.ptp(places, axis=0).max()) or 1.0
    rounded = np.round(places / (extent * _COINCIDENT))
    return np.unique(rounded, axis=0, return_inverse=True)[1].reshape(-1)


def _merged(group: NDArray[np.intp]) -> tuple[tuple[int, ...], ...]:
    crowded = np.flatnonzero(np.bincount(group) > 1)
    return tuple(tuple(np.flatnonzero(group == number).tolist()) for number in crowded)


def _averaged(group: NDArray[np.intp], *values: Array) -> list[Array]:
    """Values (N, D) with one row, the mean, for every place."""
    first, number, count = np.unique(group, return_index=True, return_inverse=True, return_counts=True)[1:]
    if len(first) == len(group):
        return list(values)
    sums = [np.zeros((len(first), each.shape[1])) for each in values]
    for total, each in zip(sums, values, strict=True):
        np.add.at(total, number.reshape(-1), each)
    return [total / count[:, None] for total in sums]

"""Limbs on their way to a target, as Blender's inverse kinematics places them.

Blender goes from the pose that the bones have without it in steps of selectively damped least squares. Which of the
many poses that reach the target it ends at depends on these steps, so they are taken here too, for all frames at once.
"""

from collections.abc import Sequence

import numpy as np

from ..motion import Mask
from ..numerics import Array, quaternion, unit
from . import matrices
from .chain import Chain, Goal, Link
from .damped_step import damped_step

# Blender's own numbers: when a step is small, steps that are always taken, and how stiff something can be.
_SMALL, _LEAST_STEPS, _STIFFEST = 1e-3, 12, 0.999
# A length counts as a hundred times as much as an angle when it is asked whether a step was small.
_LENGTH_COUNTS = 100.0


class ChainPose:
    """A chain on its way to a goal."""

    def __init__(self, chain: Chain, goal: Goal, before: Sequence[Array], above: Array, rests: Sequence[Array]) -> None:
        """Take the chain as it is without the goal.

        Args:
            chain: The bones.
            goal: One of its goals.
            before: (F, 4, 4) of each bone.
            above: (F, 3, 3) axes of what the chain hangs on.
            rests: (3, 3) of each bone at rest in its parent, or in what the chain hangs on.
        """
        self._links, self._goal, self._before = chain.links, goal, before
        self._rests, self._origin = rests, before[0][:, :3, 3]
        axes = [matrices.axes(each) for each in before]
        parents = [above, *axes]
        self._turns = [parent.swapaxes(-1, -2) @ own for parent, own in zip(parents, axes, strict=False)]
        self._first = list(self._turns)
        sizes = [np.linalg.norm(each[:, :3, 1], axis=-1) for each in before]
        self._lengths = [link.length * size for link, size in zip(self._links, sizes, strict=True)]
        self._first_lengths = list(self._lengths)
        self._starts = [np.zeros_like(self._origin), *self._offsets(axes)]
        self._angles: list[Array | None] = [self._hinge_angle(number) for number in range(len(self._links))]
        self._root = above
        # Blender counts a stretching bone as two.
        pieces = sum(1 + self._can_stretch(link) for link in self._links)
        whole = sum(self._lengths) + sum(np.linalg.norm(start, axis=-1) for start in self._starts)
        self._scale: Array = 1.0 / np.where(whole > 0.0, whole, 1.0)
        self._clamp = 1.0 / (2.0 * pieces)
        self._weights = self._dof_weights()

    def _offsets(self, axes: list[Array]) -> list[Array]:
        """(F, 3) from the tail of each bone to the head of the next, in the axes of the former."""
        found = []
        for number in range(1, len(self._links)):
            above, below = self._before[number - 1], self._before[number]
            tail = above[:, :3, 3] + above[:, :3, 1] * self._links[number - 1].length
            found.append(_rotated(axes[number - 1].swapaxes(-1, -2), below[:, :3, 3] - tail))
        return found

    def _hinge_angle(self, number: int) -> Array | None:
        """(F,) about the only axis that a bone may turn about; its other turns are lost, as in Blender."""
        link = self._links[number]
        if len(link.free) != 1:
            return None
        turn, axis = self._rests[number].T @ self._turns[number], link.free[0]
        angle = _angle_about(turn, axis)
        self._turns[number] = self._rests[number] @ _axis_turn(axis, angle)
        return angle

    def _can_stretch(self, link: Link) -> bool:
        return self._goal.stretches and link.stretch > 0.0

    def _dof_weights(self) -> Array:
        weights = []
        for link in self._links:
            weights += [1.0 - min(link.stiffness[axis], _STIFFEST) for axis in link.free]
            weights += [1.0 - min(1.0 - link.stretch**2, _STIFFEST)] if self._can_stretch(link) else []
        return np.array(weights)

    def point_to(self, pole: Array, target: Array) -> None:
        """Turn the whole chain so that it looks at the target and bends to the pole, both (F, 3) in the scene."""
        axes, ends = self._axes_and_ends(np.ones(len(self._origin), dtype=np.bool_))
        angle = self._goal.pole_angle
        up = axes[0][:, :, 0] * np.cos(angle) + axes[0][:, :, 2] * np.sin(angle)
        seen = _view(unit(ends[-1]), up)
        wanted = _view(unit(target - self._origin), unit(pole - self._origin))
        self._root = wanted @ seen.swapaxes(-1, -2) @ self._root

    def reach(self, target: Array) -> None:
        """Take steps until the end is at (F, 3) places, or does not come nearer."""
        way = (target - self._origin) * self._scale[:, None]
        going = np.ones(len(way), dtype=np.bool_)
        for number in range(1, self._goal.iterations + 1):
            small = self._step(way, going)
            if number >= _LEAST_STEPS:
                going[np.flatnonzero(going)[small]] = False
                if not going.any():
                    return

    def _step(self, way: Array, going: Mask) -> Mask:
        """Take a step in some frames; tells for each of them whether it was a small one."""
        axes, ends = self._axes_and_ends(going)
        scale = self._scale[going][:, None]
        ends = [end * scale for end in ends]
        missing = way[going] - ends[-1]
        length = np.linalg.norm(missing, axis=-1)
        missing = missing * np.minimum(1.0, self._clamp / np.maximum(length, 1e-30))[:, None]
        changes = damped_step(self._derivatives(axes, ends), missing, self._weights)
        counts = np.array([_LENGTH_COUNTS if is_length else 1.0 for is_length in self._are_lengths()])
        self._apply(changes, going)
        small: Mask = np.abs(changes * counts).max(axis=-1) < _SMALL
        return small

    def _are_lengths(self) -> list[bool]:
        found = []
        for link in self._links:
            found += [False] * len(link.free) + [True] * self._can_stretch(link)
        return found

    def _axes_and_ends(self, rows: Mask) -> tuple[list[Array], list[Array]]:
        """(F, 3, 3) of each bone, and (F, 3) where each begins and at last where the chain ends, from its root."""
        turn, place = self._root[rows], np.zeros((int(rows.sum()), 3))
        axes, starts = [], []
        for number in range(len(self._links)):
            place = place + _rotated(turn, self._starts[number][rows])
            starts.append(place)
            turn = turn @ self._turns[number][rows]
            axes.append(turn)
            place = place + turn[:, :, 1] * self._lengths[number][rows][:, None]
        return axes, [*starts, place]

    def _derivatives(self, axes: list[Array], ends: list[Array]) -> Array:
        """(F, 3, D) how the end moves with each angle and length."""
        columns = []
        for number, link in enumerate(self._links):
            arm = ends[-1] - ends[number]
            columns += [np.cross(axes[number][:, :, axis], arm) for axis in link.free]
            columns += [axes[number][:, :, 1]] if self._can_stretch(link) else []
        return np.stack(columns, axis=-1)

    def _apply(self, changes: Array, rows: Mask) -> None:
        column = 0
        for number, link in enumerate(self._links):
            own = changes[:, column : column + len(link.free)]
            column += len(link.free)
            angle = self._angles[number]
            if angle is not None:
                angle[rows] += own[:, 0]
                self._turns[number][rows] = self._rests[number] @ _axis_turn(link.free[0], angle[rows])
            else:
                turn = quaternion.to_matrix(quaternion.exp(own))
                self._turns[number] = self._turns[number].copy()
                self._turns[number][rows] = self._turns[number][rows] @ turn
            if self._can_stretch(link):
                self._lengths[number] = self._lengths[number].copy()
                self._lengths[number][rows] += changes[:, column] / self._scale[rows]
                column += 1

    def poses(self, share: Array, above: Array) -> list[Array]:
        """(F, 4, 4) of each bone; where the influence is below 1 a part of the change.

        Args:
            share: (F,) influence on the result.
            above: (F, 3, 3) axes of what the chain hangs on.
        """
        changes, found = self._changes(above), list[Array]()
        for number, own in enumerate(self._before):
            pose = own if number == 0 else found[-1] @ matrices.inverse(self._before[number - 1]) @ own
            change = changes[number]
            if (share < 1.0).any():
                whole = matrices.mixed(
                    np.broadcast_to(np.eye(4), own.shape), matrices.affine(change, np.zeros(3)), share
                )
                change = whole[:, :3, :3]
            found.append(_changed(pose, change))
        return found

    def _changes(self, above: Array) -> list[Array]:
        """(F, 3, 3) turn and stretch of each bone, in its own axes."""
        found, before = [], np.ones(len(self._origin))
        for number in range(len(self._links)):
            turn = self._turns[number]
            if number == 0:
                turn = above.swapaxes(-1, -2) @ self._root @ turn
            first = self._first_lengths[number]
            stretch = np.where(first > 0.0, self._lengths[number] / np.where(first > 0.0, first, 1.0), 1.0)
            share = stretch / before if any(map(self._can_stretch, self._links)) else np.ones_like(stretch)
            found.append(self._first[number].swapaxes(-1, -2) @ turn * share[:, None, None])
            before = stretch
        return found


def _rotated(axes: Array, vectors: Array) -> Array:
    rotated: Array = (axes @ vectors[..., None])[..., 0]
    return rotated


def _changed(pose: Array, change: Array) -> Array:
    """A pose turned and stretched in its own axes as if these were of one size, which they get back."""
    size, more = matrices.sizes(pose), np.sqrt((change**2).sum(axis=-2))
    basis = (matrices.axes(pose) * size[:, 1, None, None]) @ change
    lengths = np.sqrt((basis**2).sum(axis=-2))
    wanted = np.stack([size[:, 0] * more[:, 0], lengths[:, 1], size[:, 2] * more[:, 2]], axis=-1)
    return matrices.affine(
        basis / np.where(lengths > 0.0, lengths, 1.0)[:, None, :] * wanted[:, None, :], pose[:, :3, 3]
    )


def _view(along: Array, up: Array) -> Array:
    """(F, 3, 3) axes: one across a direction and what is up, one upwards, one against the direction."""
    across = unit(np.cross(along, up))
    return np.stack([across, np.cross(across, along), -along], axis=-1)


def _axis_turn(axis: int, angles: Array) -> Array:
    return quaternion.to_matrix(quaternion.from_axis_angle(np.eye(3)[axis], angles))


def _angle_about(turn: Array, axis: int) -> Array:
    """(F,) how far (F, 3, 3) turns go about one of their axes."""
    if axis == 1:
        angles = 2.0 * np.arctan2(turn[:, 0, 2] - turn[:, 2, 0], np.trace(turn, axis1=1, axis2=2) + 1.0)
    else:
        one, other = (turn[:, 1, 2], turn[:, 2, 2]) if axis == 0 else (turn[:, 0, 1], turn[:, 0, 0])
        angles = np.arctan2(-one, other)
    found: Array = angles
    return found

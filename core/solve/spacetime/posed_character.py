"""A character at some frames with a change put on, and how the change moves it."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...motion import Motion, forward_kinematics
from ...numerics import Array, quaternion
from .degrees import Degrees

Indices = NDArray[np.intp]
# Rotation vectors shorter than this turn about any axis as quickly as about their own.
_SMALL = 1e-6


class Posed:
    """Where joints are and how they turn, and the slopes of both.

    Attributes:
        own_rotations: (F, J, 4) of the joints, as changed.
        positions: (F, J, 3) in the scene.
        rotations: (F, J, 4) in the scene.
    """

    def __init__(self, degrees: Degrees, motion: Motion, change: Array) -> None:
        """Pose the character.

        Args:
            motion: The frames asked for, as they were.
            change: (F, D).
        """
        self._degrees = degrees
        self._scales = motion.scales
        turning, moving = list(degrees.turning), list(degrees.moving)
        self._turns = change[:, : 3 * len(turning)].reshape(len(motion), len(turning), 3)
        self.own_rotations = motion.rotations.copy()
        self.own_rotations[:, turning] = quaternion.multiply(motion.rotations[:, turning], quaternion.exp(self._turns))
        locations = motion.locations.copy()
        locations[:, moving] += change[:, 3 * len(turning) :].reshape(len(motion), len(moving), 3)
        poses = forward_kinematics(degrees.skeleton, self.own_rotations, locations, motion.scales)
        self.positions, self.rotations = poses.positions, poses.rotations

    def point_slopes(self, joint: int, rows: Indices) -> Array:
        """(N, 3, D) how a joint's place moves when the change grows."""
        numbers, swung = self._degrees.turning_carriers(joint)
        axes = self._turn_axes[rows[:, None], numbers]
        carriers = np.asarray(self._degrees.turning, dtype=np.intp)[numbers]
        arms = (self.positions[rows[:, None], swung] - self.positions[rows[:, None], carriers])[..., None]
        slopes = self._no_slopes(len(rows))
        turned = slopes[:, :, : 3 * len(self._degrees.turning)].reshape(len(rows), 3, -1, 3)
        for one, (two, three) in enumerate(((1, 2), (2, 0), (0, 1))):
            turned[:, one, numbers] = axes[:, :, two] * arms[:, :, three] - axes[:, :, three] * arms[:, :, two]
        for number in self._degrees.moving_carriers(joint):
            column = 3 * (len(self._degrees.turning) + number)
            slopes[:, :, column : column + 3] = self._move_axes(self._degrees.moving[number], rows)
        return slopes

    def turn_slopes(self, joint: int, rows: Indices) -> Array:
        """(N, 3, D) how a joint turns, as rotation vectors in the scene, when the change grows."""
        numbers = self._degrees.orienting_carriers(joint)
        slopes = self._no_slopes(len(rows))
        turned = slopes[:, :, : 3 * len(self._degrees.turning)].reshape(len(rows), 3, -1, 3)
        turned[:, :, numbers] = self._turn_axes[rows[:, None], numbers].transpose(0, 2, 1, 3)
        return slopes

    def own_turn_slopes(self, joint: int, rows: Indices) -> Array:
        """(N, 3, D) how a joint's own rotation turns in its own axes; nothing if it may not turn."""
        slopes = self._no_slopes(len(rows))
        if joint in self._degrees.turning:
            number = self._degrees.turning.index(joint)
            slopes[:, :, 3 * number : 3 * number + 3] = turn_matrix(self._turns[rows, number])
        return slopes

    def _no_slopes(self, count: int) -> Array:
        return np.zeros((count, 3, len(self._degrees)))

    @cached_property
    def _turn_axes(self) -> Array:
        """(F, T, 3, 3) columns: the axes in the scene about which the three numbers of a turn turn a joint."""
        outer = quaternion.to_matrix(self.rotations[:, list(self._degrees.turning)])
        return np.asarray(outer @ turn_matrix(self._turns))

    def _move_axes(self, joint: int, rows: Indices) -> Array:
        """(N, 3, 3) columns: the directions in the scene of a joint's location, as long as it moves there."""
        skeleton = self._degrees.skeleton
        before = quaternion.multiply(self.rotations[rows, joint], quaternion.conjugate(self.own_rotations[rows, joint]))
        if not skeleton.local_location[joint]:
            before = quaternion.multiply(before, quaternion.conjugate(skeleton.rest_offsets[0][joint]))
        axes = quaternion.to_matrix(before)
        parent = int(skeleton.parents[joint])
        return axes if parent < 0 else axes * self._scales[rows, parent][:, None]


def turn_matrix(vectors: Array) -> Array:
    """(..., 3, 3) what a small growth of rotation vectors turns, in the turned axes (right Jacobian of exp)."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    square = x * x + y * y + z * z
    angle = np.sqrt(square)
    small = angle < _SMALL
    safe = np.where(small, 1.0, angle)
    first = np.where(small, 0.5, (1.0 - np.cos(safe)) / safe**2)
    second = np.where(small, 1.0 / 6.0, (safe - np.sin(safe)) / safe**3)
    # I - first [v] + second [v][v], where [v][v] is v v' less the square of the length.
    level = 1.0 - second * square
    matrix = np.empty((*angle.shape, 3, 3))
    for row, one in enumerate((x, y, z)):
        for column, other in enumerate((x, y, z)):
            matrix[..., row, column] = second * one * other
        matrix[..., row, row] += level
    for row, column, part in ((1, 2, x), (2, 0, y), (0, 1, z)):
        matrix[..., row, column] += first * part
        matrix[..., column, row] -= first * part
    return matrix

"""Constraints that copy what another bone does."""

from dataclasses import dataclass

import numpy as np

from ...numerics import Array, quaternion, rotation_channels
from .. import matrices
from .angles import angles_of, resized, turned
from .constraint import ALL, NONE, Axes, Constraint


@dataclass(frozen=True, kw_only=True)
class CopyLocation(Constraint):
    """Stand where the target stands."""

    axes: Axes = ALL
    inverted: Axes = NONE
    adds: bool = False

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """Exchange the chosen components."""
        signs = np.where(self.inverted, -1.0, 1.0)
        place = targets[0][:, :3, 3] * signs + (own[:, :3, 3] if self.adds else 0.0)
        return matrices.affine(own[:, :3, :3], np.where(self.axes, place, own[:, :3, 3]))


@dataclass(frozen=True, kw_only=True)
class CopyRotation(Constraint):
    """Turn as the target turns."""

    axes: Axes = ALL
    inverted: Axes = NONE
    mix: str = "REPLACE"

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """Exchange or combine the rotation."""
        old, new = matrices.axes(own), matrices.straight(targets[0])
        if self.axes != ALL or self.inverted != NONE or self.mix in ("ADD", "OFFSET"):
            new = self._by_angles(old, new)
        if self.mix == "BEFORE":
            new = new @ old
        elif self.mix == "AFTER":
            new = old @ new
        return resized(new, matrices.sizes(own), own)

    def _by_angles(self, old: Array, new: Array) -> Array:
        present = angles_of(old, self.order)
        angles = angles_of(new, self.order, present)
        kept = present if self.mix in ("REPLACE", "OFFSET") else np.zeros_like(present)
        for axis in range(3):
            if not self.axes[axis]:
                angles[:, axis] = kept[:, axis]
                continue
            if self.mix == "OFFSET":
                angles = self._turned_about(angles, axis, present[:, axis])
            if self.inverted[axis]:
                angles[:, axis] *= -1.0
        return turned(angles + present if self.mix == "ADD" else angles, self.order)

    def _turned_about(self, angles: Array, axis: int, more: Array) -> Array:
        """Angles after a further turn about one of the bone's own axes."""
        turn = quaternion.from_axis_angle(np.eye(3)[axis], more)
        whole = quaternion.multiply(rotation_channels.from_euler(angles, self.order), turn)
        after: Array = rotation_channels.to_euler(whole[None], self.order, start=angles)[0]
        return after


@dataclass(frozen=True, kw_only=True)
class CopyScale(Constraint):
    """Be as large as the target."""

    axes: Axes = ALL
    uniform: bool = False
    power: float = 1.0
    offset: str = ""

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """Exchange or combine the sizes."""
        present, size = matrices.sizes(own), matrices.sizes(targets[0])
        if self.uniform:
            volume = np.abs(np.linalg.det(targets[0][:, :3, :3]))
            total = volume if self.axes == ALL else np.where(self.axes, size, 1.0).prod(axis=-1)
            size = np.repeat(np.cbrt(total)[:, None], 3, axis=1)
        size = size**self.power
        if self.offset:
            size = size * present if self.offset == "MULTIPLY" else size + present - 1.0
        chosen = np.array([self.uniform or axis for axis in self.axes])
        share = np.where(chosen & (present != 0.0), size / np.where(present == 0.0, 1.0, present), 1.0)
        return matrices.affine(own[:, :3, :3] * share[:, None, :], own[:, :3, 3])


@dataclass(frozen=True, kw_only=True)
class CopyTransforms(Constraint):
    """Be where and as the target is."""

    mix: str = "REPLACE"
    straightened: bool = False

    @property
    def replaces(self) -> bool:
        """Whether nothing of the bone's matrix before is left."""
        return self.mix == "REPLACE"

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """Exchange or combine the matrices."""
        other = targets[0]
        if self.straightened:
            other = matrices.affine(matrices.straight(other, keep_scale=True), other[:, :3, 3])
        if self.mix == "REPLACE":
            return other
        first, second = (other, own) if self.mix.startswith("BEFORE") else (own, other)
        if self.mix.endswith("FULL"):
            return first @ second
        turn = matrices.straight(first) @ matrices.straight(second)
        size = matrices.sizes(first) * matrices.sizes(second)
        place = first[:, :3, 3] + second[:, :3, 3] if self.mix.endswith("SPLIT") else (first @ second)[:, :3, 3]
        return matrices.affine(turn * size[:, None, :], place)

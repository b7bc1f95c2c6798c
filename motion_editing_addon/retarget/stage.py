"""How objects stand: the space in which two characters are compared, whatever transforms their objects have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...core import quaternion
from ...core.errors import MotionEditError

if TYPE_CHECKING:
    from mathutils import Matrix

    from ...core.skeleton import Skeleton

# Scales along the axes that differ by less than this part of the largest are the same.
_EVEN = 1e-3


def even_scale(scales: Sequence[float], name: str) -> float:
    """The one scale of an object along all its axes.

    Raises:
        MotionEditError: It is scaled unevenly, mirrored, or to nothing.
    """
    sizes = np.array(scales)
    if not sizes.min() > 0.0 or np.ptp(sizes) > _EVEN * sizes.max():
        raise MotionEditError(f"'{name}' is scaled unevenly or mirrored: apply its scale (Ctrl-A) first")
    return float(sizes.mean())


@dataclass(frozen=True, eq=False)
class Stage:
    """How an object stands in a space: turned, moved, scaled evenly.

    Attributes:
        rotation: (4,) of the object.
        place: (3,) of the object.
        scale: Units of the space for each of the object's own.
    """

    rotation: np.ndarray
    place: np.ndarray
    scale: float

    @classmethod
    def of_matrix(cls, matrix: Matrix, name: str) -> Stage:
        """How an object's world matrix places it.

        Raises:
            MotionEditError: It is scaled unevenly, mirrored, or to nothing.
        """
        place, rotation, scale = matrix.decompose()
        return cls(quaternion.normalize(np.array(rotation)), np.array(place), even_scale(scale, name))

    @property
    def heading(self) -> np.ndarray:
        """(4,) the part of the rotation that turns about the vertical."""
        w, z = self.rotation[0], self.rotation[3]
        if np.hypot(w, z) < 1e-9:
            return quaternion.identity()
        return quaternion.normalize(np.array([w, 0.0, 0.0, z]))

    @property
    def level(self) -> Stage:
        """The same object at the origin, without its heading: upright as it is, and as large."""
        upright = quaternion.multiply(quaternion.conjugate(self.heading), self.rotation)
        return Stage(upright, np.zeros(3), self.scale)

    def placed(self, skeleton: Skeleton) -> Skeleton:
        """A skeleton of `armature.skeleton_of` that stands like this at rest; its joint 0 is the object."""
        back = quaternion.conjugate(skeleton.rest_rotations[0])
        turn = quaternion.multiply(self.rotation, back)
        ways = skeleton.rest_positions - skeleton.rest_positions[0]
        return replace(
            skeleton,
            rest_rotations=quaternion.multiply(turn, skeleton.rest_rotations),
            rest_positions=self.place + self.scale * quaternion.rotate(turn, ways),
            tips=self.scale * skeleton.tips,
        )

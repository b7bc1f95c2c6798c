"""How objects stand: the space in which two characters are compared, whatever transforms their objects have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError
from ...core.numerics import quaternion

if TYPE_CHECKING:
    from bpy.types import Object

    from ...core.motion import Skeleton

# Scales along the axes that differ by less than this part of the largest are the same.
_EVEN = 1e-3


def even_scale(scales: Sequence[float], thing: Object) -> float:
    """The one scale of an object along all its axes.

    Raises:
        MotionEditError: It, or what it is parented to, is scaled unevenly, mirrored, or to nothing.
    """
    if _is_even(scales):
        return float(np.mean(scales))
    guilty, own = thing, tuple(scales) if _is_even(thing.scale) else tuple(thing.scale)
    while (above := guilty.parent) is not None and _is_even(guilty.scale):
        guilty, own = above, tuple(above.scale)
    parent = "" if guilty == thing else f", which '{thing.name}' is parented to,"
    wrong = "is mirrored" if min(own) < 0.0 else "is scaled unevenly" if min(own) > 0.0 else "is scaled to nothing"
    written = ", ".join(f"{scale:.3g}" for scale in own)
    raise MotionEditError(
        f"'{guilty.name}'{parent} {wrong} ({written}): apply its scale (Ctrl-A, Scale) in Object Mode,"
        " or give it one scale above zero along all axes"
    )


def _is_even(scales: Sequence[float]) -> bool:
    sizes = np.array(scales)
    return bool(sizes.min() > 0.0 and np.ptp(sizes) <= _EVEN * sizes.max())


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
    def of_object(cls, thing: Object) -> Stage:
        """How an object stands in the scene.

        Raises:
            MotionEditError: It is scaled unevenly, mirrored, or to nothing.
        """
        place, rotation, scale = thing.matrix_world.decompose()
        return cls(quaternion.normalize(np.array(rotation)), np.array(place), even_scale(scale, thing))

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

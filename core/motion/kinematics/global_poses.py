"""The result of forward kinematics: where every joint is in every frame."""

from dataclasses import dataclass
from functools import cached_property

from ...numerics import Array, quaternion


@dataclass(frozen=True, eq=False)
class GlobalPoses:
    """Joints in scene space.

    Attributes:
        positions: (F, J, 3) heads of the joints.
        rotations: (F, J, 4) orientation without scale and shear.
    """

    positions: Array
    rotations: Array
    _reach: Array
    _size: Array | None = None

    @cached_property
    def tips(self) -> Array:
        """(F, J, 3) ends of the bones."""
        if self._reach.ndim == 3:
            return self._reach
        reach = self._reach if self._size is None else self._reach * self._size.T[..., None]
        return self.positions + quaternion.rotate(self.rotations, reach)

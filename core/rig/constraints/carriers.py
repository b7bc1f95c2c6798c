"""Constraints by which other bones carry a bone."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ...numerics import Array
from .. import matrices
from .constraint import NONE, Axes, Constraint


@dataclass(frozen=True, kw_only=True)
class FollowBones(Constraint):
    """Be carried by other bones as skin is: Blender's Armature constraint."""

    deforms: ClassVar[bool] = True

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """`targets` are sums of deformations already, weighted."""
        return targets[0] @ own


@dataclass(frozen=True, kw_only=True)
class ChildOf(Constraint):
    """Be carried by another bone."""

    inverse: Any = field(default_factory=lambda: np.eye(4))
    kept_place: Axes = NONE

    def solve(self, own: Array, targets: list[Array]) -> Array:
        """Put the target in the place of a parent."""
        carried = targets[0] @ self.inverse @ own
        place = np.where(self.kept_place, own[:, :3, 3], carried[:, :3, 3])
        return matrices.affine(carried[:, :3, :3], place)

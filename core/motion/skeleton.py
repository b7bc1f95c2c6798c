"""Joints, their rest pose and forward kinematics of all frames at once.

A joint's channels are relative to its rest pose, as in Blender: location, rotation and
scale act in the joint's own rest axes. A BVH skeleton is the special case whose rest
axes are the world's.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics import Array, quaternion

Indices = NDArray[np.intp]


class InheritScale(IntEnum):
    """How a bone takes over the scale of its parent; the meanings are Blender's."""

    FULL = 0
    FIX_SHEAR = 1
    ALIGNED = 2
    AVERAGE = 3
    NONE = 4
    NONE_LEGACY = 5


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joint hierarchy with rest pose.

    Attributes:
        names: J joint names, each once.
        parents: (J,) index of each joint's parent, -1 for a root; in any order.
        rest_rotations: (J, 4) orientation of each joint at rest, in skeleton space.
        rest_positions: (J, 3) place of each joint at rest, in skeleton space.
        tips: (J, 3) end of each bone, in the joint's own axes.
        connected: (J,) the joint sits on its parent's tip and ignores its location.
        inherits_rotation: (J,) the joint turns with its parent.
        local_location: (J,) the location acts in the joint's rest axes, else in its parent's.
        inherit_scale: (J,) InheritScale of each joint.
        has_placement: Joint 0 is the object that carries the whole skeleton and places
            it in the scene; inheritance switches of the joints below do not reach it.
    """

    names: tuple[str, ...]
    parents: Indices
    rest_rotations: Array
    rest_positions: Array
    tips: Array
    connected: NDArray[np.bool_]
    inherits_rotation: NDArray[np.bool_]
    local_location: NDArray[np.bool_]
    inherit_scale: NDArray[np.int8]
    has_placement: bool = False

    @classmethod
    def build(
        cls,
        names: Iterable[str],
        parents: Any,
        rest_positions: Any,
        *,
        rest_rotations: Any = None,
        tips: Any = None,
        **flags: Any,
    ) -> "Skeleton":
        """Make a skeleton; what is not given has its usual value (world axes, all inheritance on)."""
        names = tuple(names)
        count = len(names)
        rest = quaternion.identity(count) if rest_rotations is None else quaternion.normalize(rest_rotations)
        usual = {
            "connected": np.zeros(count, dtype=np.bool_),
            "inherits_rotation": np.ones(count, dtype=np.bool_),
            "local_location": np.ones(count, dtype=np.bool_),
            "inherit_scale": np.zeros(count, dtype=np.int8),
        }
        return cls(
            names=names,
            parents=np.array(parents, dtype=np.intp).reshape(count),
            rest_rotations=rest,
            rest_positions=np.array(rest_positions, dtype=np.float64).reshape(count, 3),
            tips=np.zeros((count, 3)) if tips is None else np.array(tips, dtype=np.float64).reshape(count, 3),
            has_placement=bool(flags.pop("has_placement", False)),
            **{name: np.array(flags.pop(name, value), dtype=value.dtype) for name, value in usual.items()},
            **flags,
        )

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            raise ValueError("Joint names must be unique")
        if self.parents.size and (self.parents.max() >= len(self.names) or self.parents.min() < -1):
            raise ValueError("A parent index lies outside the skeleton")
        if self.has_placement and self.parents[0] != -1:
            raise ValueError("The joint that places the skeleton must be joint 0 without a parent")
        _ = self.levels  # A cycle is found here, not at first use.
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def content(self) -> bytes:
        """The same for skeletons that are alike to the last bit."""
        digest = blake2b(repr((self.names, self.has_placement)).encode(), digest_size=16)
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, np.ndarray):
                digest.update(value.tobytes())
        return digest.digest()

    @cached_property
    def index(self) -> dict[str, int]:
        """Joint number by name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Child joints of every joint."""
        found: list[list[int]] = [[] for _ in self.names]
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(joint)
        return tuple(tuple(joints) for joints in found)

    @cached_property
    def levels(self) -> tuple[Indices, ...]:
        """Joints grouped by depth, roots first: all of a level can be evaluated together."""
        levels = [np.flatnonzero(self.parents == -1)]
        while levels[-1].size:
            levels.append(np.flatnonzero(np.isin(self.parents, levels[-1])))
        if sum(level.size for level in levels) != len(self.names):
            raise ValueError("The parents form a cycle")
        return tuple(levels[:-1])

    @cached_property
    def rest_offsets(self) -> tuple[Array, Array]:
        """Rest rotation (J, 4) and place (J, 3) of every joint in its parent's rest axes."""
        rotations, positions = np.array(self.rest_rotations), np.array(self.rest_positions)
        below = self.parents >= 0
        parents = self.parents[below]
        back = quaternion.conjugate(self.rest_rotations[parents])
        rotations[below] = quaternion.multiply(back, self.rest_rotations[below])
        positions[below] = quaternion.rotate(back, self.rest_positions[below] - self.rest_positions[parents])
        return rotations, positions

    def ancestors(self, joint: int) -> list[int]:
        """The joint's parent, the parent's parent and so on up to the root."""
        found = []
        while (joint := int(self.parents[joint])) >= 0:
            found.append(joint)
        return found

    def descendants(self, joint: int) -> list[int]:
        """All joints below the joint, parents before children."""
        found = list(self.children[joint])
        for child in found:
            found.extend(self.children[child])
        return found

    @cached_property
    def moves_rigidly(self) -> bool:
        """Every joint follows its parent fully, so that uniform scales need no matrices."""
        below = self.parents >= 0
        return bool(self.inherits_rotation[below].all() and (self.inherit_scale[below] == InheritScale.FULL).all())

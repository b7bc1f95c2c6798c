"""Which channels of a motion are control variables of its staggered poses (section 3)."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..motion import Indices, Motion
from ..numerics import Array


@dataclass(frozen=True, eq=False)
class Variables:
    """Control variables in order: every joint's rotation, some locations, some scales, the scalars.

    Attributes:
        joints: Number of joints, J.
        locations: Joints whose location is a variable.
        scales: Joints whose scale is a variable.
        scalars: Number of scalar channels.
    """

    joints: int
    locations: tuple[int, ...]
    scales: tuple[int, ...]
    scalars: int

    @classmethod
    def of(cls, motion: Motion) -> "Variables":
        """All rotations and scalars; locations and scales only where they vary."""
        return cls(
            joints=len(motion.skeleton),
            locations=_varying(motion.locations),
            scales=_varying(motion.scales),
            scalars=len(motion.scalar_names),
        )

    def widened(self, locations: Any = (), scales: Any = ()) -> "Variables":
        """With the locations and scales of further joints."""
        return replace(
            self,
            locations=tuple(sorted({*self.locations, *(int(joint) for joint in locations)})),
            scales=tuple(sorted({*self.scales, *(int(joint) for joint in scales)})),
        )

    def __len__(self) -> int:
        return self.joints + len(self.locations) + len(self.scales) + self.scalars

    @cached_property
    def joint_of(self) -> Indices:
        """(V,) joint of every variable, -1 for scalar channels."""
        return np.array([*range(self.joints), *self.locations, *self.scales, *[-1] * self.scalars], dtype=np.intp)

    @cached_property
    def variable_of_number(self) -> Indices:
        """(C,) variable of every number: three for each location and scale, one for each scalar."""
        vectors = np.repeat(self.joints + np.arange(len(self.locations) + len(self.scales)), 3)
        rest = np.arange(len(self) - self.scalars, len(self))
        return np.concatenate([vectors, rest]).astype(np.intp)

    @cached_property
    def keys(self) -> list[tuple[str, int]]:
        """(V,) kind and joint or channel number of every variable."""
        return [
            *(("rotation", joint) for joint in range(self.joints)),
            *(("location", joint) for joint in self.locations),
            *(("scale", joint) for joint in self.scales),
            *(("scalar", channel) for channel in range(self.scalars)),
        ]

    def from_joints(self, table: Any, scalars: Any) -> Any:
        """(K, V) table of a (K, J) one: a joint's variables share its column, scalars get a value."""
        table = np.asarray(table)
        rest = np.full((len(table), self.scalars), scalars, dtype=table.dtype)
        return np.concatenate([table[:, self.joint_of[: len(self) - self.scalars]], rest], axis=1)

    def numbers(self, motion: Motion) -> Array:
        """(F, C) all variables that are not rotations."""
        frames = len(motion)
        return np.concatenate(
            [
                motion.locations[:, list(self.locations)].reshape(frames, 3 * len(self.locations)),
                motion.scales[:, list(self.scales)].reshape(frames, 3 * len(self.scales)),
                motion.scalars,
            ],
            axis=1,
        )

    def with_numbers(self, motion: Motion, numbers: Array) -> Motion:
        """The motion with these variables set from a (F, C) table."""
        frames = len(motion)
        here, there = 3 * len(self.locations), 3 * (len(self.locations) + len(self.scales))
        locations, scales = np.array(motion.locations), np.array(motion.scales)
        locations[:, list(self.locations)] = numbers[:, :here].reshape(frames, len(self.locations), 3)
        scales[:, list(self.scales)] = numbers[:, here:there].reshape(frames, len(self.scales), 3)
        return replace(motion, locations=locations, scales=scales, scalars=numbers[:, there:])


def _varying(vectors: Array) -> tuple[int, ...]:
    varies = (vectors != vectors[:1]).any(axis=(0, 2))
    return tuple(int(joint) for joint in np.flatnonzero(varies))

"""Equations that constraints write for the solver."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Rows:
    """Numbers that are to become zero, and how the changes at one or two frames move them.

    Attributes:
        values: (R,) what they are now.
        part_rows: (P,) the row that a part belongs to; every row has one.
        part_frames: (P,) the frame whose change it follows, as a row of the constrained frames.
        slopes: (P, D) how.
        at_least: (R,) whether values above zero are well too.
    """

    values: Array
    part_rows: NDArray[np.intp]
    part_frames: NDArray[np.intp]
    slopes: Array
    at_least: Flags

    @classmethod
    def of(cls, frames: Any, values: Array, slopes: Array, *, at_least: bool = False) -> "Rows":
        """Rows that depend on one frame each: values (N, K) and slopes (N, K, D) at frames (N,)."""
        return cls(
            values.reshape(-1),
            np.arange(values.size),
            np.repeat(np.asarray(frames, dtype=np.intp), values.shape[1]),
            slopes.reshape(values.size, -1),
            np.full(values.size, at_least),
        )

    @classmethod
    def joined(cls, parts: Sequence["Rows"]) -> "Rows":
        """All rows after each other."""
        if len(parts) == 1:
            return parts[0]
        starts = np.cumsum([0, *(len(part.values) for part in parts[:-1])])
        return cls(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.part_rows + start for part, start in zip(parts, starts, strict=True)]),
            np.concatenate([part.part_frames for part in parts]),
            np.concatenate([part.slopes for part in parts]),
            np.concatenate([part.at_least for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.values)

    @property
    def whole(self) -> bool:
        """Whether every row has one part, so that parts are rows."""
        return len(self.part_rows) == len(self.values)

    @property
    def missed(self) -> Array:
        """(R,) by how much rows are violated."""
        return np.where(self.at_least, np.maximum(-self.values, 0.0), np.abs(self.values))

    def chosen(self, which: Flags) -> "Rows":
        """Some rows (R,)."""
        if which.all():
            return self
        parts = which[self.part_rows]
        number = np.cumsum(which) - 1
        return Rows(
            self.values[which],
            number[self.part_rows[parts]],
            self.part_frames[parts],
            self.slopes[parts],
            self.at_least[which],
        )

    def summed(self, parts: Array) -> Array:
        """(R, ...) sums of what belongs to each row, of values (P, ...)."""
        if self.whole:
            return parts
        order = np.argsort(self.part_rows, kind="stable")
        starts = np.searchsorted(self.part_rows[order], np.arange(len(self)))
        return np.asarray(np.add.reduceat(parts[order], starts, axis=0))

    def moved_by(self, change: Array) -> Array:
        """(R,) how far a change (U, D) at the constrained frames moves the values, by their slopes."""
        return self.summed(np.einsum("pd,pd->p", self.slopes, change[self.part_frames]))

    def pulled(self, multipliers: Array, frames: int) -> Array:
        """(U, D) how multipliers (R,) pull at the changes of the U constrained frames, by the slopes."""
        pull = np.zeros((frames, self.slopes.shape[1]))
        order = np.argsort(self.part_frames, kind="stable")
        there, starts = np.unique(self.part_frames[order], return_index=True)
        pulls = self.slopes[order] * multipliers[self.part_rows[order], None]
        pull[there] = np.add.reduceat(pulls, starts, axis=0)
        return pull

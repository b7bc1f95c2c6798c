"""Which knots rule the time of a variable: its extremes, and the ends of the motion."""

from dataclasses import dataclass

import numpy as np

from ...motion import Indices
from ...numerics import Array
from ..timing import Timing


@dataclass(frozen=True, eq=False)
class KnotRows:
    """M variables that have knots in the same N rows.

    Attributes:
        variables: (M,) numbers of the variables.
        poses: Poses whose extremes are among the rows, in order.
        has_start: Before them there is a knot at the start of the motion.
        has_end: After them there is one at its end.
        is_cyclic: What comes after the last row is the first one again, a round later.
    """

    variables: Indices
    poses: Indices
    has_start: bool
    has_end: bool
    is_cyclic: bool

    @property
    def extreme_rows(self) -> slice:
        """The rows that are extremes of poses."""
        return slice(int(self.has_start), int(self.has_start) + len(self.poses))

    def __len__(self) -> int:
        return len(self.poses) + self.has_start + self.has_end

    def laid_out(self, extremes: Array, span: Array) -> Array:
        """(N, M) times of the rows, from (K, V) extremes and the ends (2,) of the motion."""
        inner = extremes[np.ix_(self.poses, self.variables)]
        ends = [np.full((1, inner.shape[1]), span[side]) for side in (0, 1)]
        return np.concatenate([*ends[: self.has_start], inner, *ends[2 - self.has_end :]])


def rows_of(timing: Timing) -> list[KnotRows]:
    """The variables of a timing by the knots that they have; those without any are left out."""
    used = np.concatenate([timing.anchors[:1], timing.present, timing.anchors[1:]])
    if timing.is_cyclic:
        # Both ends of a loop are one moment, and a knot at an end that is no extreme rules nothing.
        used = np.concatenate([np.zeros_like(used[:1]), used[1:-1], np.zeros_like(used[:1])])
        used[-2] &= ~used[1]
    patterns, group = np.unique(used, axis=1, return_inverse=True)
    found = []
    for number, pattern in enumerate(patterns.T):
        variables = np.flatnonzero(np.ravel(group) == number)
        poses = np.flatnonzero(pattern[1:-1])
        rows = KnotRows(variables, poses, bool(pattern[0]), bool(pattern[-1]), timing.is_cyclic)
        if len(rows):
            found.append(rows)
    return found

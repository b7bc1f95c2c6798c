"""When every control variable passes every pose: pose times and timing refinements (section 3).

What was asked for is stored besides when the knots really are: where that is less, in order that
nothing jumps, a stagger that was exaggerated or taken away can still be brought back exactly.

Knots are laid out in slots. Slot 0 is a knot at the start of the motion, the last slot one at its
end, both belonging to no pose; each pose has two slots in between, the second one used where the
pose has an editing knot besides its extreme.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion import Indices
from ..numerics import Array

Flags = NDArray[np.bool_]

# Refinements smaller than this many seconds are rounding.
TINY_TIME = 1e-9


@dataclass(frozen=True, eq=False)
class Timing:
    """Times of the knots of V variables at K poses, in seconds.

    Attributes:
        pose_times: (K,) increasing.
        refinements: (K, V) extreme of a variable after the pose time, as asked for.
        collapsed: (K, V) the refinement is remembered, but for now the knot should be at the pose time.
        amounts: (K,) part of what was asked of a pose's refinements that is done, so that nothing jumps.
        present: (K, V) the pose holds the variable.
        extreme_times: (K, V) when the extremes are, those of one variable in order and apart.
        companions: (K, V) editing knot after its extreme, when the curves were fitted; 0 where there is none.
        span: (2,) start and end of the motion.
        anchors: (2, V) the variable has a knot at the start, at the end, that is no pose's.
        margin: Knots of one variable stay this far apart.
        is_cyclic: The motion plays round and round: its first and its last pose are one.
        seam: Seconds from the end of a round to the start of the next; 0 where the last frame is the first again.
    """

    pose_times: Array
    refinements: Array
    collapsed: Flags
    amounts: Array
    present: Flags
    extreme_times: Array
    companions: Array
    span: Array
    anchors: Flags
    margin: float
    is_cyclic: bool = False
    seam: float = 0.0

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __len__(self) -> int:
        return len(self.pose_times)

    @property
    def round_length(self) -> float:
        """Seconds of a round of a loop."""
        return float(self.span[1] - self.span[0]) + self.seam

    @cached_property
    def applied_refinements(self) -> Array:
        """(K, V) refinements as asked for: 0 where the stagger is taken away."""
        return np.where(self.collapsed, 0.0, self.refinements)

    @cached_property
    def wanted_times(self) -> Array:
        """(K, V) extremes as asked for."""
        times: Array = self.pose_times[:, None] + self.applied_refinements
        return times

    @cached_property
    def previous(self) -> Indices:
        """(K, V) the pose before that holds the variable, -1 if none does."""
        number = np.where(self.present, np.arange(len(self))[:, None], -1)
        before = np.maximum.accumulate(number, axis=0)
        return np.concatenate([np.full_like(before[:1], -1), before[:-1]])

    @cached_property
    def following(self) -> Indices:
        """(K, V) the pose after that holds the variable, K if none does."""
        number = np.where(self.present, np.arange(len(self))[:, None], len(self))
        after = np.minimum.accumulate(number[::-1], axis=0)[::-1]
        return np.concatenate([after[1:], np.full_like(after[:1], len(self))])

    def neighbour_times(self) -> tuple[Array, Array]:
        """(K, V) extremes of the variable before and after each of its own; infinite if there is none."""
        edge = np.full_like(self.extreme_times[:1], np.inf)
        padded = np.concatenate([-edge, self.extreme_times, edge])
        before = np.take_along_axis(padded, self.previous + 1, axis=0)
        return before, np.take_along_axis(padded, self.following + 1, axis=0)

    @property
    def companion_times(self) -> Array:
        """(K, V) editing knots when the curves were fitted."""
        times: Array = self.extreme_times + self.companions
        return times

    @cached_property
    def has_companion(self) -> Flags:
        """(K, V) the pose has an editing knot for the variable."""
        flags: Flags = self.present & (self.companions != 0.0)
        return flags

    @cached_property
    def extreme_slots(self) -> Indices:
        """(K, V) slot of every extreme: the second of the pose's two where its editing knot is earlier."""
        slots: Indices = 1 + 2 * np.arange(len(self))[:, None] + (self.companions < 0.0)
        return slots

    @cached_property
    def slots_used(self) -> Flags:
        """(2 K + 2, V) the slot holds a knot."""
        used = np.zeros((2 * len(self) + 2, self.present.shape[1]), dtype=np.bool_)
        used[0], used[-1] = self.anchors
        np.put_along_axis(used, self.extreme_slots, self.present, axis=0)
        np.put_along_axis(used, self.companion_slots, self.has_companion, axis=0)
        return used

    @cached_property
    def companion_slots(self) -> Indices:
        """(K, V) the slot of the pose that its extreme does not take."""
        slots: Indices = 3 + 4 * np.arange(len(self))[:, None] - self.extreme_slots
        return slots

    @cached_property
    def slot_times(self) -> Array:
        """(2 K + 2, V) time of the knot in every slot as curves are fitted to them; meaningless where there is none."""
        times = np.full(self.slots_used.shape, np.nan)
        np.put_along_axis(times, self.extreme_slots, self.extreme_times, axis=0)
        np.put_along_axis(times, self.companion_slots, self.companion_times, axis=0)
        inner = np.where(self.slots_used[1:-1], times[1:-1], np.nan)
        times[0] = np.fmin(self.span[0], np.fmin.reduce(inner, axis=0, initial=np.inf))
        times[-1] = np.fmax(self.span[1], np.fmax.reduce(inner, axis=0, initial=-np.inf))
        return times

    def changed(self, **fields: Any) -> "Timing":
        """The same timing with some fields replaced."""
        return replace(self, **fields)

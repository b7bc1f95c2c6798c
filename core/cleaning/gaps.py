"""Gaps in captured motion: samples that are missing, or held at the last value that was seen."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.contacts import ContactSpans
from ..analysis.flaws import Flaw, FlawKind
from ..motion import Motion, chosen_joints
from ..numerics import Array, first_and_last, rotation_difference, rotation_distance, vector_distance

# Part of a joint's usual step that it must make right before and right after it was held, and the least
# step that is a movement: in radians, and as part of the skeleton's size.
_ABRUPT, _LEAST_TURN, _LEAST_MOVE = 0.3, 2e-3, 2e-4
# Share of a joint's still samples that must lie in gaps, and of a gap in which a joint in contact stands.
_MOSTLY = 0.5
# Times the steps beside it from which on a step is a jump, and the part of a joint's range that may lie beyond its end.
_JUMP, _BEYOND = 3.0, 0.01
# Seconds by which a run may miss a length because of rounding.
_ROUNDING = 1e-9


def find_held(
    motion: Motion,
    *,
    shortest: float = 0.1,
    longest: float = 1.0,
    joints: Any = None,
    contacts: ContactSpans | None = None,
) -> tuple[Flaw, ...]:
    """List runs of identical samples that a joint enters and leaves in full movement.

    A joint that stands at the end of its range is no gap: it leaves it again the way that it came, as a straight
    knee does. Nor is one that stands still as often without any haste, as in motion that was drawn.

    Args:
        shortest: Seconds that a run lasts at least. Raise it for motion that was drawn on threes.
        longest: Seconds beyond which a run is a pause.
        joints: (J,) joints to search; all by default.
        contacts: Joints in contact stand still with good reason, and are left out meanwhile.

    Returns:
        Held samples, without the first of each run, which was seen.
    """
    size = float(np.ptp(motion.skeleton.rest_positions, axis=0).max(initial=0.0)) or 1.0
    kinds = (
        ("rotation", motion.rotations, rotation_distance, rotation_difference, _LEAST_TURN),
        ("location", motion.locations, vector_distance, np.subtract, _LEAST_MOVE * size),
    )
    found: list[Flaw] = []
    for channel, values, distance, difference, least in kinds:
        same = (values[1:] == values[:-1]).all(axis=2)
        for joint in np.flatnonzero(chosen_joints(motion, joints) & same.any(axis=0) & ~same.all(axis=0)):
            name = motion.skeleton.names[joint]
            steps = distance(values[1:, [joint]], values[:-1, [joint]])[:, 0]
            limit = max(_ABRUPT * float(np.median(steps[~same[:, joint]])), least)
            track = _Track(motion.times, same[:, joint], steps, limit, shortest, longest)
            gaps = [
                (first, last)
                for first, last in track.gaps()
                if not track.at_an_end(difference(values[:, joint], values[first, joint]), first, last)
                and not _stands(contacts, name, motion.times[first : last + 2])
            ]
            found += [
                Flaw(FlawKind.HELD, name, channel, first + 1, last + 1, float(steps[last + 1])) for first, last in gaps
            ]
    return tuple(found)


def _stands(contacts: ContactSpans | None, name: str, times: Array) -> bool:
    """Whether a joint is in contact for most of some times."""
    return contacts is not None and bool(contacts.active(name, times).mean() > _MOSTLY)


@dataclass(frozen=True, eq=False)
class _Track:
    """How one joint moves from frame to frame.

    Attributes:
        times: (F,) seconds.
        same: (F-1,) steps of none at all.
        steps: (F-1,) sizes of the steps.
        limit: Steps above it are movement.
        shortest: Seconds that a gap lasts at least.
        longest: Seconds that it lasts at most.
    """

    times: Array
    same: Any
    steps: Array
    limit: float
    shortest: float
    longest: float

    def gaps(self) -> list[tuple[int, int]]:
        """First and last step of the runs that begin and end in full movement; none if most runs do not."""
        found = [
            (first, last)
            for first, last in first_and_last(self.same)
            if self._lasts(first, last) and self._abrupt(first, last)
        ]
        held = sum(last - first + 1 for first, last in found)
        return found if held >= _MOSTLY * np.count_nonzero(self.same) else []

    def at_an_end(self, away: Array, first: int, last: int) -> bool:
        """Whether the joint stands at the end of its range: nothing goes on beyond, and it turns back without a jump.

        Args:
            away: (F, 3) difference of every sample from the one that is held.
            first: First step of none.
            last: Last one.
        """
        came, left = -away[first - 1], away[last + 2]
        if float(came @ left) >= 0.0:
            return False
        along = away @ (came / np.linalg.norm(came))
        beside = np.concatenate([self.steps[max(first - 3, 0) : first], self.steps[last + 2 : last + 5]])
        jumps = bool(self.steps[last + 1] > _JUMP * beside.max(initial=0.0))
        return not jumps and float(along.max()) <= _BEYOND * float(np.ptp(along))

    def _lasts(self, first: int, last: int) -> bool:
        seconds = float(self.times[last + 1] - self.times[first])
        return self.shortest <= seconds + _ROUNDING <= self.longest + 2.0 * _ROUNDING

    def _abrupt(self, first: int, last: int) -> bool:
        """Whether steps above the limit come right before and right after some steps of none."""
        steps = self.steps
        return first > 0 and last + 1 < len(steps) and bool(min(steps[first - 1], steps[last + 1]) > self.limit)

"""Gaps in captured motion: samples that are missing, or held at the last value that was seen."""

from typing import Any

import numpy as np

from .. import quaternion
from ..errors import NotFiniteError
from ..joint_blocks import chosen_joints
from ..motion import Motion
from ..quaternion import Array
from ..skeleton import Skeleton
from .flaw import Flaw, FlawKind, runs
from .medians import rotation_distance, vector_distance
from .repair import repaired

# Part of a joint's usual step that it must make right before and right after it was held, and the least
# step that is a movement: in radians, and as part of the skeleton's size.
_ABRUPT, _LEAST_TURN, _LEAST_MOVE = 0.3, 2e-3, 2e-4
# Seconds by which a run may miss a length because of rounding.
_ROUNDING = 1e-9


def find_held(motion: Motion, *, shortest: float = 0.1, longest: float = 1.0, joints: Any = None) -> tuple[Flaw, ...]:
    """List runs of identical samples that a joint enters and leaves in full movement.

    Args:
        motion: To search.
        shortest: Seconds that a run lasts at least. Raise it for motion that was drawn on threes.
        longest: Seconds beyond which a run is a pause.
        joints: (J,) joints to search; all by default.

    Returns:
        Held samples, without the first of each run, which was seen.
    """
    size = float(np.ptp(motion.skeleton.rest_positions, axis=0).max(initial=0.0)) or 1.0
    kinds = (
        ("rotation", motion.rotations, rotation_distance, _LEAST_TURN),
        ("location", motion.locations, vector_distance, _LEAST_MOVE * size),
    )
    found: list[Flaw] = []
    for channel, values, distance, least in kinds:
        same = (values[1:] == values[:-1]).all(axis=2)
        for joint in np.flatnonzero(chosen_joints(motion, joints) & same.any(axis=0) & ~same.all(axis=0)):
            steps = distance(values[1:, [joint]], values[:-1, [joint]])[:, 0]
            limit = max(_ABRUPT * float(np.median(steps[~same[:, joint]])), least)
            for first, last in runs(same[:, joint]):
                seconds = float(motion.times[last + 1] - motion.times[first])
                if shortest <= seconds + _ROUNDING <= longest + 2.0 * _ROUNDING and _abrupt(steps, first, last, limit):
                    name, jump = motion.skeleton.names[joint], float(steps[last + 1])
                    found.append(Flaw(FlawKind.HELD, name, channel, first + 1, last + 1, jump))
    return tuple(found)


def _abrupt(steps: Array, first: int, last: int, limit: float) -> bool:
    """Whether steps above a limit come right before and right after some steps of none."""
    return first > 0 and last + 1 < len(steps) and min(steps[first - 1], steps[last + 1]) > limit


def motion_with_gaps(
    skeleton: Skeleton, rotations: Any, *, rate: float, times: Any = None, locations: Any = None
) -> tuple[Motion, tuple[Flaw, ...]]:
    """A motion of samples some of which are missing, filled in, and the list of what was.

    Args:
        skeleton: J joints.
        rotations: (F, J, 4) quaternions; missing are those with a NaN and those of length zero.
        rate: Samples per second.
        times: (F,) seconds; evenly spaced if not given.
        locations: (F, J, 3); missing are those with a NaN.

    Raises:
        NotFiniteError: A joint has no sample at all.
    """
    turns = np.array(rotations, dtype=np.float64)
    places = np.zeros((*turns.shape[:2], 3)) if locations is None else np.array(locations, dtype=np.float64)
    absent = ~np.isfinite(turns).all(axis=2) | (turns == 0.0).all(axis=2)
    flaws = [
        *_missing(skeleton, turns, absent, "rotation"),
        *_missing(skeleton, places, ~np.isfinite(places).all(axis=2), "location"),
    ]
    motion = Motion.build(skeleton, quaternion.normalize(turns), rate=rate, times=times, locations=places)
    return repaired(motion, flaws), tuple(flaws)


def _missing(skeleton: Skeleton, values: Array, absent: Any, channel: str) -> list[Flaw]:
    """List absent samples (F, J) and hold the last value that was seen in their place, until they are repaired."""
    flaws = []
    for joint in np.flatnonzero(absent.any(axis=0)):
        name, own = skeleton.names[joint], absent[:, joint]
        if own.all():
            raise NotFiniteError(f"'{name}' has no {channel} in any frame; leave the joint out")
        seen = np.maximum.accumulate(np.where(own, 0, np.arange(len(own))))
        seen[: int(np.argmin(own))] = int(np.argmin(own))
        values[:, joint] = values[seen, joint]
        flaws += [Flaw(FlawKind.MISSING, name, channel, first, last, 0.0) for first, last in runs(own)]
    return flaws

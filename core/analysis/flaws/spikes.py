"""Finding spikes: a few samples that are far from all that surrounds them."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...motion import Motion, chosen_joints, moving_blocks
from ...numerics import Array, Distance, first_and_last, medians, rotation_distance, vector_distance
from .flaw import Flaw, FlawKind

# Seconds over which the usual step from frame to frame is measured, and the least number of frames.
_AROUND, _LEAST_AROUND = 0.25, 8
# Part of a limit that samples beside a spike must exceed to be part of it.
_BESIDE = 0.5
# Part of a spike's size to which the samples before and after it must agree: what does not come back is a movement.
_BACK = 0.5


def find_spikes(
    motion: Motion,
    *,
    longest: int = 3,
    threshold: float = 6.0,
    least_turn: float = 0.05,
    least_move: float = 0.01,
    joints: Any = None,
) -> tuple[Flaw, ...]:
    """List samples that are off by many times what a joint moves from frame to frame around them.

    How far a sample is off is its distance from the median of the samples around it. Quick movements
    are told from spikes by the steps around them, which are as large.

    Args:
        longest: Frames that a spike may last.
        threshold: How many usual steps a spike is off. Lower it to find more.
        least_turn: Radians below which nothing is a spike of a rotation.
        least_move: The same for locations, as part of the skeleton's size.
        joints: (J,) joints to search; all by default.
    """
    if longest < 1 or not threshold > 0.0:
        raise ValueError("longest must be at least one frame, threshold must be above zero")
    size = float(np.ptp(motion.skeleton.rest_positions, axis=0).max(initial=0.0)) or 1.0
    kinds = (
        ("rotation", motion.rotations, rotation_distance, least_turn),
        ("location", motion.locations, vector_distance, least_move * size),
    )
    found: list[Flaw] = []
    for channel, values, distance, least in kinds:
        for block in moving_blocks(values, chosen_joints(motion, joints)):
            part = np.array(values.T[:, block]).T
            away, limit = _distances(part, distance, motion.rate, longest, threshold, least)
            for joint, first, last in _spikes(away, limit, longest):
                name = motion.skeleton.names[block[joint]]
                furthest = float(away[first : last + 1, joint].max())
                if float(distance(part[first - 1, joint], part[last + 1, joint])) <= _BACK * furthest:
                    found.append(Flaw(FlawKind.SPIKE, name, channel, first, last, furthest))
    return tuple(found)


def _distances(
    values: Array, distance: Distance, rate: float, radius: int, threshold: float, least: float
) -> tuple[Array, Array]:
    """(F, N) distances from the medians, and the limits above which they are spikes."""
    away = distance(values, medians(values, radius, distance))
    if not (away > least).any():
        return away, np.full(away.shape, np.inf)
    steps = _usual_steps(distance(values[1:], values[:-1]), max(round(_AROUND * rate), _LEAST_AROUND))
    return away, np.maximum(threshold * steps, least)


def _usual_steps(steps: Array, length: int) -> Array:
    """(F, N) median step of some frames around every frame, the largest where it differs."""
    count = -(-len(steps) // length)
    padded = np.pad(
        steps, ((0, count * length - len(steps)), (0, 0)), mode="reflect" if len(steps) > length else "edge"
    )
    usual = np.median(padded.reshape(count, length, -1), axis=1)
    wide = np.pad(usual, ((1, 1), (0, 0)), mode="edge")
    largest = np.maximum(np.maximum(wide[:-2], wide[2:]), usual)
    frames = np.minimum(np.arange(len(steps) + 1) // length, count - 1)
    around: Array = largest[frames]
    return around


def _spikes(away: Array, limit: Array, longest: int) -> Iterator[tuple[int, int, int]]:
    """Joint, first and last frame of every run that is off and short, with what is half as far off beside it."""
    for joint in np.flatnonzero((away > limit).any(axis=0)):
        off = away[:, joint] > _BESIDE * limit[:, joint]
        for first, last in first_and_last(away[:, joint] > limit[:, joint]):
            if last - first >= longest:
                continue
            begin = first - 1 if last - first + 1 < longest and off[first - 1] else first
            end = last + 1 if last - begin + 1 < longest and off[last + 1] else last
            yield int(joint), begin, end

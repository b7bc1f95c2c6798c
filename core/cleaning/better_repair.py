"""Repairs that are taken only where they are better than the flaw.

A spike of the pelvis is mostly a lost marker, and the thighs turn back what the pelvis is off by: with all of them
filled in the feet stay where they are, with some of them they jump. So every repair is looked at in the whole figure.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..analysis.flaws import CHANNELS, Flaw, FlawKind
from ..editing import repaired
from ..motion import Motion
from ..numerics import Array, quaternion

# Frames beside flaws whose steps count, and between flaws that are looked at together.
_BESIDE, _TOGETHER = 2, 1
# Times what a joint does at most around a flaw that it may do after a repair, and what does not count: as part of the
# skeleton's size, and in radians.
_LARGER, _LITTLE, _LITTLE_TURN = 1.1, 1e-3, 0.01


def repaired_where_better(motion: Motion, flaws: Iterable[Flaw]) -> tuple[Motion, tuple[Flaw, ...]]:
    """Fill in what is listed wherever no joint jerks more than it did with the flaw.

    Flaws at the same time are filled in together; where that is worse, those of them that are not worse alone.

    Args:
        motion: In which the flaws were found.
        flaws: As for `repaired`. Missing samples are always filled in.

    Returns:
        The motion, and the flaws that were left as they are.
    """
    listed = list(flaws)
    filled, left = repaired(motion, listed), list[Flaw]()
    given = {flaw: np.s_[flaw.first : flaw.last + 1, motion.skeleton.index[flaw.joint]] for flaw in listed}
    arrays: dict[str, Any] = {channel: np.array(getattr(filled, channel)) for channel in CHANNELS.values()}
    for cluster in _clusters(listed):
        part = slice(max(min(flaw.first for flaw in cluster) - _BESIDE, 0), max(f.last for f in cluster) + _BESIDE + 1)
        before, after = (each.part(part.start, part.stop) for each in (motion, filled))
        if not _is_worse(before, after):
            continue
        for flaw in _not_better(cluster, before, after, part.start):
            channel = CHANNELS[flaw.channel]
            arrays[channel][given[flaw]] = getattr(motion, channel)[given[flaw]]
            left.append(flaw)
    if not left:
        return filled, ()
    arrays["rotations"] = quaternion.sign_continuous(arrays["rotations"])
    return replace(filled, **arrays), tuple(left)


def _clusters(flaws: Sequence[Flaw]) -> Iterator[list[Flaw]]:
    """Flaws that lie at the same time or next to each other."""
    cluster: list[Flaw] = []
    for flaw in sorted(flaws, key=lambda flaw: flaw.first):
        if cluster and flaw.first > max(each.last for each in cluster) + _TOGETHER:
            yield cluster
            cluster = []
        cluster.append(flaw)
    if cluster:
        yield cluster


def _not_better(cluster: list[Flaw], before: Motion, after: Motion, start: int) -> list[Flaw]:
    """Of flaws that had better not be filled in all together, those that are worse alone too, from the tips inward."""
    depth = {name: len(before.skeleton.ancestors(joint)) for name, joint in before.skeleton.index.items()}
    now, left = before, list[Flaw]()
    for flaw in sorted(cluster, key=lambda flaw: (flaw.kind is not FlawKind.MISSING, -depth[flaw.joint])):
        channel, joint = CHANNELS[flaw.channel], before.skeleton.index[flaw.joint]
        values = np.array(getattr(now, channel))
        rows = slice(flaw.first - start, flaw.last + 1 - start)
        values[rows, joint] = getattr(after, channel)[rows, joint]
        changed: dict[str, Any] = {channel: values}
        tried = replace(now, **changed)
        if flaw.kind is FlawKind.MISSING or not _is_worse(before, tried):
            now = tried
        else:
            left.append(flaw)
    return left


def _is_worse(before: Motion, after: Motion) -> bool:
    """Whether a joint jerks more from frame to frame than it did, or turns further."""
    size = float(np.ptp(before.skeleton.rest_positions, axis=0).max(initial=0.0)) or 1.0
    # What changes from one step to the next: in quick movement a jump is no larger than the steps.
    places = [_largest(np.linalg.norm(np.diff(each.poses.positions, 2, axis=0), axis=2)) for each in (before, after)]
    turns = [_largest(quaternion.angle_between(each.rotations[1:], each.rotations[:-1])) for each in (before, after)]
    further = places[1] > _LARGER * places[0] + _LITTLE * size
    return bool(further.any() or (turns[1] > _LARGER * turns[0] + _LITTLE_TURN).any())


def _largest(steps: Array) -> Array:
    """(J,) largest of the steps (F, J)."""
    return np.asarray(steps.max(axis=0, initial=0.0))

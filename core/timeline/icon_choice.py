"""Which poses get an icon, and which of them give way where there is no room.

First the pose that is dragged, then hits, then in every window the pose that it is about, then the poses
in windows, then all others; among equals the most telling ones.
"""

from collections.abc import Iterable

import numpy as np

from ..analysis.collisions import Collisions, key_pose_weights
from ..motion import Indices
from .windows import Windows

# Part of a window at each of its ends in which its pose is not looked for: an icon there would stand beside it.
_EDGE = 0.15


def chosen_icons(
    count: int, ranked: Indices, windows: Windows | None, *, first: Iterable[int] = ()
) -> tuple[Indices, Indices]:
    """Samples that get an icon, in order of time, and the place of each in the order of importance.

    Args:
        count: How many are wanted.
        ranked: All samples, the most telling ones first.
        windows: At least one icon is for each of them; None for no windows.
        first: Samples that come before all others.
    """
    keys = list(dict.fromkeys([*first, *window_poses(ranked, windows)]))
    known = set(keys)
    others = [sample for sample in ranked.tolist() if sample not in known][: max(0, count - len(keys))]
    order = np.array([*keys, *sorted(others, key=lambda sample: not _is_inside(sample, windows))], dtype=np.intp)
    by_time = np.argsort(order)
    return order[by_time], by_time


def window_poses(ranked: Indices, windows: Windows | None) -> list[int]:
    """In the operation window its most telling sample, in every other window the one that corresponds to it."""
    if windows is None:
        return []
    start, end = windows.operation.start, windows.operation.end
    edge = _EDGE * (end - start)
    inside = ranked[(ranked >= start + edge) & (ranked <= end - edge)]
    if not len(inside):
        return []
    pose, last = int(inside[0]), len(ranked) - 1
    return [pose, *(int(np.clip(np.rint(each.own_at(pose)), 0, last)) for each in windows.others)]


def _is_inside(sample: int, windows: Windows | None) -> bool:
    return windows is not None and windows.holding(sample) is not None


def telling_hits(touches: Collisions | None) -> Indices:
    """Frames of the touches that tell them: where each begins, and where it is deepest."""
    return np.flatnonzero(key_pose_weights(touches) >= 1.0) if touches is not None else np.zeros(0, dtype=np.intp)

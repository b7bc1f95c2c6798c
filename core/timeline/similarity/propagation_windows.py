"""Propagation windows: parts of a motion that an edit of the operation window is carried to.

Where a search in two steps finds windows that overlap, some of their frames would be edited twice;
the pose timeline paper's three rules (4.2) take the overlaps apart.
"""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ...editing import PropagationWindow
from ...numerics import Array

# The paper's shares: what a window between two others must keep for itself, from which overlap on two
# windows are the same, and up to which they are only cut apart.
_OWN_SHARE, _SAME_SHARE, _CUT_SHARE = 0.5, 0.8, 0.2


def without_overlaps(windows: Iterable[PropagationWindow], operation: PropagationWindow) -> list[PropagationWindow]:
    """Windows in order of time that share no frames with each other nor with the operation window.

    1. Two windows that overlap by more than 80 % of the shorter one are one: the more similar stays.
    2. A window that overlaps both its neighbours and keeps less than 50 % for itself is removed.
    3. An overlap of less than 20 % of the shorter window is cut in the middle.

    Of two windows that overlap by more than that, the more similar stays.

    Args:
        windows: In any order.
        operation: The operation window, which is never cut nor removed.
    """
    kept = _most_similar(windows, operation, _SAME_SHARE)
    kept = _without_crowded([operation, *kept], operation)
    kept = _most_similar([window for window in kept if window is not operation], operation, _CUT_SHARE)
    parts = _cut_apart(sorted([operation, *kept], key=lambda window: window.start), operation)
    return [window for window in parts if window is not operation and window.length > 0.0]


def _most_similar(
    windows: Iterable[PropagationWindow], operation: PropagationWindow, share: float
) -> list[PropagationWindow]:
    """Windows, most similar first, that overlap none before them by more than a share of the shorter."""
    # Of equally similar ones the first stays: it was found on the shorter way.
    ranked = sorted(windows, key=lambda window: window.distance)
    spans = np.array([(window.start, window.end) for window in (operation, *ranked)])
    kept = np.array([0], dtype=np.intp)
    for number in range(1, len(spans)):
        if not _overlaps_more(spans[number], spans[kept], share):
            kept = np.append(kept, number)
    return [ranked[number - 1] for number in kept[1:].tolist()]


def _overlaps_more(span: Array, others: Array, share: float) -> bool:
    """Whether a window (2,) shares more than a share of the shorter one with any of others (N, 2)."""
    shared = np.minimum(span[1], others[:, 1]) - np.maximum(span[0], others[:, 0])
    shorter = np.minimum(span[1] - span[0], others[:, 1] - others[:, 0])
    return bool((np.maximum(shared, 0.0) > share * shorter).any())


def _without_crowded(windows: list[PropagationWindow], operation: PropagationWindow) -> list[PropagationWindow]:
    """Windows without those that their two neighbours leave less than half of; the least similar go first."""
    kept = sorted(windows, key=lambda window: window.start)
    for window in sorted(windows, key=lambda window: -window.distance):
        place = kept.index(window)
        if window is operation or not 0 < place < len(kept) - 1:
            continue
        before, after = window.overlap(kept[place - 1]), window.overlap(kept[place + 1])
        if before > 0.0 and after > 0.0 and window.length - before - after < _OWN_SHARE * window.length:
            kept.remove(window)
    return kept


def _cut_apart(windows: list[PropagationWindow], operation: PropagationWindow) -> list[PropagationWindow]:
    """Overlaps of neighbours ended in their middle; next to the operation window at its end."""
    cut = list(windows)
    for place in range(len(cut) - 1):
        one, other = cut[place], cut[place + 1]
        if one.overlap(other) <= 0.0:
            continue
        middle = 0.5 * (other.start + min(one.end, other.end))
        if operation in (one, other):
            middle = one.end if one is operation else other.start
        if one is not operation:
            cut[place] = replace(one, end=middle)
        if other is not operation:
            cut[place + 1] = replace(other, start=middle)
    return cut

"""Keytimes that bring a motion's events to those of another: two characters march in step."""

from collections.abc import Iterable, Sequence

import numpy as np

from ..analysis.contacts import ContactSpans
from ..errors import MotionEditError
from ..numerics import Array
from .timing_limits import Keytime

# A time in seconds, or a name such as 'left foot' with a time: only like names are matched.
MatchedEvent = float | tuple[str, float]

# Events in a row that may be left out between two that are matched.
_MOST_LEFT_OUT = 7
# A further match is worth more than any change of speed that is allowed.
_WORTH = 1000.0
# Among equal matches the one that moves the first event least, by this much for each second.
_NEAR = 1e-3


def contact_events(contacts: ContactSpans, *, named: bool = True) -> list[MatchedEvent]:
    """Footfalls: the start of every contact, in order of time.

    Args:
        contacts: Of feet, hands or any other joints.
        named: Keep the joint's name, so that left feet are matched with left ones. Switch off
            where the other character's joints have other names.
    """
    times = sorted((start, joint) for joint in contacts.joints for start, _ in contacts.of(joint))
    return [(joint, time) if named else time for time, joint in times]


def keytimes_from_events(
    own_events: Iterable[MatchedEvent],
    other_events: Iterable[MatchedEvent],
    *,
    start: float,
    end: float,
    speed_limit: float = 4.0,
) -> list[Keytime]:
    """Match events in order and make a keytime of every pair, and of both ends of the motion.

    As many events as possible are matched; among the ways to do so the one that changes speed
    least is taken. Before the first and after the last pair time runs as it did.

    Args:
        own_events: Contacts, markers or footfalls of the motion to be retimed.
        other_events: Those of the motion that it is to follow.
        start: First time of the motion to be retimed, in seconds.
        end: Its last time.
        speed_limit: Speed between two pairs that is not exceeded, nor its inverse undercut; as in
            `GuidedWarpOptions`.

    Raises:
        MotionEditError: No two events fit together.
    """
    own = [event for event in _in_order(own_events) if start < event[1] < end]
    pairs = _matched(own, _in_order(other_events), speed_limit)
    if not pairs:
        raise MotionEditError("No events could be matched: both motions need contacts or markers with like names")
    (first_old, first_new), (last_old, last_new) = pairs[0], pairs[-1]
    return [(start, first_new - (first_old - start)), *pairs, (end, last_new + (end - last_old))]


def _in_order(events: Iterable[MatchedEvent]) -> list[tuple[str, float]]:
    named = [event if isinstance(event, tuple) else ("", float(event)) for event in events]
    return sorted(named, key=lambda event: event[1])


def _matched(own: Sequence[tuple[str, float]], other: Sequence[tuple[str, float]], limit: float) -> list[Keytime]:
    """Pairs of times in order, by dynamic programming over the last pair."""
    if not own or not other:
        return []
    old, new = (np.array([time for _, time in events]) for events in (own, other))
    alike = np.array([[not a or not b or a == b for b, _ in other] for a, _ in own])
    costs = np.where(alike, _NEAR * np.abs(old[:, None] - new) - _WORTH, np.inf)
    chosen = np.full((*costs.shape, 2), -1)
    for number in range(1, len(old)):
        for back in range(1, min(number, _MOST_LEFT_OUT + 1) + 1):
            _extend(costs, chosen, old, new, (number, number - back), limit)
    return _traced(costs, chosen, old, new)


def _extend(costs: Array, chosen: Array, old: Array, new: Array, rows: tuple[int, int], limit: float) -> None:
    """Let pairs of one own event follow pairs of an earlier one."""
    row, earlier = rows
    for back in range(1, min(len(new) - 1, _MOST_LEFT_OUT + 1) + 1):
        width = new[back:] - new[:-back]
        with np.errstate(divide="ignore", invalid="ignore"):
            pace = np.abs(np.log((old[row] - old[earlier]) / width))
        total = np.where(pace <= np.log(limit), costs[earlier, :-back] + pace**2 - _WORTH, np.inf)
        better = np.flatnonzero(np.isfinite(costs[row, back:]) & (total < costs[row, back:]))
        costs[row, better + back] = total[better]
        chosen[row, better + back] = np.stack([np.full(len(better), earlier), better], axis=-1)


def _traced(costs: Array, chosen: Array, old: Array, new: Array) -> list[Keytime]:
    row, column = np.unravel_index(int(np.argmin(costs)), costs.shape)
    pairs: list[Keytime] = []
    if not np.isfinite(costs[row, column]):
        return pairs
    while row >= 0:
        pairs.append((float(old[row]), float(new[column])))
        row, column = chosen[row, column]
    return pairs[::-1]

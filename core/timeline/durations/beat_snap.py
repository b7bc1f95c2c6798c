"""Steps, hits and other moments that are moved onto the beats of music (pose timeline paper, 6.2)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...analysis.contacts import ContactSpans
from ...errors import MotionEditError
from ...motion import Motion, TimeMap
from ...numerics import Array
from ...wording import counted
from .composite_timing import composite_map, seconds_at, smooth_curve

# Frames below which two events, or two beats, are the same moment.
_SAME_MOMENT = 0.5
# Share of its duration that the time before the first and after the last moved event keeps at least.
_LEAST_REST = 0.1


class NoBeatNearError(MotionEditError):
    """No event has a beat that it could be moved to."""


def snap_map(motion: Motion, event_frames: Any, beat_frames: Any, *, farthest: float = 0.3) -> TimeMap:
    """The timing that shows events exactly on beats.

    Which event goes to which beat is decided by `assign_beats`. Events that go to none stay where they
    are if they come before the first or after the last that is moved; those in between are carried
    along. The motion's ends stay, unless they are events themselves or a beat leaves less than a tenth
    of the time up to them: then they are shifted.

    Args:
        event_frames: Frames of the events, with fractions, in any order: contacts, markers, or starts
            and ends of windows. Of events less than half a frame apart only the first counts.
        beat_frames: Frames of the beats, in the same way; they may lie outside the motion.
        farthest: Seconds that an event may be moved.

    Raises:
        NoBeatNearError: No event is near enough to a beat.
        MotionEditError: An event lies outside the motion.
    """
    events, beats = _event_times(motion, event_frames), seconds_at(motion, _moments(beat_frames))
    assigned = assign_beats(events, beats, farthest=farthest)
    moved = np.flatnonzero(assigned >= 0)
    if not len(moved):
        raise NoBeatNearError(
            f"None of {counted(len(events), 'event')} lies within {farthest:g} s of a beat; "
            "allow longer ways or move the sound"
        )
    old, new = events[moved], beats[assigned[moved]]
    before = events[moved[0] - 1] if moved[0] > 0 else motion.times[0]
    after = events[moved[-1] + 1] if moved[-1] + 1 < len(events) else motion.times[-1]
    return composite_map(motion, [smooth_curve(*_between(new, old, float(before), float(after)))])


def footfalls(motion: Motion, contacts: ContactSpans) -> Array:
    """(N,) seconds at which feet and hands begin to stand, in order.

    Raises:
        MotionEditError: There are none.
    """
    starts = sorted(start for joint in contacts.joints for start, _end in contacts.of(joint))
    # A contact that is there from the first frame on is no footfall.
    first = float(motion.times[0]) + 0.5 / motion.rate
    falls = np.array([start for start in starts if start > first])
    if not len(falls):
        raise MotionEditError("No footfalls are known: use Find Contacts or mark some, or choose Windows")
    return falls


def assign_beats(events: Any, beats: Any, *, farthest: float) -> NDArray[np.intp]:
    """(N,) beat of every event, -1 for those that have none.

    Events and beats keep their order and no beat is taken twice. Of all such assignments it is the
    one with the least sum of squared ways, in which an event without a beat counts as the farthest way.

    Args:
        events: (N,) increasing, in seconds.
        beats: (M,) increasing, in seconds.
        farthest: Seconds that an event may be moved.
    """
    moments, places = np.asarray(events, dtype=np.float64), np.asarray(beats, dtype=np.float64)
    if not farthest > 0.0:
        raise ValueError("farthest must be above zero")
    ways = (moments[:, None] - places) ** 2
    ways[ways > farthest**2] = np.inf
    # Row n, column m: least cost of the first n events on the first m beats.
    costs = np.zeros((len(moments) + 1, len(places) + 1))
    for number, way in enumerate(ways):
        row = costs[number] + farthest**2
        row[1:] = np.minimum(row[1:], costs[number, :-1] + way)
        costs[number + 1] = np.minimum.accumulate(row)
    return _traced_back(costs, ways)


def _traced_back(costs: Array, ways: Array) -> NDArray[np.intp]:
    assigned = np.full(len(ways), -1, dtype=np.intp)
    free = costs.shape[1] - 1
    for number in reversed(range(len(ways))):
        # The fewest of the beats that still give the least cost: its last one is taken, or none.
        used = int(np.searchsorted(-costs[number + 1, : free + 1], -costs[number + 1, free]))
        if used and costs[number, used - 1] + ways[number, used - 1] == costs[number + 1, used]:
            assigned[number], free = used - 1, used - 1
        else:
            free = used
    return assigned


def _event_times(motion: Motion, frames: Any) -> Array:
    moments = _moments(frames)
    outside = (moments < 0.0) | (moments > len(motion) - 1.0)
    if outside.any():
        raise MotionEditError(
            f"The event at frame {moments[outside][0]:g} lies outside frames 0 to {len(motion) - 1}; leave it out"
        )
    return seconds_at(motion, moments)


def _moments(frames: Any) -> Array:
    """(N,) increasing frames, those that are the same moment once."""
    ranked = np.unique(np.asarray(frames, dtype=np.float64))
    if not np.isfinite(ranked).all():
        raise ValueError("Frames must be finite")
    kept: list[float] = []
    for frame in ranked.tolist():
        if not kept or frame - kept[-1] >= _SAME_MOMENT:
            kept.append(frame)
    return np.array(kept)


def _between(new: Array, old: Array, before: float, after: float) -> tuple[Array, Array]:
    """Pairs of times with the moments around them, which stay, or are shifted if a beat is in their way."""
    if before < old[0]:
        stays = new[0] - before >= _LEAST_REST * (old[0] - before)
        new = np.append(before if stays else before + (new[0] - old[0]), new)
        old = np.append(before, old)
    if after > old[-1]:
        stays = after - new[-1] >= _LEAST_REST * (after - old[-1])
        new = np.append(new, after if stays else after + (new[-1] - old[-1]))
        old = np.append(old, after)
    return new, old

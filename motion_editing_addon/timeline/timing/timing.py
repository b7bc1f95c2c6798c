"""Time maps of the timeline's edits, from windows as the user sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.analysis import key_poses
from ....core.errors import MotionEditError
from ....core.timeline import (
    PropagationWindow,
    align_map,
    align_to_reference,
    move_pose_map,
    shared_features,
    snap_map,
    stretch_map,
)
from ..features.reference import Choice, reference_of, seen_from, targets_of
from ..frames import samples_of
from ..windows.windows import Windows, settings_of

if TYPE_CHECKING:
    from bpy.types import Context

    from ....core.motion import TimeMap
    from ..subject import Subject


def stretched(subject: Subject, windows: Windows, factor: float, ease: float) -> TimeMap:
    """All edited windows longer or shorter by a factor."""
    return stretch_map(subject.motion, [(each.start, each.end) for each in windows.edited()], factor, ease=ease)


def factor_to(windows: Windows, number: int, end: float) -> float:
    """The factor for all edited windows with which one of them ends at a sample.

    Windows before it grow by the same factor and push it on.
    """
    window = windows.numbered(number)
    if not window.ticked:
        raise MotionEditError("The window is disabled: enable it to stretch it")
    before = sum(each.length for each in windows.edited() if each.start < window.start)
    factor = (end - window.start + before) / (window.length + before)
    if end <= window.start - before or factor <= 0.0:
        raise MotionEditError("The window would end before it starts: choose a later frame")
    return factor


def moved_pose(subject: Subject, windows: Windows | None, sample: float, target: float, ease: float) -> TimeMap:
    """A pose shown at another sample, and the poses that belong to it in all edited windows.

    A pose outside all windows is moved between the icons beside it.
    """
    window = windows.holding(sample) if windows is not None else None
    places = [_between_icons(subject, sample)] if window is None else _pose_places(windows, window, sample)
    start, pose, _end = next(place for place in places if place[1] == sample)
    factor = max(target - start, 0.0) / (pose - start)
    if factor <= 0.0:
        raise MotionEditError("The pose would happen before its window: choose a later frame")
    return move_pose_map(subject.motion, places, factor, ease=ease)


def _pose_places(windows: Windows, window: PropagationWindow, sample: float) -> list[tuple[float, float, float]]:
    """Start, pose and end of every window that the move reaches; a window that is not ticked moves alone."""
    operation_sample = float(window.operation_at(sample))
    reached = windows.edited() if window.ticked else [window]
    poses = [sample if each is window else float(each.own_at(operation_sample)) for each in reached]
    places = [(each.start, pose, each.end) for each, pose in zip(reached, poses, strict=True)]
    return [place for place in places if place[0] < place[1] < place[2]]


def _between_icons(subject: Subject, sample: float) -> tuple[float, float, float]:
    """The pose between the icons before and after it, or the ends of the motion."""
    last = len(subject.motion) - 1
    if not 0 < sample < last:
        raise MotionEditError("The first and the last pose stay: stretch a window to change the length")
    count = max(2, settings_of(subject.armature).icons)
    icons = key_poses(subject.motion, subject.body, positions=subject.positions).frames(count)
    before, after = icons[icons < sample - 0.5], icons[icons > sample + 0.5]
    return float(before[-1] if len(before) else 0), sample, float(after[0] if len(after) else last)


def aligned(
    context: Context, subject: Subject, windows: Windows, choice: Choice, target: int, amount: float
) -> TimeMap:
    """Windows with the timing and duration of the reference."""
    targets = targets_of(windows, choice, target)
    if choice.kind == "WINDOW":
        source = windows.numbered(choice.window)
        targets = seen_from(windows, choice.window, targets)
        return align_map(subject.motion, (source.start, source.end), targets, amount=amount)
    reference = reference_of(context, subject, windows, choice)
    features = shared_features(
        subject.motion,
        subject.body,
        reference.segment.motion,
        reference_body=reference.body,
        positions=subject.positions,
        reference_positions=reference.positions,
    )
    segment = reference.segment
    return align_to_reference(
        subject.motion,
        [(each.start, each.end) for each in targets],
        segment.motion,
        (segment.start, segment.end),
        features=features,
        amount=amount,
    )


def snapped(subject: Subject, events: np.ndarray, beats: np.ndarray, farthest: float) -> TimeMap:
    """Events, in samples, on beats, in samples; what lies outside the motion is left out."""
    inside = events[(events >= 0.0) & (events <= len(subject.motion) - 1)]
    return snap_map(subject.motion, inside, beats, farthest=farthest)


def new_samples(subject: Subject, time_map: TimeMap, samples: np.ndarray) -> np.ndarray:
    """Where samples of the motion are seen after a time map, counted as samples of the motion as it was."""
    motion = subject.motion
    times = np.interp(samples, np.arange(len(motion)), motion.times)
    return samples_of(subject.clip, time_map.map_key_times(times) * motion.rate)

"""From an operation window to its propagation windows, by the paths of the match web."""

from dataclasses import replace

import numpy as np

from ...editing import PropagationWindow
from ...numerics import Array
from ..frame_errors import EmptyWindowError
from .likeness import unlikeness
from .match_web import MatchWeb
from .propagation_windows import without_overlaps

# Frames of a window at which correspondence is told; likeness is at every second one.
_SAMPLES = 33
# Share of a window by which a part may reach beyond the first or last frame of the motion.
_OUTSIDE = 0.1
# Share of a window that a path must lead through; it goes on straight beyond.
_COVERED = 0.4
# Share of the distance for a tick up to which windows are asked again, lest two steps drift away.
_SURE = 0.75


def propagation_windows(
    web: MatchWeb,
    start: float,
    end: float,
    *,
    steps: int = 2,
    ticked: float = 0.09,
    shown: float = 0.15,
) -> list[PropagationWindow]:
    """All parts that are like the operation window, in order of time, without overlaps.

    Args:
        start: First frame of the operation window.
        end: Last frame of it.
        steps: 2 takes what was found as queries once more, which finds parts that differ from the
            operation window but not from its repetitions; 1 does not.
        ticked: Largest distance of windows that are ticked, as `unlikeness` tells it.
        shown: Largest distance of windows that are given back at all.

    Raises:
        EmptyWindowError: The window is empty or outside the motion.
    """
    if not 0.0 <= start < end <= web.frames - 1:
        raise EmptyWindowError(
            "Frames {} to {} are no part of the motion's frames {} to {}; drag across the strip to choose a part",
            *(start, end, 0, web.frames - 1),
        )
    operation = np.linspace(start, end, _SAMPLES)
    own = PropagationWindow(start, end, operation, operation, 0.0)
    found: list[PropagationWindow] = []
    queries = [own]
    for _ in range(steps):
        found.extend(window for query in queries for window in _found(web, query, shown))
        queries = without_overlaps((window for window in found if window.distance <= _SURE * ticked), own)
    # First those that are ticked: what is less alike must not crowd them out.
    alike = without_overlaps((window for window in found if window.distance <= ticked), own)
    further = (window for window in found if window.distance > ticked)
    further = (window for window in further if not any(window.overlap(other) for other in alike))
    others = [replace(window, ticked=False) for window in without_overlaps(further, own)]
    return sorted([*alike, *others], key=lambda window: window.start)


def _found(web: MatchWeb, query: PropagationWindow, shown: float) -> list[PropagationWindow]:
    """What the paths lead to from a window, with correspondence to the operation window."""
    own = _led(web, query.own_frames)
    distances = np.maximum(query.distance, unlikeness(web, query.own_frames[::2], own[:, ::2]))
    return [
        PropagationWindow(
            max(0.0, float(frames[0])),
            min(web.frames - 1.0, float(frames[-1])),
            query.operation_frames,
            frames,
            distance,
        )
        for frames, distance in zip(own, distances.tolist(), strict=True)
        if distance <= shown
    ]


def _led(web: MatchWeb, frames: Array) -> Array:
    """(N, S) frames that the paths lead to from frames (S,), straight on where a path ends too early."""
    start, end = frames[0], frames[-1]
    low, high = web.bounds
    shared = np.minimum(high, end) - np.maximum(low, start)
    led = []
    for number, side in np.argwhere(shared >= _COVERED * (end - start)):
        here, there = web.paths[number][:, side], web.paths[number][:, 1 - side]
        beyond = np.minimum(frames - here[0], 0.0) + np.maximum(frames - here[-1], 0.0)
        led.append(np.interp(frames, here, there) + beyond)
    found = np.array(led).reshape(-1, len(frames))
    most = _OUTSIDE * (end - start)
    inside: Array = found[(found[:, 0] >= -most) & (found[:, -1] <= web.frames - 1 + most)]
    return inside

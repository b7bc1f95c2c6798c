"""Laws about how far joints go: in a frame, from where they were, and from where they were asked to be."""

from __future__ import annotations

import numpy as np

from ..recording import Recording, angles_between
from .case import Case, Finding

# What a joint may always do in a second: degrees, and heights.
_FREE_TURN, _FREE_WAY = 150.0, 0.3
_TIMES_OWN = 2.0
_TIMES_REQUEST = 1.5
# Share of the height that the figure may be away from what was asked for.
_SEEN = 0.005


def no_pops(case: Case) -> Finding | None:
    """No joint makes a larger step in a frame than its own fastest ones, the speed of time and the request explain."""
    before, after, request = case.before, case.after, case.request
    if len(after.frames) < 2 or len(before.frames) < 2:
        return None
    speed = _speed_of_time(after)[:, None] * request.pace * request.gain
    worst = None
    for kind, steps, free, asked in (
        ("°", _turn_steps, _FREE_TURN, request.angle),
        ("h", _way_steps, _FREE_WAY, request.distance / before.height),
    ):
        own, found = steps(before).max(axis=0), steps(after)
        own = own[before.figure.partners] if request.is_mirrored else own
        bound = _TIMES_OWN * own * speed + free / after.rate + asked / request.falloff
        frame, joint = np.unravel_index((found / bound).argmax(), found.shape)
        ratio = found[frame, joint] / bound[frame, joint]
        text = (
            f"of the bound; {after.figure.bones[joint]} at frame {after.frames[frame]:g}: "
            f"{found[frame, joint]:.3g} {kind} in a frame, {bound[frame, joint]:.3g} allowed"
        )
        if worst is None or ratio > worst.value:
            worst = Finding(float(ratio), 1.0, text)
    return worst


def bounded(case: Case) -> Finding | None:
    """Nothing moves more than the request explains."""
    request, before, after = case.request, case.before, case.after
    allowed = _allowed_ways(case)
    if allowed is None:
        return None
    moved = np.linalg.norm(after.places - before.places[before.at_clock(after.clock)], axis=-1)
    ratio = moved / np.maximum(allowed, 1e-9 * before.height)
    frame, joint = np.unravel_index(ratio.argmax(), ratio.shape)
    text = (
        f"of the bound; {after.figure.bones[joint]} at frame {after.frames[frame]:g} "
        f"moves {before.millimetres(moved[frame, joint]):.0f} mm"
    )
    return Finding(float(ratio[frame, joint]), 1.0, text if request.bound is None else text + " in all")


def _allowed_ways(case: Case) -> np.ndarray | None:
    """(F, J) how far each joint may be from where it was."""
    request, before, after = case.request, case.before, case.after
    if request.bound is not None:
        bound = np.broadcast_to(request.bound, before.places.shape[:2]) * before.height
        return bound[before.at_clock(after.clock)]
    if not request.distance and not request.angle:
        return None
    figure = before.figure
    allowed = np.full(after.places.shape[:2], _TIMES_REQUEST * request.distance)
    shown = before.places[before.at_clock(after.clock)]
    for grabbed in request.grabbed & set(figure.bones):
        below = sorted(figure.below(grabbed))
        radius = np.linalg.norm(shown[:, below] - shown[:, [figure.index(grabbed)]], axis=-1)
        rigid = request.distance + 2.0 * np.sin(np.radians(min(request.angle, 180.0)) / 2.0) * radius
        allowed[:, below] = np.maximum(allowed[:, below], _TIMES_REQUEST * rigid)
    # What a rotation of the grabbed bone's own parent would do is no displacement of it.
    return np.maximum(allowed, 1e-3 * before.height)


def seen_is_written(case: Case) -> Finding | None:
    """The figure that Blender shows is the one that was asked for."""
    after = case.after
    if case.request.asked is None:
        return None
    asked = case.request.asked(after)
    count = min(len(asked), len(after.frames))
    missed = np.linalg.norm(after.places[:count] - asked[:count], axis=-1) / after.height
    if case.request.moves_time and case.keys.is_sparse:
        missed = np.maximum(missed - _half_frames(after)[:count], 0.0)
    frame, joint = np.unravel_index(missed.argmax(), missed.shape)
    text = f"h; {after.figure.bones[joint]} at frame {after.frames[frame]:g}"
    return Finding(float(missed[frame, joint]), _SEEN, text)


def _half_frames(recording: Recording) -> np.ndarray:
    """(F, J) heights that a joint goes in half a frame: keys on whole frames are as much off."""
    steps = np.pad(_way_steps(recording), ((1, 1), (0, 0)))
    return 0.5 * np.maximum(steps[:-1], steps[1:])


def _turn_steps(recording: Recording) -> np.ndarray:
    """(F - 1, J) degrees against the parent, from frame to frame."""
    turns = recording.turns
    return angles_between(turns[:-1], turns[1:])


def _way_steps(recording: Recording) -> np.ndarray:
    """(F - 1, J) heights in the world, from frame to frame."""
    return np.linalg.norm(np.diff(recording.places, axis=0), axis=-1) / recording.height


def _speed_of_time(after: Recording) -> np.ndarray:
    """(F - 1,) frames of the motion before in one frame after, the fastest of a step and its neighbours."""
    speed = np.abs(np.diff(after.clock))
    padded = np.pad(speed, 1, mode="edge")
    return np.maximum.reduce([padded[:-2], padded[1:-1], padded[2:]])

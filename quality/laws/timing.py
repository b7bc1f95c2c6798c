"""Laws about time: stillness goes first, repetitions stay alike, loops stay loops, everything follows."""

from __future__ import annotations

import numpy as np

from .. import events
from ..recording import Recording, angles_between
from .case import Case, Finding

_AROUND = 0.25
_KEPT = 0.95
# Stillness that can be given up: what is left may run at most four times as fast.
SPENDABLE = 0.7
_ALIKE = 0.15
_FREE_TURN = 150.0


def idle_first(case: Case) -> Finding | None:
    """As long as there is stillness, flights, strikes and landings keep their length."""
    if not case.request.shortens:
        return None
    before = case.before
    still = sum(span.last - span.first for span in events.stillness(before))
    taken = (before.clock[-1] - before.clock[0]) - (case.after.frames[-1] - case.after.frames[0])
    spans = [*events.flights(before), *events.strikes(before)]
    if not spans or taken <= 0 or still * SPENDABLE < taken:
        return None
    worst = None
    around = round(_AROUND * before.rate)
    for span in spans:
        first, last = max(span.first - around, 0), min(span.last + around, len(before.frames) - 1)
        length = before.clock[last] - before.clock[first]
        shown = _length_after(case.after, before.clock[first], before.clock[last])
        lost = max(length * _KEPT - shown, 0.0) if length - shown > 1.0 else 0.0
        if worst is None or lost > worst.value:
            text = (
                f"frames too short; {span.kind} at frame {before.frames[span.first]:g}, {length:.0f} became {shown:.1f}"
            )
            worst = Finding(float(lost), 0.0, text)
    return worst


def _length_after(after: Recording, first: float, last: float) -> float:
    """Frames that a part of the motion before takes now, by where the clock passes its ends."""
    ends = np.interp([first, last], after.clock, after.frames)
    return float(ends[1] - ends[0])


def rhythm(case: Case) -> Finding | None:
    """Steps that took the same time still do."""
    if not case.request.shortens:
        return None
    worst = None
    for falls in events.footfalls(case.before):
        if len(falls) < 4:
            continue
        times = case.before.clock[falls]
        old = np.diff(times) / case.before.rate
        if old.std() > _ALIKE * old.mean():
            continue
        new = np.diff(np.interp(times, case.after.clock, case.after.frames)) / case.after.rate
        # Compared at the same tempo: shorter steps vary less by themselves.
        grown = new.std() * old.mean() / max(new.mean(), 1e-9) - old.std()
        allowed = max(0.2 * old.std(), 1.0 / case.before.rate)
        if worst is None or grown / allowed > worst.value:
            text = f"of the bound; spread of steps {old.std() * 1000:.0f} ms became {new.std() * 1000:.0f}"
            worst = Finding(float(grown / allowed), 1.0, text)
    return worst


def loops(case: Case) -> Finding | None:
    """What played round and round still does: pose, velocity and speed of time meet at the seam."""
    if not case.loops or len(case.after.frames) < 4:
        return None
    is_open = _is_open(case.before)
    old, new = _seam(case.before, is_open), _seam(case.after, is_open)
    free = _FREE_TURN / case.after.rate
    scale = case.request.gain * max(1.0, float(np.abs(np.diff(case.after.clock)).max()))
    pose = (new[0] - scale * old[0]) / free
    pace = (new[1] - 2.0 * scale * old[1]) / free
    value = max(pose.max(), pace.max())
    joint = int(np.maximum(pose, pace).argmax())
    text = f"of the bound; {case.after.figure.bones[joint]} opens by {new[0][joint]:.1f}°, {old[0][joint]:.1f} before"
    return Finding(float(value), 1.0, text)


def _seam(recording: Recording, is_open: bool) -> tuple[np.ndarray, np.ndarray]:
    """(J,) degrees between the poses of both ends, and between the steps at both ends.

    Of a cycle that ends a frame before it begins again, the pose that would follow its last one is compared with the
    first, and the step from one end to the other with those beside it. Which way the whole figure faces is left out:
    every round may lead somewhere else.
    """
    turns = _turns(recording)
    leaving, arriving = _step(turns[0], turns[1]), _step(turns[-2], turns[-1])
    if not is_open:
        return angles_between(turns[-1], turns[0]), angles_between(arriving, leaving)
    across = _step(turns[-1], turns[0])
    opening = np.minimum(angles_between(turns[-1] @ arriving, turns[0]), angles_between(turns[-1] @ leaving, turns[0]))
    return opening, np.maximum(angles_between(arriving, across), angles_between(across, leaving)) / 2.0


def _is_open(recording: Recording) -> bool:
    """Whether a cycle ends a frame before it begins again: from last pose to first is a step like those beside."""
    turns = _turns(recording)
    across, before, after = (
        angles_between(turns[one], turns[other]).sum() for one, other in ((-1, 0), (-2, -1), (0, 1))
    )
    going = angles_between(turns[-2], turns[0]).sum()
    return bool(across > 0.5 * min(before, after) > 0.0 and going > 1.2 * max(across, before))


def _turns(recording: Recording) -> np.ndarray:
    return np.where((np.array(recording.figure.parents) >= 0)[:, None, None], recording.turns, np.eye(3))


def _step(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return one.swapaxes(-1, -2) @ other


def follows(case: Case) -> Finding | None:
    """What belongs to the motion is where the motion now is, to a frame; not told of time that wraps around."""
    worst, steps = None, np.diff(case.after.clock)
    if (steps > 0.0).any() and (steps < 0.0).any():
        return None
    for kind, (before, after) in case.keys.places.items():
        if len(before) != len(after):
            return Finding(float("inf"), 1.0, f"frames; {len(before)} {kind} became {len(after)}")
        expected = sorted(_shown_at(case.after, frame) for frame in before)
        for found, wanted in zip(sorted(after), expected, strict=True):
            if worst is None or abs(found - wanted) > worst.value:
                worst = Finding(abs(found - wanted), 1.0, f"frames; {kind} at {found:g} instead of {wanted:.1f}")
    return worst


def _shown_at(after: Recording, frame: float) -> float:
    """The frame at which a moment of the motion before is shown."""
    order = np.argsort(after.clock)
    return float(np.interp(frame, after.clock[order], after.frames[order]))

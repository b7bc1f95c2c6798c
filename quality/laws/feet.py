"""Laws about feet that stand and about the ground."""

from __future__ import annotations

import numpy as np

from .. import events
from ..recording import Recording
from .case import Case, Finding

# Millimetres on a figure of 1.75 m.
_BELOW, _SLIDE, _LOCKED, _SOLES = 2.0, 1.0, 0.1, 3.0
_SHORTEST = 3


def floor(case: Case) -> Finding | None:
    """No joint ends lower than before or than the floor, and feet that stood do not float."""
    before, after = case.before, case.after
    shown = before.at_clock(after.clock)
    # Between two frames the motion before may have been at either.
    around = np.stack([np.clip(shown + step, 0, len(before.frames) - 1) for step in (-1, 0, 1)])
    lowest_before = before.places[..., 2].min(axis=1)[around].min(axis=0)
    limit = np.minimum(lowest_before, events.floor(before))
    sunk = limit - after.places[..., 2].min(axis=1)
    frame = int(sunk.argmax())
    joint = after.figure.bones[int(after.places[frame, :, 2].argmin())]
    value = float(before.millimetres(sunk[frame]))
    text = f"mm below; {joint} at frame {after.frames[frame]:g}"
    joints = Finding(max(value, 0.0), _BELOW, text)
    return joints if joints.broken or not after.soles.size else _soles(case) or joints


def _soles(case: Case) -> Finding | None:
    """Soles of a skinned figure: at the ground while they stand, neither above nor below."""
    heights = [case.after.soles[frames, contact.leg] for contact, frames in standing(case)]
    if not heights:
        return None
    above = case.before.millimetres(np.concatenate(heights) - np.quantile(case.after.soles, 0.05))
    lowest = case.before.millimetres(-float(case.after.soles.min()))
    floats = float(np.median(above))
    ratio = max(floats / _SOLES, float(lowest) / _BELOW)
    return Finding(
        ratio, 1.0, f"of the bound; soles {floats:.1f} mm above the ground (median), {lowest:.1f} mm below at most"
    )


def feet(case: Case) -> Finding | None:
    """Feet that stood do not slide more than before, or not at all once they are locked, and do not float."""
    request = case.request
    if not (request.keeps_contacts or request.locks_feet):
        return None
    worst = None
    for contact, frames in standing(case):
        before = _slide(case.before, contact, contact.frames)
        if request.moves_time:
            before = max(before, _slide_at(case.before, contact, case.after.clock[frames]))
        after = _slide(case.after, _swapped(contact) if request.is_mirrored else contact, frames)
        value = after if request.locks_feet else after - before
        bound = _LOCKED if request.locks_feet else _SLIDE
        where = f"{contact.point} of leg {contact.leg + 1} at frame {case.before.frames[contact.first]:g}"
        text = f"mm; {where}, {before:.1f} mm before"
        if worst is None or value - bound > worst.value - worst.bound:
            worst = Finding(float(value), bound, text)
    return worst


def standing(case: Case) -> list[tuple[events.Contact, np.ndarray]]:
    """Contacts of the motion before, and the indices of the frames that show them after."""
    clock = case.after.clock
    found = []
    for contact in events.contacts(case.before):
        first, last = case.before.clock[[contact.first, contact.last]]
        frames = np.flatnonzero((clock >= first - 1e-6) & (clock <= last + 1e-6))
        if len(frames) >= _SHORTEST:
            found.append((contact, frames))
    return found


def _swapped(contact: events.Contact) -> events.Contact:
    """The contact on the other side; legs stand in pairs."""
    return events.Contact(contact.leg ^ 1, contact.point, contact.first, contact.last)


def _slide_at(recording: Recording, contact: events.Contact, times: np.ndarray) -> float:
    """The same at other times: with another timing a foot that creeps has another middle place."""
    way = events.foot_points(recording)[contact.leg, contact.point]
    return _slid(recording, np.column_stack([np.interp(times, recording.clock, column) for column in way.T]))


def _slide(recording: Recording, contact: events.Contact, frames: np.ndarray) -> float:
    """Millimetres that a standing point is at most away from its middle place."""
    return _slid(recording, events.foot_points(recording)[contact.leg, contact.point][frames])


def _slid(recording: Recording, way: np.ndarray) -> float:
    return float(np.max(recording.millimetres(np.linalg.norm(way - np.median(way, axis=0), axis=-1))))

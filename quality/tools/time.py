"""Edits of time. What they do to time is read off a clock that is keyed beside the motion."""

from __future__ import annotations

import bpy
import numpy as np

from .. import events
from ..laws import SPENDABLE, Case, Request
from ..recording import Recording
from .subject import Plan, Subject, operator


def _replayed(before: Recording, after: Recording) -> np.ndarray:
    """Where the joints were at the time that the clock shows: between frames they go on in arcs, not along chords."""
    flat = before.places.reshape(len(before.frames), -1)
    place = np.interp(after.clock, before.clock, np.arange(len(flat)))
    first = np.minimum(place.astype(int), max(len(flat) - 2, 0))
    share = (place - first)[:, None]
    rows = [flat[np.clip(first + step, 0, len(flat) - 1)] for step in (-1, 0, 1, 2)]
    out, back = 0.5 * (rows[2] - rows[0]), 0.5 * (rows[3] - rows[1])
    bend = rows[2] - rows[1]
    shown = rows[1] + share * (out + share * ((3 * bend - 2 * out - back) + share * (out + back - 2 * bend)))
    return shown.reshape(len(after.frames), -1, 3)


def _timed(**more: object):
    def request(before: Recording) -> Request:
        return Request(moves_time=True, keeps_contacts=True, asked=lambda after: _replayed(before, after), **more)

    return request


def _spendable(before: Recording) -> float:
    """Share of the motion that can be taken from stillness alone, where there is something to keep; else 0."""
    if not events.flights(before) and not events.strikes(before):
        return 0.0
    return SPENDABLE * sum(span.last - span.first for span in events.stillness(before)) / len(before.frames)


def warp_time(subject: Subject) -> Plan:
    """Warp Time to another length; where stillness can be spent, often not more than that."""
    length = subject.uniform(0.65, 0.95) if subject.chance(0.7) else subject.uniform(1.05, 1.4)
    spendable = _spendable(subject.before)
    if spendable > 0.02 and subject.chance(0.7):
        length = 1.0 - spendable * subject.uniform(0.4, 0.95)
    old = subject.length
    wanted = old * length

    def met(case: Case) -> float:
        missed = max(abs(np.ptp(case.after.frames) - wanted) - 1.0, 0.0)
        return float(np.clip(1.0 - missed / abs(old - wanted), 0.0, 1.0))

    subject.select(None)
    return Plan(
        {"length": length},
        operator("warp_time", length=length),
        _timed(shortens=length < 1.0),
        met=met,
        needs_clock=True,
    )


def move_keytime(subject: Subject) -> Plan | None:
    """A moment at another time: add a keytime, move it, warp."""
    if subject.length < 30:
        return None
    frame = subject.frame(subject.uniform(0.35, 0.65))
    share = subject.pick(-1, 1) * subject.uniform(0.05, 0.15)
    wanted = round(frame + share * subject.length)

    def run() -> None:
        bpy.ops.motion_editing.add_keytime(frame=frame)
        bpy.ops.motion_editing.move_keytime(keytime=1, frame=wanted)
        bpy.ops.motion_editing.warp_time(length=1.0, use_keytimes=True)

    def met(case: Case) -> float:
        shown = np.interp(frame, case.after.clock, case.after.frames)
        return float(np.clip(1.0 - max(abs(shown - wanted) - 1.0, 0.0) / abs(wanted - frame), 0.0, 1.0))

    subject.select(None)
    return Plan({"frame": frame, "to": wanted}, run, _timed(), met=met, needs_clock=True)


def shift_time(subject: Subject) -> Plan:
    """Shift Time of the whole motion, later and earlier again."""
    seconds = subject.uniform(0.1, 0.5)
    subject.select(None)
    return Plan(
        {"offset": seconds},
        operator("shift_time", offset=seconds, ends="CYCLE" if subject.rig == "loop" else "HOLD"),
        _timed(),
        needs_clock=True,
    )


def reverse_time(subject: Subject) -> Plan:
    """Reverse Time, twice is nothing."""
    subject.select(None)
    return Plan(
        {}, operator("reverse_time"), _timed(), met=lambda _case: 1.0, back=operator("reverse_time"), needs_clock=True
    )


TOOLS = (warp_time, move_keytime, shift_time, reverse_time)

"""Root motion, loops, blends and mirror images."""

from __future__ import annotations

import bpy
import numpy as np

from ..laws import Case, Request
from ..recording import Recording
from ..scenes import curves
from .filters import set_preview
from .subject import Plan, Subject, operator


def _ground(recording: Recording) -> np.ndarray:
    """(F, 3) way of the pelvis over the ground."""
    return recording.of(recording.figure.pelvis) * [1.0, 1.0, 0.0]


def _travel(recording: Recording) -> float:
    way = _ground(recording)
    return float(np.ptp(way, axis=0).max())


def in_place(subject: Subject) -> Plan | None:
    """In Place: the way over the ground goes, the figure stays as it is about its pelvis."""
    if _travel(subject.before) < 0.5 * subject.before.height:
        return None

    def request(before: Recording) -> Request:
        return Request(asked=lambda after: before.places + (_ground(after) - _ground(before))[:, None])

    def met(case: Case) -> float:
        return float(np.clip(1.0 - (_travel(case.after) / _travel(case.before)), 0.0, 1.0) / 0.95)

    subject.select(None)
    return Plan({}, operator("in_place"), request, met=met)


def change_heading(subject: Subject) -> Plan:
    """Change Heading: everything turns about the vertical."""
    angle = subject.pick(-1, 1) * subject.uniform(0.3, 1.5)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])

    def turned(before: Recording, after: Recording) -> np.ndarray:
        """Turned about the first place of the pelvis, wherever that is now."""
        start = _ground(before)[0]
        return (before.places - start) @ turn.T + _ground(after)[0]

    subject.select(None)
    return Plan(
        {"angle": angle},
        operator("change_heading", angle=angle),
        lambda before: Request(asked=lambda after: turned(before, after), keeps_contacts=True),
        met=lambda case: _turned_share(case, angle),
        back=operator("change_heading", angle=-angle),
    )


def _turned_share(case: Case, angle: float) -> float:
    """How far the line through both hips has turned, as a share of what was asked for."""
    old, new = (_across(recording)[0] for recording in (case.before, case.after))
    found = np.arctan2(np.cross(old, new)[2], old @ new)
    return float(np.clip(1.0 - abs((found - angle + np.pi) % (2 * np.pi) - np.pi) / abs(angle), 0.0, 1.0))


def _across(recording: Recording) -> np.ndarray:
    """(F, 3) from the left hip to the right one, or along the body of what has no legs."""
    figure = recording.figure
    ends = (figure.legs[0][0], figure.legs[1][0]) if figure.legs else (figure.bones[0], figure.bones[-1])
    return (recording.of(ends[1]) - recording.of(ends[0])) * [1.0, 1.0, 0.0]


def follow_curve(subject: Subject) -> Plan | None:
    """Follow Curve."""
    if _travel(subject.before) < 0.5 * subject.before.height:
        return None
    curve = subject.make_curve()
    subject.select(None)

    def met(case: Case) -> float:
        points = np.array([point.co[:2] for point in bpy.data.objects[curve].data.splines[0].points])
        away = [np.linalg.norm(points - place, axis=1).min() for place in _ground(case.after)[:, :2]]
        return float(np.clip(1.0 - (np.mean(away) / case.before.height - 0.1), 0.0, 1.0))

    return Plan({"curve": "bent"}, operator("follow_curve", curve=curve), lambda _before: Request(pace=1.5), met=met)


def make_loop(subject: Subject) -> Plan | None:
    """Make Loop: the ends meet."""
    if subject.rig == "loop" or subject.length < 2 * subject.before.rate:
        return None

    def met(case: Case) -> float:
        from ..laws.timing import _seam

        return float(np.clip(1.0 - (_seam(case.after, is_open=False)[0].max() - 1.0) / 20.0, 0.0, 1.0))

    subject.select(None)
    return Plan({}, operator("make_loop"), lambda _before: Request(pace=1.5), met=met)


def _other_action(subject: Subject) -> str:
    """A copy of the motion, begun at another time."""
    action = subject.armature.animation_data.action
    copy = action.copy()
    copy.name = "other"
    first, last = subject.ends
    shift = max(1, (last - first) // 3)
    held = subject.armature.animation_data.action
    subject.armature.animation_data.action = copy
    frames = np.arange(first, last + 1, dtype=float)
    curves.rewrite(subject.armature, np.roll(frames, -shift)[: len(frames) - shift], start=first)
    subject.armature.animation_data.action = held
    return copy.name


def append_transition(subject: Subject) -> Plan | None:
    """Append Transition to a later part of the same motion."""
    if subject.is_sparse or subject.length < 1.5 * subject.before.rate:
        return None
    other = _other_action(subject)
    subject.select(None)
    return Plan({}, operator("append_transition", action=other), lambda _before: Request(pace=1.5))


def blend_action(subject: Subject) -> Plan | None:
    """Blend With Action, half of each."""
    if subject.is_sparse or subject.length < 1.5 * subject.before.rate:
        return None
    other, weight = _other_action(subject), subject.uniform(0.2, 0.8)
    subject.select(None)
    return Plan(
        {"weight": weight}, operator("blend_action", action=other, weight=weight), lambda _before: Request(pace=1.5)
    )


def bridge_gap(subject: Subject) -> Plan | None:
    """Bridge Gap over a part of the motion."""
    first, last = subject.frame(0.4), subject.frame(0.4) + max(3, round(0.3 * subject.before.rate))
    if last >= subject.frame(0.9):
        return None
    subject.select(None)
    set_preview(first, last)
    return Plan(
        {"first": first, "last": last},
        operator("bridge_gap", range="PREVIEW"),
        lambda _before: Request(span=(first, last), pace=1.5),
    )


def mirror(subject: Subject) -> Plan | None:
    """Mirror Motion: the other side does it."""
    if not subject.figure.legs:
        return None
    subject.select(None)
    return Plan(
        {},
        operator("mirror_motion"),
        _mirrored,
        back=operator("mirror_motion"),
        is_exact=True,
    )


def _mirrored(before: Recording) -> Request:
    """Of a figure whose sides are alike, the heights of the other side are known."""
    is_even = all(
        np.allclose(_lengths(before, one), _lengths(before, other), atol=1e-3 * before.height)
        for limbs in (before.figure.legs, before.figure.arms)
        for one, other in zip(limbs[::2], limbs[1::2], strict=True)
    )
    asked = (lambda after: _mirrored_heights(before, after)) if is_even else None
    return Request(asked=asked, is_mirrored=True, keeps_contacts=True)


def _lengths(recording: Recording, limb: tuple[str, ...]) -> np.ndarray:
    ways = [recording.of(bone)[0] for bone in limb]
    return np.linalg.norm(np.diff(ways, axis=0), axis=-1)


def _mirrored_heights(before: Recording, after: Recording) -> np.ndarray:
    """Where the figure is now, at the heights that the other side's joints had."""
    wanted = after.places.copy()
    figure = before.figure
    for limbs in (figure.legs, figure.arms):
        for left, right in zip(limbs[::2], limbs[1::2], strict=True):
            for one, other in zip(left, right, strict=True):
                count = min(len(wanted), len(before.frames))
                wanted[:count, figure.index(one), 2] = before.of(other)[:count, 2]
                wanted[:count, figure.index(other), 2] = before.of(one)[:count, 2]
    return wanted


TOOLS = (in_place, change_heading, follow_curve, make_loop, append_transition, blend_action, bridge_gap, mirror)

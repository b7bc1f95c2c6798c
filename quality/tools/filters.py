"""Filters and what shapes swings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np

from ..laws import Case, Request
from ..recording import Recording, angles_between
from ..scenes import curves
from .subject import Plan, Subject, neighbourhood, operator


def _filter(
    subject: Subject,
    name: str,
    parameters: dict[str, Any],
    *,
    gain: float = 1.0,
    seconds: float | None = None,
    met: Callable[[Case], float] | None = None,
) -> Plan:
    """A filter of the whole figure, or of an arm; with contacts kept or not; over all frames or a part of them."""
    arm = subject.arm() if subject.chance(0.3) else None
    keeps = arm is None and subject.chance()
    part = not keeps and subject.chance(0.25)
    first, last = subject.frame(0.25), subject.frame(0.75)
    asked = {**parameters, "keep_contacts": keeps, **({"range": "PREVIEW"} if part else {})}

    def prepare() -> None:
        subject.select(arm)
        if part:
            set_preview(first, last)

    def request(before: Recording) -> Request:
        return Request(
            gain=gain,
            bound=_bound(before, seconds),
            scope=frozenset(arm) if arm else None,
            grabbed=subject.figure_arm() if arm else frozenset(),
            span=(first, last) if part else None,
            keeps_contacts=keeps,
        )

    return Plan({**asked, "bones": arm}, operator(name, **asked), request, prepare, None if part or arm else met)


def _bound(before: Recording, seconds: float | None) -> Any:
    """Smoothing stays in the neighbourhood, with a little for what hangs on other joints."""
    return None if seconds is None else 1.5 * neighbourhood(before, seconds).max(axis=1, keepdims=True) + 0.03


def set_preview(first: int, last: int) -> None:
    """Choose a range as an animator does."""
    scene = bpy.context.scene
    scene.use_preview_range = True
    scene.frame_preview_start, scene.frame_preview_end = first, last


def spoil(subject: Subject, bone: str, frames: list[int]) -> None:
    """Turn a bone far away at single frames, as a lost marker does."""
    for (path, _index), curve in curves.curves(subject.armature):
        if curves.bone_of(path) == bone and "rotation" in path:
            for point in curve.keyframe_points:
                if round(point.co[0]) in frames:
                    point.co[1] += 0.6
            curve.update()


def smooth(subject: Subject) -> Plan:
    """Smooth Motion."""
    radius = subject.uniform(0.05, 0.3)
    return _filter(subject, "smooth", {"radius": radius, "keep_peaks": subject.chance(0.3)}, seconds=radius)


def low_pass(subject: Subject) -> Plan:
    """Low Pass."""
    cutoff = subject.uniform(1.5, 8.0)
    kind = subject.pick("BUTTERWORTH", "GAUSSIAN", "BINOMIAL")
    return _filter(subject, "low_pass", {"cutoff": cutoff, "kind": kind}, seconds=1.0 / cutoff)


def high_pass(subject: Subject) -> Plan:
    """High Pass."""
    return _filter(subject, "high_pass", {"cutoff": subject.uniform(0.2, 1.0)}, gain=1.5)


def band_pass(subject: Subject) -> Plan:
    """Band Pass."""
    parameters = {"lowest": subject.uniform(0.2, 0.6), "highest": subject.uniform(3.0, 8.0)}
    return _filter(subject, "band_pass", parameters, gain=1.5)


def equalizer(subject: Subject) -> Plan:
    """Equalizer."""
    gains = [subject.uniform(0.5, 1.8) for _band in range(10)]
    return _filter(subject, "equalize", {"gains": gains}, gain=max(gains))


def exaggerate(subject: Subject) -> Plan:
    """Exaggerate Motion."""
    amount = subject.uniform(0.5, 1.6)

    def met(case: Case) -> float:
        """Swings about the middle pose, as large as asked for."""
        old, new = _swing(case.before), _swing(case.after)
        asked = (amount - 1.0) * old
        return (
            float(np.clip(np.median((new - old)[old > 3.0] / asked[old > 3.0]), 0.0, 1.0)) if (old > 3.0).any() else 1.0
        )

    return _filter(subject, "exaggerate_motion", {"amount": amount}, gain=max(amount, 1.0), met=met)


def _swing(recording: Recording) -> np.ndarray:
    """(J,) degrees that a joint is away from its middle rotation, on average."""
    turns = recording.turns
    mean = turns.mean(axis=0)
    left, _sizes, right = np.linalg.svd(mean)
    signs = np.sign(np.linalg.det(left @ right))
    left[..., -1] *= signs[:, None]
    return angles_between(turns, (left @ right)[None]).mean(axis=0)


def soft_limit(subject: Subject) -> Plan | None:
    """Soft Limit, somewhere within what the joints do."""
    return _limited(subject, "soft_limit", "limit", {})


def compress_range(subject: Subject) -> Plan | None:
    """Compress Range, from somewhere within what the joints do."""
    return _limited(subject, "compress_range", "threshold", {"ratio": subject.uniform(1.5, 4.0)})


def _limited(subject: Subject, name: str, limit: str, parameters: dict[str, Any]) -> Plan | None:
    """A limit that is met: half of what the joint of the left arm that swings most does."""
    arm = [subject.figure.index(bone) for bone in subject.figure_arm()]
    widest = float(_swing(subject.before)[arm].max())
    if widest < 5.0:
        return None
    return _filter(subject, name, {limit: round(float(np.radians(0.5 * widest)), 3), **parameters})


def remove_outliers(subject: Subject) -> Plan:
    """Remove Outliers."""
    radius = int(subject.pick(1, 2, 3))
    seconds = 2.0 * radius / subject.before.rate
    return _filter(
        subject, "remove_outliers", {"radius": radius, "kind": subject.pick("MEDIAN", "TRIMMED")}, seconds=seconds
    )


def repair_flaws(subject: Subject) -> Plan | None:
    """Find and repair flaws that were put in: single frames and short spans in which a bone is turned away."""
    if subject.is_sparse or subject.length < 60:
        return None
    bone = subject.arm()[0]
    frames = [subject.frame(share) for share in (0.3, 0.5, 0.7)]

    def prepare() -> None:
        subject.select(None)

    def run() -> None:
        spoil(subject, bone, frames)
        bpy.ops.motion_editing.find_flaws()
        bpy.ops.motion_editing.repair_flaws()

    # What was spoiled ought to be as it was; the rest was no flaw.
    return Plan(
        {"bone": bone, "frames": frames},
        run,
        lambda before: Request(asked=lambda _after: before.places),
        prepare,
        lambda _case: 1.0,
    )


TOOLS = (
    smooth,
    low_pass,
    high_pass,
    band_pass,
    equalizer,
    exaggerate,
    soft_limit,
    compress_range,
    remove_outliers,
    repair_flaws,
)

"""Laws about knees and elbows."""

from __future__ import annotations

import numpy as np

from ..recording import Recording, bend, orthonormal
from .case import Case, Finding
from .feet import standing

_STRAIGHT = 175.0
_POINTS, _EXTRA_BEND = 5.0, 1.0
# Degrees that a hinge may bend the other way: captured joints are no perfect hinges.
_OTHER_WAY = 3.0
_RANGE = 5.0
# A hinge that never bends this far does not show its axis.
_SHOWS_AXIS = 20.0


def straight_legs(case: Case) -> Finding | None:
    """Planted legs that were straight stay straight, and none crouches."""
    if not case.before.figure.walks_upright or not (case.request.keeps_contacts or case.request.locks_feet):
        return None
    before, after = [], []
    for contact, frames in standing(case):
        leg = case.before.figure.legs[contact.leg]
        other = case.before.figure.legs[contact.leg ^ 1] if case.request.is_mirrored else leg
        shown = case.before.at_clock(case.after.clock[frames])
        before.append(_knee(case.before, leg)[shown])
        after.append(_knee(case.after, other)[frames])
    if not before:
        return None
    old, new = np.concatenate(before), np.concatenate(after)
    points = 100.0 * (np.mean(old > _STRAIGHT) - np.mean(new > _STRAIGHT))
    bent = float(np.mean(old - new))
    ratio = max(points / _POINTS, bent / _EXTRA_BEND)
    return Finding(float(ratio), 1.0, f"of the bound; {points:.0f} points fewer straight legs, {bent:.1f}° more bend")


def anatomy(case: Case) -> Finding | None:
    """Knees and elbows do not bend the other way, and those that were not edited keep to their own range."""
    if not case.before.figure.walks_upright:
        return None
    worst = None
    for limb in (*case.before.figure.legs, *case.before.figure.arms):
        other = _other_side(case, limb) if case.request.is_mirrored else limb
        axis = hinge_axis(case.before, limb) if len(limb) > 2 else None
        if axis is None:
            continue
        own = flexion(case.before, limb, axis)
        new = flexion(case.after, other, _axis_after(case, limb, other, axis))
        back = min(own.min(), 0.0) - new.min() - _OTHER_WAY
        wide = new.max() - own.max() - _RANGE if _is_free(case, limb) else -np.inf
        value = max(back, wide)
        if worst is None or value > worst.value:
            frame = int(new.argmin() if back >= wide else new.argmax())
            text = f"° too far {'back' if back >= wide else 'in'}; {limb[1]} at frame {case.after.frames[frame]:g}"
            worst = Finding(float(value), 0.0, text)
    return worst


def _is_free(case: Case, limb: tuple[str, ...]) -> bool:
    """Whether the limb was not edited: its own range binds it."""
    scope = case.request.scope
    return scope is not None and not scope & set(limb) and not case.request.grabbed & set(limb)


def _knee(recording: Recording, leg: tuple[str, ...]) -> np.ndarray:
    hip, knee, ankle = (recording.of(bone) for bone in leg[:3])
    return bend(knee - hip, ankle - knee)


def hinge_axis(recording: Recording, limb: tuple[str, ...]) -> np.ndarray | None:
    """Direction about which the middle joint bends, in the upper bone's frame; None if it never bends much."""
    crosses, angles = _crosses(recording, limb)
    if angles.max() < _SHOWS_AXIS:
        return None
    mean = crosses.sum(axis=0)
    length = np.linalg.norm(mean)
    return mean / length if length > 1e-9 else None


def flexion(recording: Recording, limb: tuple[str, ...], axis: np.ndarray) -> np.ndarray:
    """(F,) degrees of bend, negative where the joint bends the other way."""
    crosses, angles = _crosses(recording, limb)
    return np.where(crosses @ axis >= 0.0, angles, -angles)


def _crosses(recording: Recording, limb: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    top, middle, end = (recording.of(bone) for bone in limb[:3])
    upper, lower = middle - top, end - middle
    lengths = np.linalg.norm(upper, axis=-1) * np.linalg.norm(lower, axis=-1)
    world = np.cross(upper, lower) / np.maximum(lengths, 1e-12)[:, None]
    frame = orthonormal(recording.matrices[:, recording.figure.index(limb[0]), :3, :3])
    return (frame.swapaxes(-1, -2) @ world[..., None])[..., 0], 180.0 - bend(upper, lower)


def _other_side(case: Case, limb: tuple[str, ...]) -> tuple[str, ...]:
    limbs = case.before.figure.legs if limb in case.before.figure.legs else case.before.figure.arms
    return limbs[limbs.index(limb) ^ 1]


def _axis_after(case: Case, limb: tuple[str, ...], other: tuple[str, ...], axis: np.ndarray) -> np.ndarray:
    """The axis that the limb should bend about now: its own, that of the other side, or of other bones."""
    if other is limb and not case.is_other_figure:
        return axis
    found = hinge_axis(case.after if case.is_other_figure else case.before, other)
    return axis if found is None else found

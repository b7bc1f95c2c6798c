"""Figures made in code, for the tests of the laws: a person of straight bones, posed frame by frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quality.figures import Figure
from quality.laws import Case, KeyChange, Request
from quality.recording import Recording

RATE = 30.0
HEIGHT = 1.75
_LEGS = tuple(tuple(f"{part}.{side}" for part in ("thigh", "shin", "foot", "toe")) for side in "LR")
_ARMS = tuple(tuple(f"{part}.{side}" for part in ("upper", "fore", "hand")) for side in "LR")
_BONES = ("hips", "head", *(bone for limb in (*_LEGS, *_ARMS) for bone in limb))
_PARENT = {"head": "hips"} | {
    bone: (limb[place - 1] if place else "hips") for limb in (*_LEGS, *_ARMS) for place, bone in enumerate(limb)
}
_OFFSETS = {
    "hips": (0.0, 0.0, 0.9),
    "head": (0.0, 0.0, 0.7),
    "thigh": (0.1, 0.0, 0.0),
    "shin": (0.0, 0.0, -0.42),
    "foot": (0.0, 0.0, -0.42),
    "toe": (0.0, -0.15, -0.05),
    "upper": (0.2, 0.0, 0.5),
    "fore": (0.0, 0.0, -0.28),
    "hand": (0.0, 0.0, -0.26),
}
PERSON = Figure(
    _BONES,
    tuple(_BONES.index(_PARENT[bone]) if bone in _PARENT else -1 for bone in _BONES),
    "hips",
    "head",
    _LEGS,
    _ARMS,
)


def stand(frames: int = 90, **turns: np.ndarray) -> Recording:
    """A person who stands, with some joints turned about the x axis: degrees of every frame, by bone ("shin_L")."""
    angles = {name.replace("_", "."): np.broadcast_to(np.radians(turn), frames) for name, turn in turns.items()}
    matrices = np.zeros((frames, len(_BONES), 4, 4))
    for joint, bone in enumerate(_BONES):
        local = _local(bone, angles.get(bone, np.zeros(frames)))
        parent = PERSON.parents[joint]
        matrices[:, joint] = matrices[:, parent] @ local if parent >= 0 else local
    numbers = np.arange(1.0, frames + 1.0)
    return Recording(
        PERSON, numbers, RATE, matrices, matrices[..., :3, 3].copy(), HEIGHT, numbers, np.empty((frames, 0))
    )


def _local(bone: str, angle: np.ndarray) -> np.ndarray:
    name, _dot, side = bone.partition(".")
    offset = np.array(_OFFSETS[name]) * ([-1, 1, 1] if side == "R" else [1, 1, 1])
    local = np.zeros((len(angle), 4, 4))
    local[:, 0, 0] = local[:, 3, 3] = 1.0
    local[:, 1, 1] = local[:, 2, 2] = np.cos(angle)
    local[:, 2, 1], local[:, 1, 2] = np.sin(angle), -np.sin(angle)
    local[:, :3, 3] = offset
    return local


def moved(recording: Recording, way: np.ndarray) -> Recording:
    """Everything moved: (F, 3) or (3,)."""
    matrices = recording.matrices.copy()
    matrices[..., :3, 3] += np.broadcast_to(way, (len(matrices), 3))[:, None]
    return replace(recording, matrices=matrices)


def case_of(before: Recording, after: Recording, keys: KeyChange | None = None, **request: object) -> Case:
    """An edit from one to the other."""
    loops = bool(request.pop("loops", False))
    return Case(before, after, Request(**request), keys or KeyChange({}, {}, {}), loops)

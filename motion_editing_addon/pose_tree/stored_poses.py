"""Poses as they are saved: arrays by the names of bones and channels, brought to whatever bones there are now."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.motion import Motion
from ..armature import PLACEMENT, skeleton_of

if TYPE_CHECKING:
    from bpy.types import Object, PropertyGroup

    from ...core.skeleton import Skeleton

_ARRAYS = {"rotations": 4, "locations": 3, "scales": 3}


@dataclass(frozen=True, eq=False)
class StoredPoses:
    """Poses of named joints and scalars, one frame each.

    Attributes:
        joint_names: J names of bones.
        rotations: (F, J, 4) unit quaternions, whatever the bones' rotation mode is.
        locations: (F, J, 3).
        scales: (F, J, 3).
        scalar_names: S names as those of a motion read from Blender.
        scalars: (F, S).
    """

    joint_names: tuple[str, ...]
    rotations: np.ndarray
    locations: np.ndarray
    scales: np.ndarray
    scalar_names: tuple[str, ...]
    scalars: np.ndarray

    def __len__(self) -> int:
        return len(self.rotations)

    def chosen(self, frames: Any) -> StoredPoses:
        """Some of the poses."""
        parts = (self.rotations[frames], self.locations[frames], self.scales[frames])
        return StoredPoses(self.joint_names, *parts, self.scalar_names, self.scalars[frames])


@dataclass(frozen=True, eq=False)
class FittedPoses:
    """Stored poses with the joints that an object has now.

    Attributes:
        poses: One frame each.
        held: (F, J) joints that a stored pose says something about.
        held_scalars: (F, S) likewise scalars.
        missing: Stored names that the object has no longer.
    """

    poses: Motion
    held: np.ndarray
    held_scalars: np.ndarray
    missing: tuple[str, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of joints, then scalars."""
        return (*self.poses.skeleton.names, *self.poses.scalar_names)


def stored(motion: Motion) -> StoredPoses:
    """A motion's poses, ready to be saved; where the object itself is belongs to no pose."""
    keep = [joint for joint, name in enumerate(motion.skeleton.names) if name != PLACEMENT]
    names = tuple(motion.skeleton.names[joint] for joint in keep)
    parts = (motion.rotations[:, keep], motion.locations[:, keep], motion.scales[:, keep])
    return StoredPoses(names, *parts, motion.scalar_names, motion.scalars)


def save(group: PropertyGroup, poses: StoredPoses) -> None:
    """Keep poses with a target or path."""
    group["joints"] = json.dumps(poses.joint_names)
    group["scalar_names"] = json.dumps(poses.scalar_names)
    for name in (*_ARRAYS, "scalars"):
        save_array(group, name, getattr(poses, name))


def load(group: PropertyGroup) -> StoredPoses:
    """The poses kept with a target or path; none of any joint if there are none."""
    joints, scalars = (tuple(json.loads(group.get(name, "[]"))) for name in ("joints", "scalar_names"))
    scalar_values = load_array(group, "scalars", (-1, len(scalars))) if scalars else None
    frames = len(scalar_values) if scalar_values is not None else -1
    parts = [load_array(group, name, (frames if not joints else -1, len(joints), n)) for name, n in _ARRAYS.items()]
    values = np.empty((len(parts[0]), 0)) if scalar_values is None else scalar_values
    return StoredPoses(joints, *parts, scalars, values)


def save_array(group: PropertyGroup, name: str, values: np.ndarray) -> None:
    """Keep an array of numbers; Blender holds flat ones, and none without a number."""
    if values.size:
        kind = np.float64 if values.dtype.kind == "f" else np.int32
        group[name] = np.ascontiguousarray(values, dtype=kind).reshape(-1)
    elif name in group:
        del group[name]


def load_array(group: PropertyGroup, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """A copy of an array: Blender's own memory may go at the next undo."""
    kept = group.get(name)
    if kept is None:
        return np.empty([max(0, size) for size in shape])
    return np.frombuffer(kept, dtype=kept.typecode).copy().reshape(shape)


def fitted(
    owner: Object,
    parts: Sequence[StoredPoses],
    *,
    skeleton: Skeleton | None = None,
    scalar_names: tuple[str, ...] | None = None,
    rate: float = 24.0,
) -> FittedPoses:
    """Poses of several sources after each other, with the joints that an object has now.

    Args:
        owner: An armature, or anything with scalars.
        parts: What was stored.
        skeleton: Of the owner, if it is known.
        scalar_names: Scalars of the result; all that are stored by default.
        rate: Of the motion.
    """
    skeleton = skeleton_of(owner) if skeleton is None else skeleton
    names = all_scalars(parts) if scalar_names is None else scalar_names
    frames, joints = sum(map(len, parts)), len(skeleton)
    rotations, locations, scales = np.zeros((frames, joints, 4)), np.zeros((frames, joints, 3)), None
    rotations[..., 0] = 1.0
    scales, scalars = np.ones((frames, joints, 3)), np.zeros((frames, len(names)))
    held, held_scalars = np.zeros((frames, joints), dtype=bool), np.zeros((frames, len(names)), dtype=bool)
    held[:, [joint for joint, name in enumerate(skeleton.names) if name == PLACEMENT]] = True
    first, missing = 0, {}
    for part in parts:
        rows = np.arange(first, first + len(part))[:, None]
        there, here = _matches(part.joint_names, skeleton.index, missing)
        rotations[rows, here], locations[rows, here] = part.rotations[:, there], part.locations[:, there]
        scales[rows, here], held[rows, here] = part.scales[:, there], True
        there, here = _matches(part.scalar_names, {name: number for number, name in enumerate(names)}, missing)
        scalars[rows, here], held_scalars[rows, here] = part.scalars[:, there], True
        first += len(part)
    motion = Motion.build(
        skeleton,
        rotations,
        rate=rate,
        locations=locations,
        scales=scales,
        scalars=scalars if names else None,
        scalar_names=names,
    )
    return FittedPoses(motion, held, held_scalars, tuple(missing))


def all_scalars(parts: Sequence[StoredPoses]) -> tuple[str, ...]:
    """Names of all scalars in some poses, each once."""
    return tuple(dict.fromkeys(name for part in parts for name in part.scalar_names))


def _matches(names: tuple[str, ...], index: dict[str, int], missing: dict[str, None]) -> tuple[list[int], list[int]]:
    """Numbers there and here of the names that both have; others are noted."""
    there = [number for number, name in enumerate(names) if name in index]
    missing.update((name, None) for name in names if name not in index)
    return there, [index[names[number]] for number in there]

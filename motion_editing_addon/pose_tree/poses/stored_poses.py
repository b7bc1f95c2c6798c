"""Poses as they are saved: arrays by the names of bones and channels, brought to whatever bones there are now."""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.errors import DamagedDataError
from ....core.motion import Motion
from ...border.armature import PLACEMENT, skeleton_of
from ...border.rigs.rig_pose import is_whole_scalar
from ...border.saved_state import TREE_POSES, put, reading, take

if TYPE_CHECKING:
    from bpy.types import ID, Object, PropertyGroup

    from ....core.motion import Skeleton

_ARRAYS = {"rotations": 4, "locations": 3, "scales": 3}
# What the length of a saved quaternion may be away from one.
_UNIT = 1e-3


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
        stepped: Names of the scalars that jump and are never mixed.
    """

    joint_names: tuple[str, ...]
    rotations: np.ndarray
    locations: np.ndarray
    scales: np.ndarray
    scalar_names: tuple[str, ...]
    scalars: np.ndarray
    stepped: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.rotations)

    def chosen(self, frames: Any) -> StoredPoses:
        """Some of the poses."""
        parts = (self.rotations[frames], self.locations[frames], self.scales[frames])
        return StoredPoses(self.joint_names, *parts, self.scalar_names, self.scalars[frames], self.stepped)


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


def stored(
    motion: Motion, *, joints: Container[str | None] | None = None, scalars: Container[str] | None = None
) -> StoredPoses:
    """A motion's poses, ready to be saved; where the object itself is belongs to no pose.

    Args:
        motion: One frame or more.
        joints: Names of those that count; all by default.
        scalars: Likewise scalars.
    """
    names, scalar_names = motion.skeleton.names, motion.scalar_names
    keep = [n for n, name in enumerate(names) if name != PLACEMENT and (joints is None or name in joints)]
    keep_scalars = [n for n, name in enumerate(scalar_names) if scalars is None or name in scalars]
    return StoredPoses(
        tuple(names[number] for number in keep),
        motion.rotations[:, keep],
        motion.locations[:, keep],
        motion.scales[:, keep],
        tuple(scalar_names[number] for number in keep_scalars),
        motion.scalars[:, keep_scalars],
        motion.stepped,
    )


def save(group: PropertyGroup | ID, poses: StoredPoses) -> None:
    """Keep poses with a target or path."""
    values: dict[str, Any] = {
        "joints": json.dumps(poses.joint_names),
        "scalar_names": json.dumps(poses.scalar_names),
        "stepped": json.dumps(sorted(poses.stepped & set(poses.scalar_names))),
        "pose_count": len(poses),
        "scalars": poses.scalars,
    }
    for name in _ARRAYS:
        values |= _moving_and_still(name, getattr(poses, name))
    put(group, TREE_POSES, values)


def load(group: PropertyGroup | ID, count: int) -> StoredPoses:
    """The poses kept with a target or path.

    Args:
        count: How many there must be. Nothing is allocated before that is known to be so.

    Raises:
        DamagedDataError: What is kept is not that, or no poses at all. It only says what is wrong: whoever knows
            whose poses they are says what to do.
    """
    if group.get("pose_count") != count:
        raise DamagedDataError(f"{group.get('pose_count', 0)} poses are kept where {count} should be")
    values = take(group, TREE_POSES, P=count)
    with reading(TREE_POSES):
        joints, scalars, stepped = (_names(values, name) for name in ("joints", "scalar_names", "stepped"))
        parts = [_all_joints(values, name, (count, len(joints), size)) for name, size in _ARRAYS.items()]
        numbers = _array(values, "scalars").reshape(count, len(scalars))
    rotations, locations, scales = parts
    if np.abs(np.linalg.norm(rotations, axis=-1) - 1.0).max(initial=0.0) > _UNIT:
        raise DamagedDataError("the rotations are no rotations")
    return StoredPoses(joints, rotations, locations, scales, scalars, numbers, frozenset(stepped))


def _names(values: dict[str, Any], key: str) -> tuple[str, ...]:
    names = json.loads(values.get(key, "[]"))
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"{key} are no names")
    return tuple(names)


def _array(values: dict[str, Any], name: str) -> np.ndarray:
    """An array; those without numbers are not kept."""
    return values.get(name, np.empty(0))


def _moving_and_still(name: str, values: np.ndarray) -> dict[str, np.ndarray]:
    """An array (F, J, N) to be kept; of joints that never move, most of a motion's, one frame.

    Channels of many frames have Blender's own seven digits.
    """
    moving = np.flatnonzero((values != values[:1]).any(axis=(0, 2)))
    return {
        f"{name}_moving": moving.astype(np.int32),
        f"{name}_still": values[0],
        name: values[:, moving].astype(np.float32),
    }


def _all_joints(values: dict[str, Any], name: str, shape: tuple[int, int, int]) -> np.ndarray:
    still, moving = _array(values, f"{name}_still").reshape(shape[1:]), _array(values, f"{name}_moving").astype(np.intp)
    if len(moving) and not ((moving >= 0) & (moving < shape[1])).all():
        raise ValueError(f"{name} are those of other bones")
    found = np.tile(still, (shape[0], 1, 1))
    found[:, moving] = _array(values, name).reshape(shape[0], len(moving), shape[2])
    return found


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
        skeleton: Of the owner, if it is known.
        scalar_names: Scalars of the result; all that are stored by default.
        rate: Of the motion.
    """
    skeleton = skeleton_of(owner) if skeleton is None else skeleton
    names = all_scalars(parts) if scalar_names is None else scalar_names
    values = _at_rest(sum(map(len, parts)), skeleton, len(names))
    numbers = {name: number for number, name in enumerate(names)}
    first, missing = 0, dict[str, None]()
    for part in parts:
        rows = np.arange(first, first + len(part))[:, None]
        there, here = _matches(part.joint_names, skeleton.index, missing)
        for name in _ARRAYS:
            values[name][rows, here] = getattr(part, name)[:, there]
        values["held"][rows, here] = True
        there, here = _matches(part.scalar_names, numbers, missing)
        values["scalars"][rows, here], values["held_scalars"][rows, here] = part.scalars[:, there], True
        first += len(part)
    held, held_scalars, rotations = (values.pop(name) for name in ("held", "held_scalars", "rotations"))
    motion = Motion.build(
        skeleton, rotations, rate=rate, scalar_names=names, stepped=_stepped(owner, names, parts), **values
    )
    return FittedPoses(motion, held, held_scalars, tuple(missing))


def _stepped(owner: Object, names: tuple[str, ...], parts: Sequence[StoredPoses]) -> frozenset[str]:
    """Scalars that jump: those that were stored as such, and whole numbers."""
    stored_so = frozenset(name for part in parts for name in part.stepped)
    return stored_so | {name for name in names if is_whole_scalar(owner, name)}


def _at_rest(frames: int, skeleton: Skeleton, scalars: int) -> dict[str, np.ndarray]:
    """Arrays of poses that say nothing; all hold the object itself, which no tree moves."""
    joints = len(skeleton)
    held = np.zeros((frames, joints), dtype=bool)
    held[:, [joint for joint, name in enumerate(skeleton.names) if name == PLACEMENT]] = True
    return {
        "rotations": np.tile((1.0, 0.0, 0.0, 0.0), (frames, joints, 1)),
        "locations": np.zeros((frames, joints, 3)),
        "scales": np.ones((frames, joints, 3)),
        "scalars": np.zeros((frames, scalars)),
        "held": held,
        "held_scalars": np.zeros((frames, scalars), dtype=bool),
    }


def all_scalars(parts: Sequence[StoredPoses]) -> tuple[str, ...]:
    """Names of all scalars in some poses, each once."""
    return tuple(dict.fromkeys(name for part in parts for name in part.scalar_names))


def _matches(names: tuple[str, ...], index: dict[str, int], missing: dict[str, None]) -> tuple[list[int], list[int]]:
    """Numbers there and here of the names that both have; others are noted."""
    there = [number for number, name in enumerate(names) if name in index]
    missing.update((name, None) for name in names if name not in index)
    return there, [index[names[number]] for number in there]

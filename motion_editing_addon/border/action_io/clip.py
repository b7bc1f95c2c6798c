"""From F-curves to a core Motion: the one way in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ....core.errors import MotionEditError
from ....core.motion import Motion
from ....core.numerics import quaternion, rotation_channels
from ..armature import PLACEMENT, skeleton_of
from .curves.channels import Channels, Property, bone_of_path, channels_of
from .curves.keys import SAME_FRAME, read_keys
from .curves.numbers import number_at
from .curves.stepped_keys import stepped_names

if TYPE_CHECKING:
    from bpy.types import FCurve, Object


# Keys farther apart than this are a mistake, such as a key at infinity.
_MOST_FRAMES = 1_000_000


@dataclass(frozen=True)
class Clip:
    """A motion and where it came from.

    Attributes:
        armature: The armature object.
        frames: (F,) action frames of the motion's samples; not scene frames in NLA tweak mode.
        motion: The samples; its times are frames divided by the source rate.
        channels: The F-curves behind it.
        raw: Evaluated values of every animated property, (F, components), as float32.
        keys: Frame and value, (K, 2) as float32, of every key of every curve when it was read.
    """

    armature: Object
    frames: np.ndarray
    motion: Motion
    channels: Channels
    raw: dict[Property, np.ndarray]
    keys: dict[tuple[Property, int], np.ndarray]

    def scalars_of(self, joints: np.ndarray) -> np.ndarray:
        """(N,) scalar channels that belong to the joints (J,); those of no bone go with the object."""
        names = self._names(joints)
        return np.array([_bone(prop) in names for prop in self.channels.scalars], dtype=bool)

    def muted_of(self, joints: np.ndarray) -> dict[tuple[Property, int], FCurve]:
        """The muted curves that belong to the joints (J,), scalar ones included."""
        names = self._names(joints)
        return {key: curve for key, curve in self.channels.muted.items() if _bone(key[0]) in names}

    def _names(self, joints: np.ndarray) -> set[str]:
        return {name for name, chosen in zip(self.motion.skeleton.names, joints, strict=True) if chosen}


def _bone(prop: Property) -> str:
    """The bone that a property belongs to, or the object."""
    return bone_of_path(prop.path) or PLACEMENT


def read(armature: Object, *, rate: float, start: float | None = None, end: float | None = None) -> Clip:
    """Read the armature's action, its shape keys' actions included.

    Args:
        armature: Armature object with an action.
        rate: Samples per second at which the motion was recorded, one sample a frame.
        start: First action frame; that of the first key if not given.
        end: Last action frame; that of the last key if not given.

    Raises:
        MotionEditError: There is no action, or it has no keys.
    """
    channels = channels_of(armature)
    if channels.muted and not channels.curves:
        raise MotionEditError(f"All channels of '{armature.name}' are muted: unmute those that are to be edited")
    if not channels.curves:
        raise MotionEditError(f"'{armature.name}' has no keyframes: assign an action with keys first")
    keys = {key: read_keys(curve, "co")["co"] for key, curve in channels.curves.items()}
    frames = sample_frames(keys.values(), start, end)
    values = _evaluate_all(channels, keys, frames)
    raw = {prop: _raw(prop, values, len(frames)) for prop in channels.properties()}
    return Clip(armature, frames, _motion(armature, channels, raw, frames, rate), channels, raw, keys)


def sample_frames(keys: Iterable[np.ndarray], start: float | None, end: float | None) -> np.ndarray:
    """Frames at which to sample: every whole frame, or the keys' own if they are dense and lie between.

    Files with another rate than the scene put their samples on fractions of frames.
    """
    present, longest = union_of_frames(keys)
    if not present.size or not np.isfinite(present).all():
        raise MotionEditError("The action has no keys, or keys at infinite frames")
    first = max(np.floor(present[0]), -np.inf if start is None else start)
    last = min(np.ceil(present[-1]), np.inf if end is None else end)
    if first > last:
        raise MotionEditError("The range holds no frames of the action: choose another one")
    if last - first > _MOST_FRAMES:
        raise MotionEditError(f"The keys reach from frame {first:g} to {last:g}: delete the key that lies far out")
    fractions = np.abs(present - np.round(present)) > SAME_FRAME
    dense = present.size > 2 and np.median(np.diff(present)) < 1.5
    if dense and fractions.mean() > 0.5 and present.size <= 1.1 * longest:
        frames = present[(present >= first - SAME_FRAME) & (present <= last + SAME_FRAME)]
    else:
        frames = np.arange(np.ceil(first), np.floor(last) + 1.0)
    if not frames.size:
        raise MotionEditError("The range is shorter than a frame: choose a longer one")
    return frames


def union_of_frames(keys: Iterable[np.ndarray]) -> tuple[np.ndarray, int]:
    """All frames that have keys, to a thousandth, and the number of keys of the longest curve."""
    distinct: dict[bytes, np.ndarray] = {}
    for curve_keys in keys:
        frames = np.ascontiguousarray(curve_keys[:, 0])
        distinct.setdefault(frames.tobytes(), frames)  # Baked curves mostly share their frames.
    if not distinct:
        return np.empty(0), 0
    union = np.unique(np.round(np.concatenate(list(distinct.values())).astype(np.float64), 3))
    return union, max(len(frames) for frames in distinct.values())


def _evaluate_all(
    channels: Channels, keys: dict[tuple[Property, int], np.ndarray], frames: np.ndarray
) -> dict[tuple[Property, int], np.ndarray]:
    """Every curve at every frame, as Blender evaluates it, modifiers and extrapolation included."""
    values, pending = {}, {}
    for key, curve in channels.curves.items():
        direct = None if len(curve.modifiers) else _keys_that_are_samples(keys[key], frames)
        if direct is None and not len(curve.keyframe_points):  # Blender cannot sample curves without keys
            values.update(_evaluate_one_by_one({key: curve}, frames))
        elif direct is None:
            pending[key] = curve
        else:
            values[key] = direct
    if pending:
        whole = bool((frames == np.round(frames)).all())
        evaluate = _evaluate_by_sampling_a_copy if whole else _evaluate_one_by_one
        values.update(evaluate(pending, frames))
    return values


def _keys_that_are_samples(keys: np.ndarray, frames: np.ndarray) -> np.ndarray | None:
    """The keys' values where there is exactly one key per frame."""
    first = int(np.searchsorted(keys[:, 0], frames[0] - SAME_FRAME))
    part = keys[first : first + len(frames)]
    if len(part) < len(frames) or np.abs(part[:, 0] - frames).max() > SAME_FRAME:
        return None
    return part[:, 1]


def _evaluate_one_by_one(pending: dict[Any, FCurve], frames: np.ndarray) -> dict[Any, np.ndarray]:
    return {
        key: np.fromiter(map(curve.evaluate, frames.tolist()), np.float32, len(frames))
        for key, curve in pending.items()
    }


def _evaluate_by_sampling_a_copy(pending: dict[Any, FCurve], frames: np.ndarray) -> dict[Any, np.ndarray]:
    """Let Blender sample copies of the actions: equal to evaluating each frame, ten times as fast."""
    values = {}
    by_action: dict[Any, list[tuple[Any, FCurve]]] = {}
    for key, curve in pending.items():
        by_action.setdefault(curve.id_data, []).append((key, curve))
    start, count = int(frames[0]), len(frames)
    for action, entries in by_action.items():
        copy = action.copy()
        try:
            copied = _curves_by_identity(copy)
            for key, curve in entries:
                twin = copied[key[0].owner.animation_data.action_slot.identifier, curve.data_path, curve.array_index]
                values[key] = _sampled(twin, start, count)
        finally:
            bpy.data.actions.remove(copy)
    return values


def _curves_by_identity(action: Any) -> dict[tuple[str, str, int], FCurve]:
    return {
        (bag.slot.identifier, curve.data_path, curve.array_index): curve
        for layer in action.layers
        for strip in layer.strips
        for bag in strip.channelbags
        for curve in bag.fcurves
    }


def _sampled(curve: FCurve, start: int, count: int) -> np.ndarray:
    curve.convert_to_samples(start, start + count)
    points = np.empty(2 * count, dtype=np.float32)
    curve.sampled_points.foreach_get("co", points)
    return points[1::2].copy()


def _raw(prop: Property, values: dict[tuple[Property, int], np.ndarray], count: int) -> np.ndarray:
    """(F, components) of one property: its curves, or its present value where it has none."""
    columns = [values.get((prop, index)) for index in range(prop.size)]
    memory = np.empty((prop.size, count), dtype=np.float32)
    if any(column is None for column in columns):
        memory[:] = np.reshape(_present(prop), (prop.size, 1))
    for index, column in enumerate(columns):
        if column is not None:
            memory[index] = column
    return memory.T


def _present(prop: Property) -> Any:
    """What a property holds now; 0 where it is no number any more."""
    return prop.owner.path_resolve(prop.path) if prop.size > 1 else number_at(prop.owner, prop.path) or 0.0


def _motion(
    armature: Object, channels: Channels, raw: dict[Property, np.ndarray], frames: np.ndarray, rate: float
) -> Motion:
    joints = len(channels.joints)
    rotations = np.empty((4, joints, len(frames)))
    locations, scales = np.empty((3, joints, len(frames))), np.empty((3, joints, len(frames)))
    for joint, (location, rotation, scale) in enumerate(channels.joints):
        locations[:, joint], scales[:, joint] = raw[location].T, raw[scale].T
        mode = rotation_mode_of(armature, rotation)
        rotations[:, joint] = rotations_from_raw(raw[rotation], mode).T
    scalars = np.array([raw[prop][:, 0] for prop in channels.scalars], dtype=np.float64).T
    return Motion.build(
        skeleton_of(armature),
        rotations.T,
        rate=rate,
        times=frames / rate,
        locations=locations.T,
        scales=scales.T,
        scalars=scalars if channels.scalars else None,
        scalar_names=tuple(prop.name for prop in channels.scalars),
        stepped=stepped_names(channels),
    )


def rotation_mode_of(armature: Object, rotation: Property) -> str:
    """Rotation mode of the bone, or object, that a rotation property belongs to."""
    bone = bone_of_path(rotation.path)
    return (armature if bone is None else armature.pose.bones[bone]).rotation_mode


def rotations_from_raw(raw: np.ndarray, mode: str) -> np.ndarray:
    """Unit quaternions of a rotation property's channels in the given rotation mode."""
    if mode == "QUATERNION":
        return quaternion.normalize(raw)
    if mode == "AXIS_ANGLE":
        return rotation_channels.from_axis_angle(raw)
    return rotation_channels.from_euler(raw, mode)

"""What curves give at frames: values of all properties, and the motion made of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ....core.motion import Motion
from ....core.numerics import Recent, quaternion, rotation_channels
from .curves.channels import Channels, Property, bone_of_path
from .curves.stepped_keys import stepped_names

if TYPE_CHECKING:
    from bpy.types import Object

    from ....core.motion import Skeleton


@dataclass(frozen=True, eq=False)
class Samples:
    """Values and motion at frames; nothing of Blender's is kept, which may be gone any time.

    Attributes:
        frames: (F,) of the action.
        names: Of all properties.
        raw: Values of each of them, (F, components), as float32.
        motion: Made of them.
    """

    frames: np.ndarray
    names: tuple[str, ...]
    raw: tuple[np.ndarray, ...]
    motion: Motion
    _parts: Recent[tuple[int, int], Samples] = field(default_factory=lambda: Recent(2), repr=False)

    def values(self, channels: Channels) -> dict[Property, np.ndarray]:
        """The values by property."""
        return dict(zip(dict.fromkeys(channels.properties()), self.raw, strict=True))

    def part(self, rows: slice, armature: Object, channels: Channels) -> Samples:
        """Those of some frames, as if they alone had been read; the same ones every time."""
        if rows == slice(0, len(self.frames)):
            return self
        key = rows.start, rows.stop
        return self._parts.get(key) or self._parts.keep(key, self._rows(rows, armature, channels))

    def _rows(self, rows: slice, armature: Object, channels: Channels) -> Samples:
        frames, raw = self.frames[rows], tuple(each[rows] for each in self.raw)
        return samples_of(armature, self.motion.skeleton, channels, raw, frames, self.motion.rate)


def rows_of_frames(every: np.ndarray, frames: np.ndarray) -> slice | None:
    """The rows at which frames are found side by side among others; None where they have to be read by themselves.

    Keys next to a frame count as on it where each frame has one. So of frames between whole ones there are no parts.
    """
    first = int(np.searchsorted(every, frames[0]))
    rows = slice(first, first + len(frames))
    may_be_part = len(frames) == len(every) or bool((frames == np.round(frames)).all())
    return rows if may_be_part and np.array_equal(every[rows], frames) else None


def samples_of(
    armature: Object,
    skeleton: Skeleton,
    channels: Channels,
    raw: tuple[np.ndarray, ...],
    frames: np.ndarray,
    rate: float,
) -> Samples:
    """Samples with these values (F, components) of all properties, in their order."""
    properties = tuple(dict.fromkeys(channels.properties()))
    values = dict(zip(properties, raw, strict=True))
    motion = _motion(armature, skeleton, channels, values, frames, rate)
    return Samples(frames, tuple(prop.name for prop in properties), raw, motion)


def _motion(
    armature: Object,
    skeleton: Skeleton,
    channels: Channels,
    raw: dict[Property, np.ndarray],
    frames: np.ndarray,
    rate: float,
) -> Motion:
    joints = len(channels.joints)
    rotations = np.empty((4, joints, len(frames)))
    locations, scales = np.empty((3, joints, len(frames))), np.empty((3, joints, len(frames)))
    by_mode: dict[str, list[int]] = {}
    for joint, (location, rotation, scale) in enumerate(channels.joints):
        locations[:, joint], scales[:, joint] = raw[location].T, raw[scale].T
        by_mode.setdefault(rotation_mode_of(armature, rotation), []).append(joint)
    for mode, own in by_mode.items():  # all at once: much faster than one after the other
        values = np.stack([raw[channels.joints[joint][1]].T for joint in own], axis=1)
        rotations[:, own] = rotations_from_raw(values.T, mode).T
    scalars = np.array([raw[prop][:, 0] for prop in channels.scalars], dtype=np.float64).T
    return Motion.build(
        skeleton,
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

"""From F-curves to a core Motion: the one way in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....core.errors import MotionEditError
from ....core.motion import Motion, Skeleton
from ....core.numerics import Recent, quaternion, rotation_channels
from ..armature import PLACEMENT, skeleton_of
from .curve_values import source_of, values_of
from .curves.channels import Channels, Property, bone_of_path, channels_of
from .curves.keys import SAME_FRAME, places_of_keys
from .curves.stepped_keys import stepped_names
from .memory.draft import draft_of

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
    draft = draft_of(armature)
    if draft is not None and draft.window is not None:
        start, end = _within(draft.window, start, end)
    taken = draft.taken(rate, start, end) if draft is not None else None
    if taken is not None:
        return taken
    channels = channels_of(armature)
    if channels.muted and not channels.curves:
        raise MotionEditError(f"All channels of '{armature.name}' are muted: unmute those that are to be edited")
    if not channels.curves:
        raise MotionEditError(f"'{armature.name}' has no keyframes: assign an action with keys first")
    keys = {key: places_of_keys(curve) for key, curve in channels.curves.items()}
    return clip_at(armature, channels, keys, sample_frames(keys.values(), start, end), rate)


def changed_clip(clip: Clip, values: dict[Property, np.ndarray]) -> Clip:
    """A whole clip in memory with other values (F, components) of some properties, as it would be read.

    Nothing has to be looked at again but these.
    """
    raw = {prop: np.asarray(values.get(prop, own), dtype=np.float32) for prop, own in clip.raw.items()}
    motion = _motion(clip.armature, clip.motion.skeleton, clip.channels, raw, clip.frames, clip.motion.rate)
    keys = {key: places_of_keys(curve) for key, curve in clip.channels.curves.items()}
    return replace(clip, raw=raw, motion=motion, keys=keys)


def _within(window: tuple[float, float], start: float | None, end: float | None) -> tuple[float, float]:
    """The part of a range that lies in a window."""
    return max(window[0], -np.inf if start is None else start), min(window[1], np.inf if end is None else end)


class _Values(NamedTuple):
    """What curves and present values give: the values of all properties, and the motion made of them."""

    raw: list[np.ndarray]
    motion: Motion


# Of what was read last, by all that it follows from; nothing of Blender's is kept, which may be gone any time.
_known: Recent[str, _Values] = Recent(3)


def clip_at(
    armature: Object, channels: Channels, keys: dict[tuple[Property, int], np.ndarray], frames: np.ndarray, rate: float
) -> Clip:
    """The clip of some frames; where nothing has changed it has the same motion as before, with all found in it."""
    skeleton = skeleton_of(armature)
    source = source_of(armature, skeleton, channels, keys, frames, rate)
    found = _known.get(source) or _known.keep(source, _evaluate(armature, skeleton, channels, keys, frames, rate))
    raw = dict(zip(dict.fromkeys(channels.properties()), found.raw, strict=True))
    return Clip(armature, frames, found.motion, channels, raw, keys)


def _evaluate(
    armature: Object,
    skeleton: Skeleton,
    channels: Channels,
    keys: dict[tuple[Property, int], np.ndarray],
    frames: np.ndarray,
    rate: float,
) -> _Values:
    raw = values_of(channels, keys, frames)
    return _Values(list(raw.values()), _motion(armature, skeleton, channels, raw, frames, rate))


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

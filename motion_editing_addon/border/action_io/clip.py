"""From F-curves to a core Motion: the one way in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ....core.motion import Motion
from ....core.numerics import Recent
from ..armature import PLACEMENT, skeleton_of
from .curve_values import source_of, values_of
from .curves.channels import Channels, Property, bone_of_path, channels_of
from .curves.keys import SAME_FRAME, places_of_keys, rows_of_samples
from .memory.draft import draft_of
from .samples import Samples, rows_of_frames, samples_of

if TYPE_CHECKING:
    from bpy.types import FCurve, Object

    from ....core.motion import Skeleton

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
        whole: Of all frames of the action, if they were looked at.
    """

    armature: Object
    frames: np.ndarray
    motion: Motion
    channels: Channels
    raw: dict[Property, np.ndarray]
    keys: dict[tuple[Property, int], np.ndarray]
    whole: Samples | None = field(default=None, kw_only=True)

    def scalars_of(self, joints: np.ndarray) -> np.ndarray:
        """(N,) scalar channels that belong to the joints (J,); those of no bone go with the object."""
        names = self._names(joints)
        return np.array([_bone(prop) in names for prop in self.channels.scalars], dtype=bool)

    def muted_of(self, joints: np.ndarray) -> dict[tuple[Property, int], FCurve]:
        """The muted curves that belong to the joints (J,), scalar ones included."""
        names = self._names(joints)
        return {key: curve for key, curve in self.channels.muted.items() if _bone(key[0]) in names}

    @property
    def is_whole(self) -> bool:
        """Whether it has all frames of the action."""
        return self.whole is not None and self.whole.motion is self.motion

    def part(self, frames: np.ndarray) -> Clip | None:
        """Some frames of the whole action as they would be read; None where they have to be looked at."""
        rows = None if self.whole is None or not len(frames) else rows_of_frames(self.whole.frames, frames)
        if self.whole is None or rows is None:
            return None
        channels = self.channels.copied()
        found = self.whole.part(rows, self.armature, channels)
        return replace(self, frames=found.frames, motion=found.motion, channels=channels, raw=found.values(channels))

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
    keys = places_of(channels)
    clip = clip_at(armature, channels, keys, sample_frames(keys.values(), start, end), rate)
    if draft is not None and draft.is_whole and clip.is_whole:
        draft.keep_clip(clip)
    return clip


def places_of(channels: Channels) -> dict[tuple[Property, int], np.ndarray]:
    """Frame and value, (K, 2), of every key of every curve."""
    return {key: places_of_keys(curve) for key, curve in channels.curves.items()}


def changed_motion(clip: Clip, values: dict[Property, np.ndarray]) -> Motion:
    """The motion of a clip with other values (F, components) of some properties, as it would be read."""
    raw = tuple(np.asarray(values.get(prop, own), dtype=np.float32) for prop, own in clip.raw.items())
    motion = clip.motion
    return samples_of(clip.armature, motion.skeleton, clip.channels, raw, clip.frames, motion.rate).motion


def changed_whole(clip: Clip, values: dict[Property, np.ndarray]) -> Clip | None:
    """The whole clip in memory after a part of it got other values (F, components) of some properties.

    Nothing has to be looked at again but these. None where the rest is not known.
    """
    whole, known = clip.whole, clip.part(clip.frames)
    if whole is None or known is None or known.motion is not clip.motion or not _are_baked(clip, values, whole.frames):
        return None
    rows = rows_of_frames(whole.frames, clip.frames)
    raw = whole.values(clip.channels)
    for prop, changed in values.items():
        raw[prop] = np.array(raw[prop], order="K")
        raw[prop][rows] = changed
        raw[prop].flags.writeable = False
    skeleton, rate = clip.motion.skeleton, clip.motion.rate
    now = samples_of(clip.armature, skeleton, clip.channels, tuple(raw.values()), whole.frames, rate)
    found = replace(clip, frames=now.frames, raw=now.values(clip.channels), motion=now.motion, whole=now)
    return replace(found, keys=places_of(clip.channels))


def _are_baked(clip: Clip, properties: Iterable[Property], frames: np.ndarray) -> bool:
    """Whether curves of properties have a key on each frame, so that none has a say beside its own."""
    keys = [clip.keys[prop, index] for prop in properties for index in range(prop.size) if (prop, index) in clip.keys]
    return all(rows_of_samples(each[:, 0], frames) is not None for each in keys)


def _within(window: tuple[float, float], start: float | None, end: float | None) -> tuple[float, float]:
    """The part of a range that lies in a window."""
    return max(window[0], -np.inf if start is None else start), min(window[1], np.inf if end is None else end)


# Of what was read last, by all that it follows from.
_known: Recent[str, Samples] = Recent(3)


def clip_at(
    armature: Object, channels: Channels, keys: dict[tuple[Property, int], np.ndarray], frames: np.ndarray, rate: float
) -> Clip:
    """The clip of some frames; where nothing has changed it has the same motion as before, with all found in it."""
    skeleton, every = skeleton_of(armature), _every_frame(keys)
    rows = rows_of_frames(every, frames)
    source = source_of(armature, skeleton, channels, keys, frames if rows is None else every, rate)

    def samples(name: str, chosen: np.ndarray) -> Samples:
        return _known.get(name) or _known.keep(name, _evaluate(armature, skeleton, channels, keys, chosen, rate))

    if rows is None or not (len(frames) == len(every) or source in _known or _is_read_whole(armature)):
        found = samples(f"{source} {frames[0]} {frames[-1]}", frames)
        return Clip(armature, frames, found.motion, channels, found.values(channels), keys)
    whole = samples(source, every)
    found = whole.part(rows, armature, channels)
    return Clip(armature, frames, found.motion, channels, found.values(channels), keys, whole=whole)


def _is_read_whole(armature: Object) -> bool:
    """Whether keys are in memory, and all that is read is a part of the whole."""
    draft = draft_of(armature)
    return draft is not None and draft.is_whole


def _every_frame(keys: dict[tuple[Property, int], np.ndarray]) -> np.ndarray:
    """The frames of the whole action; none where it cannot be read as a whole."""
    try:
        return sample_frames(keys.values(), None, None)
    except MotionEditError:
        return np.empty(0)


def know_whole(clip: Clip) -> None:
    """Let a whole clip that was in memory be what is read now that its keys are written."""
    channels = channels_of(clip.armature)
    names = tuple(prop.name for prop in dict.fromkeys(channels.properties()))
    if clip.whole is None or clip.whole.names != names:
        return
    frames, skeleton = clip.whole.frames, skeleton_of(clip.armature)
    source = source_of(clip.armature, skeleton, channels, places_of(channels), frames, clip.motion.rate)
    _known.keep(source, clip.whole)


def _evaluate(
    armature: Object,
    skeleton: Skeleton,
    channels: Channels,
    keys: dict[tuple[Property, int], np.ndarray],
    frames: np.ndarray,
    rate: float,
) -> Samples:
    raw = values_of(channels, keys, frames)
    return samples_of(armature, skeleton, channels, tuple(raw.values()), frames, rate)


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

"""Reading an object over frames that its keys need not reach, and one that has no keys at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .clip import Clip, clip_at
from .curves.channels import Property, channels_of, new_curve
from .curves.curve_keys import replace_keys
from .curves.keys import SAME_FRAME, generated_keys, read_keys
from .memory.draft import draft_of

if TYPE_CHECKING:
    from bpy.types import Object


def read_frames(thing: Object, frames: np.ndarray, *, rate: float, scalars: Sequence[Property] = ()) -> Clip:
    """The channels of an object at the given frames; those without keys hold their present values.

    Args:
        thing: An armature or anything else that can be animated.
        frames: (F,) action frames.
        rate: Frames per second.
        scalars: Numbers that the motion is to have as well, even if they are not animated yet.
    """
    draft = draft_of(thing)
    taken = draft.taken_at(frames, rate) if draft is not None and not scalars else None
    if taken is not None:
        return taken
    channels = channels_of(thing)
    known = {prop.name for prop in channels.scalars}
    channels.scalars += [prop for prop in scalars if prop.name not in known]
    keys = {key: read_keys(curve, "co")["co"] for key, curve in channels.curves.items()}
    return clip_at(thing, channels, keys, frames, rate)


def frames_and_keys(clip: Clip, others: Any = ()) -> np.ndarray:
    """(F,) the clip's frames, those between them at which any of its curves has a key, and others."""
    first, last = clip.frames[[0, -1]]
    found = np.empty(0)
    # What comes first stays where others lie as near as one key to Blender.
    keys = np.concatenate([np.empty(0), *(each[:, 0] for each in clip.keys.values())])
    for frames in (keys, others, clip.frames):
        new = apart(frames, SAME_FRAME)
        new = new[(new >= first) & (new <= last)]
        after, beside = np.searchsorted(found, new), np.concatenate([[-np.inf], found, [np.inf]])
        is_free = np.minimum(new - beside[after], beside[after + 1] - new) >= SAME_FRAME
        found = np.sort(np.concatenate([found, new[is_free]]))
    return found


def apart(frames: Any, least: float) -> np.ndarray:
    """Different ones of some frames in order, of those that are nearer than `least` to each other the first."""
    found = np.unique(np.asarray(frames, dtype=np.float64))
    return found[np.diff(found, prepend=-np.inf) >= least]


def keyed_frames(prop: Property) -> np.ndarray:
    """(K,) frames at which a property's first component has keys."""
    thing: Any = prop.owner
    curve = channels_of(thing).curves.get((prop, 0))
    return read_keys(curve, "co")["co"][:, 0] if curve is not None else np.empty(0)


def key_property(
    prop: Property, frames: np.ndarray, values: np.ndarray, *, instead_of: np.ndarray | None = None
) -> None:
    """Key a property of an object on frames, in the place of its keys between them.

    Args:
        prop: Not necessarily animated yet.
        frames: (F,) increasing.
        values: (F, components).
        instead_of: Increasing frames; keys between these go as well.
    """
    thing: Any = prop.owner
    channels, none = channels_of(thing), np.empty(0)
    for index, column in enumerate(np.reshape(values, (len(frames), -1)).T):
        curve = channels.curves.get((prop, index)) or new_curve(channels, prop, index)
        if instead_of is not None and len(instead_of):
            replace_keys(curve, instead_of, generated_keys(none, none))
        replace_keys(curve, frames, generated_keys(frames, column))
    thing.update_tag(refresh={"OBJECT", "TIME"})

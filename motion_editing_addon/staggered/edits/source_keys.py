"""The keys that poses were fitted to, kept with the action: what shows the same again gets the very same keys.

Keys that are worked out anew from a motion are right but for rounding. So the keys from before the first edit of the
poses are kept, and brought back wherever the poses show what they showed then.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.errors import DamagedDataError
from ...border import saved_state
from ...border.action_io.curves.channels import channels_of, new_curve, remove_curve
from ...border.action_io.curves.key_arrays import pack_keys, unpack_keys
from ...border.action_io.curves.keys import read_keys, write_keys
from ...border.action_io.curves.numbers import number_at, put_number
from ...border.saved_state import STAGGERED_KEYS
from ...document import scope

if TYPE_CHECKING:
    from bpy.types import Object

    from ....core.motion import Motion
    from ...border.action_io import Clip, Property


def keep(clip: Clip, source: Motion) -> None:
    """Keep the keys as they are with the action: they show the source of the poses."""
    own = clip.channels.curves
    channels = [(prop, index) for prop in _properties(clip) for index in range(prop.size)]
    still = [key for key in channels if key not in own]
    arrays: dict[str, Any] = {
        **pack_keys({(prop.name, index): own[prop, index] for prop, index in channels if (prop, index) in own}),
        "digests": json.dumps(_digests(clip, source)),
        "still": json.dumps([(prop.name, index) for prop, index in still]),
        "values": np.array([number_at(prop.owner, _path(prop, index)) or 0.0 for prop, index in still]),
    }
    saved_state.save(*scope.saved_place(clip.armature), STAGGERED_KEYS, arrays, "")


def forget(armature: Object) -> None:
    """Keep nothing."""
    saved_state.remove(*scope.saved_place(armature), STAGGERED_KEYS)


def kept_properties(clip: Clip, source: Motion) -> dict[Property, str]:
    """Properties whose keys are kept and still are those of the source, with their names."""
    kept = _load(clip.armature)
    if kept is None:
        return {}
    known, now = json.loads(kept["digests"]), _digests(clip, source)
    return {
        prop: prop.name for prop in _properties(clip) if prop.name in now and known.get(prop.name) == now[prop.name]
    }


def bring_back(armature: Object, names: Iterable[str]) -> set[str]:
    """Give properties the keys that are kept of them; gives the names of those that had others."""
    wanted, kept = set(names), _load(armature)
    if not wanted or kept is None:
        return set()
    channels = channels_of(armature)
    known = {prop.name: prop for prop in channels.properties()}
    changed = set()
    for (name, index), keys in unpack_keys(kept).items():
        if name in wanted and name in known:
            own = channels.curves.get((known[name], index)) or new_curve(channels, known[name], index)
            now = read_keys(own)
            if any(not np.array_equal(now[part], values) for part, values in keys.items()):
                write_keys(own, keys)
                changed.add(name)
    for (name, index), value in zip(json.loads(kept["still"]), kept.get("values", ()), strict=True):
        curve = channels.curves.get((known[name], index)) if name in wanted and name in known else None
        if curve is not None:
            remove_curve(known[name].owner, curve)
            put_number(known[name].owner, _path(known[name], index), float(value))
            changed.add(name)
    if changed:
        armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return changed


def _load(armature: Object) -> dict[str, Any] | None:
    try:
        saved = saved_state.load(*scope.saved_place(armature), STAGGERED_KEYS)
    except DamagedDataError:  # keys that are right but for rounding are all that it costs
        return None
    return saved.arrays if saved is not None else None


def _properties(clip: Clip) -> list[Property]:
    """The properties of all joints that have keys, and the scalars."""
    joints = [prop for own in clip.channels.joints for prop in own]
    return list(dict.fromkeys([*joints, *clip.channels.scalars]))


def _digests(clip: Clip, source: Motion) -> dict[str, str]:
    """By property: tells whether the source shows the same of it."""
    found = {}
    for joint, own in enumerate(clip.channels.joints):
        for prop, values in zip(own, (source.locations, source.rotations, source.scales), strict=True):
            found[prop.name] = _digest(source.times, values[:, joint])
    for number, prop in enumerate(clip.channels.scalars):
        if number < source.scalars.shape[1]:
            found[prop.name] = _digest(source.times, source.scalars[:, number])
    return found


def _digest(times: np.ndarray, values: np.ndarray) -> str:
    digest = blake2b(np.ascontiguousarray(times), digest_size=8)
    digest.update(np.ascontiguousarray(values.T))
    return digest.hexdigest()


def _path(prop: Property, index: int) -> str:
    return prop.path if prop.size == 1 else f"{prop.path}[{index}]"

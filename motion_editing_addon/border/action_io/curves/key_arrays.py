"""All keys of an armature as flat arrays, to be saved with an action and brought back bit for bit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, Any

import numpy as np

from .....core.errors import MotionEditError
from .channels import (
    Channels,
    Property,
    bone_of_path,
    channel_text,
    channels_of,
    further_owners,
    new_curve,
    remove_curve,
)
from .keys import ATTRIBUTES, KeyArrays, read_keys, write_keys
from .numbers import number_at

if TYPE_CHECKING:
    from bpy.types import FCurve, Object

# What tells whether a curve is as it was.
_SHAPE = ("co", "handle_left", "handle_right", "interpolation")
_SELECTION = ("select_control_point", "select_left_handle", "select_right_handle")

Identity = tuple[str, int]  # name of the property, component


def keys_to_arrays(armature: Object, *, bones: Set[str] | None = None) -> dict[str, Any]:
    """Every key of every curve that is not muted; attributes that are the same everywhere take one value.

    Args:
        bones: Names of the bones to look at, besides all that is no bone's; all bones if not given.
    """
    return pack_keys({key: curve for key, (_, curve) in _by_identity(channels_of(armature), bones).items()})


def pack_keys(curves: Mapping[Identity, FCurve]) -> dict[str, Any]:
    """All keys of some curves; attributes that are the same everywhere take one value."""
    return _packed({key: read_keys(curve) for key, curve in curves.items()})


def with_further_keys(arrays: dict[str, Any], further: Mapping[Identity, KeyArrays]) -> dict[str, Any]:
    """Arrays of keys with those of further curves."""
    return _packed({**unpack_keys(arrays), **further})


def _packed(curves: Mapping[Identity, KeyArrays]) -> dict[str, Any]:
    keys = list(curves.values())
    counts = [len(each["co"]) for each in keys]
    arrays: dict[str, Any] = {"curves": json.dumps([[*key, n] for key, n in zip(curves, counts, strict=True)])}
    for name in ATTRIBUTES if keys else ():
        values = np.concatenate([each[name] for each in keys])
        arrays[name] = values[:1] if len(values) and (values == values[0]).all() else values
    return arrays


def restore_key_arrays(armature: Object, arrays: dict[str, Any], *, bones: Set[str] | None = None) -> int:
    """Bring back the keys, take away curves that there were not; gives how many curves were not as saved.

    What is selected stays selected where the number of a curve's keys stays. Properties of which a channel is muted
    stay as they are.

    Args:
        bones: Names of the bones to look at, besides all that is no bone's; all bones if not given.

    Raises:
        MotionEditError: A curve that is not as saved is locked; others may have been brought back by then.
    """
    channels = channels_of(armature)
    muted = {prop.name for prop, _index in channels.muted}
    here = {key: found for key, found in _by_identity(channels, bones).items() if key[0] not in muted}
    saved = {key: keys for key, keys in unpack_keys(arrays, bones).items() if key[0] not in muted}
    for key, (prop, curve) in here.items():
        if key not in saved:
            _refuse_locked(curve)
            remove_curve(prop.owner, curve)
    transforms = {prop.name: prop for joint in channels.joints for prop in joint}
    changed = len(here.keys() - saved.keys())
    for key, keys in saved.items():
        target = here[key][1] if key in here else _missing(armature, channels, transforms.get(key[0]), key)
        changed += target is not None and _bring_back(target, keys)
    if changed:
        armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return changed


def check_key_arrays(arrays: dict[str, Any]) -> None:
    """Raise a ValueError, or whatever else reading it gives, where arrays are not what `keys_to_arrays` gives."""
    listed = json.loads(arrays["curves"])
    counts = [int(count) for _name, _index, count in listed]
    for name, (_kind, width) in ATTRIBUTES.items() if listed else ():
        values = arrays[name]
        if min(counts) < 0 or values.size not in (width, width * sum(counts)) or not np.isfinite(values).all():
            raise ValueError(f"{values.size} values of {name} for {sum(counts)} keys")


def _by_identity(channels: Channels, bones: Set[str] | None) -> dict[Identity, tuple[Property, FCurve]]:
    return {
        (prop.name, index): (prop, curve)
        for (prop, index), curve in channels.curves.items()
        if _is_of(prop.name, bones)
    }


def _is_of(name: str, bones: Set[str] | None) -> bool:
    """Whether a property belongs to one of the bones, or to none at all."""
    return bones is None or (bone_of_path(name) or "") in bones or bone_of_path(name) is None


def unpack_keys(arrays: dict[str, Any], bones: Set[str] | None = None) -> dict[Identity, KeyArrays]:
    """The keys of each curve, of some bones and all that is no bone's, or of all."""
    listed = json.loads(arrays["curves"])
    ends = np.cumsum([count for *_, count in listed]).astype(int)
    whole = {
        name: np.broadcast_to(arrays[name], (int(ends[-1]), *arrays[name].shape[1:])) for name in ATTRIBUTES if listed
    }
    return {
        (name, index): {attribute: values[end - count : end] for attribute, values in whole.items()}
        for (name, index, count), end in zip(listed, ends, strict=True)
        if _is_of(name, bones)
    }


def _missing(armature: Object, channels: Channels, transform: Property | None, key: Identity) -> FCurve | None:
    """A new curve in the place of one that was deleted; None for what there is no longer."""
    name, index = key
    if transform is not None:
        return new_curve(channels, transform, index)
    owners = {"": armature, **{f"{owner.name}: ": owner for owner in further_owners(armature)}}
    for prefix, owner in sorted(owners.items(), reverse=True):
        path = name.removeprefix(prefix)
        if name.startswith(prefix) and number_at(owner, path) is not None:
            return new_curve(channels, Property(owner, path), index)
    return None


def _bring_back(curve: FCurve, keys: KeyArrays) -> bool:
    """Give a curve its keys again; gives whether it had others."""
    now = read_keys(curve, *_SHAPE)
    if all(np.array_equal(now[name], keys[name]) for name in _SHAPE):
        return False
    _refuse_locked(curve)
    kept = _SELECTION if len(now["co"]) == len(keys["co"]) else ()
    write_keys(curve, {name: values for name, values in keys.items() if name not in kept})
    return True


def _refuse_locked(curve: FCurve) -> None:
    if curve.lock or (curve.group is not None and curve.group.lock):
        raise MotionEditError(f"The channel {channel_text(curve.data_path)} is locked: unlock it first")

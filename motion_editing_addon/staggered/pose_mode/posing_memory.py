"""What is remembered on an armature while a pose of it is edited: how the rig was, what it was shown and posed."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.errors import DamagedDataError
from ....core.motion import Motion
from ...border.rigs import rig_channels
from ...border.rigs.rig_pose import set_scalar
from ...border.saved_state import CHANNELS, SHOWN, put, reading, take

if TYPE_CHECKING:
    from bpy.types import Object

    from ...border.saved_state import Kind

# Names of groups of arrays in the armature's settings.
_BEFORE, _SHOWN, _POSED = "before", "shown", "posed"
# Texts and numbers in a group, by the same names.
_SCALARS = "scalars"
_PARTS = ("rotations", "locations", "scales", "scalars")


def remember(armature: Object, before: rig_channels.ByProperty, shown: Motion) -> None:
    """Keep the channels from before, and the pose of one frame that is on the rig now."""
    _save(armature, _BEFORE, CHANNELS, before)
    _save(armature, _SHOWN, SHOWN, {name: np.array(getattr(shown, name)) for name in _PARTS})


def shown_pose(armature: Object, like: Motion) -> Motion:
    """The pose that was put on the rig, with the joints and scalars of another; that one if none is known."""
    parts = _load(armature, _SHOWN, SHOWN)
    parts = {"scalars": np.empty(0), **parts} if parts else {}
    fits = all(name in parts and parts[name].size == getattr(like, name).size for name in _PARTS)
    if not fits:
        return like
    own: dict[str, Any] = {name: parts[name].reshape(getattr(like, name).shape) for name in _PARTS}
    return replace(like, **own)


def put_back(armature: Object) -> None:
    """Give the rig the channels from before; those with keys follow these anyway."""
    _put(armature, _load(armature, _BEFORE, CHANNELS))


def keep_posed(armature: Object, scalars: dict[str, float]) -> None:
    """Keep the channels that are on the rig, and further numbers by their names."""
    _save(armature, _POSED, CHANNELS, rig_channels.read(armature))
    armature.motion_editing_posing[_SCALARS] = json.dumps(scalars)


def put_posed(armature: Object) -> None:
    """Give the rig what was posed."""
    _put(armature, _load(armature, _POSED, CHANNELS))
    with suppress(DamagedDataError), reading(CHANNELS):
        scalars = dict(json.loads(armature.motion_editing_posing.get(_SCALARS, "{}")))
        for name, value in scalars.items():
            with suppress(ValueError):  # it is not there any more
                set_scalar(armature, name, float(value))


def forget(armature: Object) -> None:
    """Keep nothing."""
    for name in (_BEFORE, _SHOWN, _POSED, _SCALARS):
        armature.motion_editing_posing.pop(name, None)


def _put(armature: Object, channels: dict[str, np.ndarray]) -> None:
    """Set the rig's channels; those of another number of bones are left."""
    there = rig_channels.read(armature)
    fits = all(name in channels and channels[name].size == values.size for name, values in there.items())
    if fits:
        rig_channels.write(armature, {name: channels[name].reshape(there[name].shape) for name in there}, there)


def _save(armature: Object, name: str, kind: Kind, arrays: dict[str, np.ndarray]) -> None:
    posing = armature.motion_editing_posing
    posing[name] = {}
    put(posing[name], kind, arrays)


def _load(armature: Object, name: str, kind: Kind) -> dict[str, np.ndarray]:
    """What is kept; nothing of what a damaged file holds."""
    group = armature.motion_editing_posing.get(name)
    if group is None:
        return {}
    with suppress(DamagedDataError), reading(kind):
        return take(group, kind)
    return {}

"""The keys that mirroring cannot give back bit for bit, kept with the action until it is mirrored again.

Exchanged curves come back by themselves. What was carried elsewhere, or has axes that do not mirror each other,
comes back but for rounding: of that the keys are kept, and count for as long as nothing else changes the motion.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.errors import DamagedDataError
from ...border import action_io, saved_state
from ...border.action_io.curves.channels import channels_of, new_curve, remove_curve
from ...border.action_io.curves.key_arrays import pack_keys, unpack_keys
from ...border.action_io.curves.keys import write_keys
from ...border.action_io.curves.numbers import number_at, put_number
from ...border.saved_state import MIRRORED
from ...document import scope, watched_keys

if TYPE_CHECKING:
    from bpy.types import Object

    from ...border.action_io import Clip, Property


def kept_keys(clip: Clip, properties: Iterable[Property], choices: str) -> dict[str, Any]:
    """The keys of some properties as they are now, and the values of their channels that have none.

    Args:
        clip: Of the armature.
        properties: Those that would not come back bit for bit.
        choices: What else mirroring must be told to come back.
    """
    channels = [(prop, index) for prop in dict.fromkeys(properties) for index in range(prop.size)]
    own = clip.channels.curves
    still = [key for key in channels if key not in own]
    return {
        **pack_keys({(prop.name, index): own[prop, index] for prop, index in channels if (prop, index) in own}),
        "choices": choices,
        "still": json.dumps([(prop.name, index) for prop, index in still]),
        "values": np.array([number_at(prop.owner, _path(prop, index)) or 0.0 for prop, index in still]),
    }


def keep(armature: Object, kept: dict[str, Any]) -> None:
    """Keep keys with the action, whose keys are now the mirrored ones."""
    saved_state.save(*scope.saved_place(armature), MIRRORED, kept, action_io.fingerprint(armature))


def recall(armature: Object, choices: str) -> dict[str, Any] | None:
    """The keys kept when the motion was mirrored in the same way, if nothing else has changed it since."""
    if watched_keys.state(armature, MIRRORED, exact=True) is not watched_keys.State.CURRENT:
        return None
    try:
        saved = saved_state.load(*scope.saved_place(armature), MIRRORED)
    except DamagedDataError:  # mirrored keys that are right but for rounding are all that it costs
        return None
    return saved.arrays if saved is not None and saved.arrays["choices"] == choices else None


def bring_back(armature: Object, kept: dict[str, Any]) -> None:
    """Give the properties the keys that they had."""
    channels = channels_of(armature)
    known = {prop.name: prop for prop in channels.properties()}
    for (name, index), keys in unpack_keys(kept).items():
        if name in known:
            curve = channels.curves.get((known[name], index)) or new_curve(channels, known[name], index)
            write_keys(curve, keys)
    for (name, index), value in zip(json.loads(kept["still"]), kept["values"], strict=True):
        if name in known:
            prop = known[name]
            keyed = channels.curves.get((prop, index))
            if keyed is not None:
                remove_curve(prop.owner, keyed)
            put_number(prop.owner, _path(prop, index), float(value))
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})


def _path(prop: Property, index: int) -> str:
    return prop.path if prop.size == 1 else f"{prop.path}[{index}]"

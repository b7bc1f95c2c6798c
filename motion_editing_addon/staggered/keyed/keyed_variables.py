"""Control variables of hand-keyed poses and the properties that they are: which of them have keys of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.staggered import SAME_TIME, with_presence

if TYPE_CHECKING:
    from ....core.staggered import StaggeredMotion
    from ...border.action_io import Clip, Property

# In the order of the properties of a joint.
_KINDS = ("location", "rotation", "scale")


def property_of(clip: Clip, kind: str, number: int) -> Property:
    """The property of a joint, or the scalar channel, that a control variable is."""
    return clip.channels.scalars[number] if kind == "scalar" else clip.channels.joints[number][_KINDS.index(kind)]


def variable_of(clip: Clip, model: StaggeredMotion, prop: Property) -> int | None:
    """The control variable that a property is; None if it is none."""
    keys = model.variables.keys
    return next((number for number, key in enumerate(keys) if property_of(clip, *key) == prop), None)


def held_where_keyed(clip: Clip, model: StaggeredMotion) -> StaggeredMotion:
    """The same motion; a pose holds a property only where that has a key of its own, not only its bone."""
    present = model.timing.present.copy()
    for variable, key in enumerate(model.variables.keys):
        if present[:, variable].any():
            keyed = _key_times(clip, property_of(clip, *key))
            away = np.abs(model.timing.extreme_times[:, variable, None] - keyed).min(axis=1, initial=np.inf)
            present[:, variable] &= away < SAME_TIME
    return with_presence(model, present)


def _key_times(clip: Clip, prop: Property) -> np.ndarray:
    """Seconds at which any component of a property has a key."""
    frames = [clip.keys[prop, index][:, 0] for index in range(prop.size) if (prop, index) in clip.keys]
    return np.concatenate([np.empty(0), *frames]) / clip.motion.rate

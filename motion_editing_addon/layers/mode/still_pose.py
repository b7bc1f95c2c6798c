"""Channels without keys: what they were when the layers were last saved tells what was posed since."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bpy.types import Object

    from ...border.action_io import Clip

_WIDTHS = {"location": 3, "rotation_quaternion": 4, "rotation_euler": 3, "rotation_axis_angle": 4, "scale": 3}

Channels = dict[str, np.ndarray]  # (bones, width) of each property


def read(armature: Object) -> Channels:
    """The transform channels of all bones as they are on the rig."""
    found = {}
    for name, width in _WIDTHS.items():
        values = np.empty(len(armature.pose.bones) * width, dtype=np.float32)
        armature.pose.bones.foreach_get(name, values)
        found[name] = values.reshape(-1, width)
    return found


def put_back(clip: Clip, still: Channels) -> None:
    """Give the bones' channels without keys the values that they had; keyed ones stay."""
    armature, now = clip.armature, read(clip.armature)
    if still.keys() != now.keys() or any(still[name].shape != now[name].shape for name in now):
        return
    for name, values in _with_unkeyed(clip, now, still).items():
        armature.pose.bones.foreach_set(name, np.ascontiguousarray(values).ravel())
    armature.update_tag(refresh={"DATA"})


def _with_unkeyed(clip: Clip, now: Channels, still: Channels) -> Channels:
    mixed = {name: values.copy() for name, values in now.items()}
    for bone, properties in enumerate(clip.channels.joints[1:]):
        for prop in properties:
            name = prop.path.rpartition(".")[2]
            unkeyed = [curve is None for curve in clip.channels.of(prop)]
            mixed[name][bone, unkeyed] = still[name][bone, unkeyed]
    return mixed

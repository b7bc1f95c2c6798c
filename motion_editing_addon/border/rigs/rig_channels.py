"""The transform channels of an object and its bones as Blender holds them, read and set all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..redraw import tag_redraw

if TYPE_CHECKING:
    from bpy.types import Object

    from ..action_io import Clip

WIDTHS = {"location": 3, "rotation_quaternion": 4, "rotation_euler": 3, "rotation_axis_angle": 4, "scale": 3}

ByProperty = dict[str, np.ndarray]  # (J, width) of each property; row 0 is the object, the bones follow


def read(armature: Object) -> ByProperty:
    """All transform channels of the object and its bones, as Blender stores them."""
    channels = {}
    for name, width in WIDTHS.items():
        values = np.empty((len(armature.pose.bones) + 1) * width, dtype=np.float32)
        values[:width] = getattr(armature, name)
        armature.pose.bones.foreach_get(name, values[width:])
        channels[name] = values.reshape(-1, width)
    return channels


def write(armature: Object, channels: ByProperty, there: ByProperty) -> None:
    """Set the properties that differ from what is there, and have Blender pose the rig anew."""
    refresh = set()
    for name, values in channels.items():
        changed = (values != there[name]).any(axis=-1)
        if changed[1:].any():
            armature.pose.bones.foreach_set(name, values[1:].ravel())
            refresh.add("DATA")
        if changed[0]:
            setattr(armature, name, values[0])
            refresh.add("OBJECT")
    if refresh:
        armature.update_tag(refresh=refresh)
        tag_redraw("VIEW_3D")  # Blender redraws by itself only for keys and frames that changed


def keyed(clip: Clip) -> ByProperty:
    """Which channels have an F-curve."""
    found = {name: np.zeros((len(clip.channels.joints), width), dtype=np.bool_) for name, width in WIDTHS.items()}
    for joint, properties in enumerate(clip.channels.joints):
        for prop in properties:
            curves = clip.channels.of(prop)
            found[prop.path.rpartition(".")[2]][joint] = [curve is not None for curve in curves]
    return found

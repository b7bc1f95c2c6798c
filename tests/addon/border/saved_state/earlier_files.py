"""What the first version of the extension has saved, in `version_1.json`: keys of a figure, models with its action.

Each array begins with the letter of its type. "after" is what that version made of the opened file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from motion_editing.motion_editing_addon.border import action_io
from rigs import chain_armature

_TYPES = {"i": np.int32, "f": np.float32, "d": np.float64}
FIRST_VERSION = json.loads(Path(__file__).with_name("version_1.json").read_text(encoding="utf-8"))


def figure_with(keys: dict[str, list[float]]) -> bpy.types.Object:
    """Two bones with keys of straight lines; frames and values by path and component."""
    armature = chain_armature(2)
    armature.pose.bones[0].keyframe_insert("rotation_quaternion", frame=1)
    curves = action_io.channelbag(armature).fcurves
    curves.clear()
    for name, frames_and_values in keys.items():
        path, index = name.rsplit(" ", 1)
        curve = curves.new(path, index=int(index))
        curve.keyframe_points.add(len(frames_and_values) // 2)
        curve.keyframe_points.foreach_set("co", frames_and_values)
        for point in curve.keyframe_points:
            point.interpolation, point.handle_left_type, point.handle_right_type = "LINEAR", "VECTOR", "VECTOR"
        curve.update()
    return armature


def keys_of(armature: bpy.types.Object) -> dict[str, list[float]]:
    """Frames and values of all keys."""
    found = {}
    for curve in action_io.channelbag(armature).fcurves:
        values = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", values)
        found[f"{curve.data_path} {curve.array_index}"] = values.tolist()
    return found


def put_models(armature: bpy.types.Object, models: dict[str, Any]) -> None:
    """Give the armature's action models as they are in a file."""
    handle = str(armature.animation_data.action_slot.handle)
    settings = armature.animation_data.action.motion_editing
    settings["saved_models"] = {handle: {}}
    for name, entry in models.items():
        _put(settings["saved_models"][handle], name, entry)


def _put(group: Any, name: str, value: Any) -> None:
    if isinstance(value, dict):
        group[name] = {}
        for key, each in value.items():
            _put(group[name], key, each)
    else:
        group[name] = np.array(value[1:], dtype=_TYPES[value[0]]) if isinstance(value, list) else value

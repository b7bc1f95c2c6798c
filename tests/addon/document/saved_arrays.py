"""A model of arrays saved with an armature's action."""

import numpy as np
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.saved_model import save
from rigs import chain_armature, key_bones

ARRAYS = {
    "single": np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 7,
    "double": np.linspace(0.0, 1.0, 5) / 3,
    "whole": np.array([[-(2**31) + 1, 5], [2**31 - 1, 0]]),
    "small": np.array([0, 255], dtype=np.uint8),
    "flags": np.array([[True], [False]]),
    "empty": np.empty((0, 4)),
    "one": np.array(2.5),
    "transposed": np.arange(6.0).reshape(2, 3).T,
    "text": "Büste\n[1, 2]",
    "no text": "",
    "count": 12,
    "share": 1 / 3,
    "on": True,
}


def keyed_armature():
    armature = chain_armature(2)
    key_bones(armature, [1, 11, 21])
    return armature


def place_of(armature):
    data = armature.animation_data
    return data.action, data.action_slot.identifier


def save_on(armature, name="model", arrays=ARRAYS, **options):
    save(*place_of(armature), name, arrays, action_io.fingerprint(armature), **options)

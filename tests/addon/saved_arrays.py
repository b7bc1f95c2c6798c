"""A model of arrays saved with an armature's action."""

import numpy as np
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.saved_state import Kind, array, save, single
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
    "compact": np.tile([1.5, -0.0, np.pi, 1e300], (60, 1)),
    "compact whole": np.arange(60, dtype=np.int32),
    "text": "Büste\n[1, 2]",
    "no text": "",
    "count": 12,
    "share": 1 / 3,
    "on": True,
}


# All that can be saved; "compact" arrays are large and compressed.
FIELDS = {
    "single": array("f4", "2", "3", "4", optional=True),
    "double": array("f8", "5", optional=True),
    "whole": array("i8", "2", "2", optional=True),
    "small": array("u1", "2", optional=True),
    "flags": array("b1", "2", "1", optional=True),
    "empty": array("f8", "0", "4", optional=True),
    "one": array("f8", optional=True),
    "transposed": array("f8", "3", "2", optional=True),
    "compact": array("f8", "F", "4", optional=True, compact=True),
    "compact whole": array("i4", "F", optional=True, compact=True),
    **{name: single(str, optional=True) for name in ("text", "no text")},
    **{name: single(int, optional=True) for name in ("count", "x")},
    **{name: single(float, optional=True) for name in ("share", "good")},
    "on": single(bool, optional=True),
}
MODEL = Kind("model", 3, "The model is damaged: remove it", "The model is too new: remove it", FIELDS)


def keyed_armature():
    armature = chain_armature(2)
    key_bones(armature, [1, 11, 21])
    return armature


def place_of(armature):
    data = armature.animation_data
    return data.action, data.action_slot.identifier


def save_on(armature, kind=MODEL, arrays=ARRAYS):
    save(*place_of(armature), kind, arrays, action_io.fingerprint(armature))

"""Which keys are selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .channels import channels_of
from .keys import read_keys

if TYPE_CHECKING:
    from bpy.types import Object


def selected_key_frames(armature: Object) -> np.ndarray:
    """Action frames, increasing, at which any of the armature's keys is selected."""
    frames = [np.empty(0, dtype=np.float32)]
    for curve in channels_of(armature).curves.values():
        arrays = read_keys(curve, "co", "select_control_point")
        frames.append(arrays["co"][arrays["select_control_point"], 0])
    return np.unique(np.concatenate(frames))

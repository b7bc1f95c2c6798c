"""Where an animator has set keys: frames of poses, and how much is seen of each curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..curves.keys import SAME_FRAME, key_count, key_frames
from ..memory.baked_rows import are_baked

if TYPE_CHECKING:
    from bpy.types import FCurve

    from ..clip import Clip
    from ..curves.channels import Property

# Frames between poses that were keyed; bones that are later than their pose are less than that.
_APART = 3.0


def sparse_key_frames(clip: Clip, joints: Any) -> np.ndarray:
    """(K,) whole frames at which poses were keyed, if all curves of the joints (J,) have few keys.

    Where keys crowd because some bones are a little late, it is the frame that most curves have keys at. There are
    none if any curve is baked.
    """
    curves = _keyed_curves(clip, joints)
    if any(are_baked(key_frames(curve), clip.frames) for curve in curves):
        return np.empty(0)
    keys = np.concatenate([np.empty(0), *(key_frames(curve) for curve in curves)])
    frames, counts = np.unique(np.round(keys[np.abs(keys - np.round(keys)) < SAME_FRAME]), return_counts=True)
    chosen: list[float] = []
    for frame in frames[np.argsort(-counts, kind="stable")].tolist():
        if all(abs(frame - other) >= _APART for other in chosen):
            chosen.append(frame)
    return np.array(sorted(chosen))


def _keyed_curves(clip: Clip, joints: Any) -> list[FCurve]:
    properties = [prop for joint in np.flatnonzero(joints) for prop in clip.channels.joints[joint]]
    curves = [curve for prop in properties for curve in clip.channels.of(prop)]
    return [curve for curve in curves if curve is not None and key_count(curve)]


def on_whole_frames(frames: np.ndarray) -> np.ndarray:
    """(K,) rising frames rounded, each on a frame of its own; where there is no room they stay where they are."""
    numbers = np.arange(len(frames))
    rounded = np.round(frames)
    # The last one stays; those before it make room, and then those after the first one.
    rounded = np.minimum.accumulate((rounded - numbers)[::-1])[::-1] + numbers
    rounded = np.maximum.accumulate(np.append(np.round(frames[:1]), rounded[1:]) - numbers) + numbers
    has_room = np.abs(rounded - frames).max(initial=0.0) <= 1.0
    return rounded if has_room else _where_alone(frames)


def _where_alone(frames: np.ndarray) -> np.ndarray:
    """(K,) frames rounded, but those that would meet on one frame."""
    rounded = np.round(frames)
    _frames, places, counts = np.unique(rounded, return_inverse=True, return_counts=True)
    return np.where(counts[places] == 1, rounded, frames)


def reaches_of(clip: Clip) -> dict[Property, float]:
    """How far a unit of every channel moves what hangs on its joint, at most."""
    places, skeleton = clip.motion.poses.positions[0], clip.motion.skeleton
    reach = np.zeros(len(skeleton))
    for joint in range(len(skeleton)):
        above = list(skeleton.ancestors(joint))
        reach[above] = np.maximum(reach[above], np.linalg.norm(places[above] - places[joint], axis=1))
    reach = np.maximum(reach, 0.1 * reach.max(initial=0.0))
    found: dict[Property, float] = {}
    for joint, (location, rotation, _scale) in enumerate(clip.channels.joints):
        # A component of a quaternion is half an angle.
        found[rotation] = float(reach[joint]) * (2.0 if rotation.path.endswith("quaternion") else 1.0)
        found[location] = 1.0
    return found

"""One timing for several objects that play together: a map between frames of the scene."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from ....core.motion import Ends, TimeMap
from ...document import scope

if TYPE_CHECKING:
    from ....core.guided_warp import Guide
    from ...border.action_io import Clip

# Samples of a map that is written down.
_MOST_SAMPLES = 1000


def in_scene(time_map: TimeMap, clip: Clip) -> TimeMap:
    """A map of a clip, in seconds of its action, as one between scene frames; beyond its ends time goes on."""
    new, old = (_to_scene(times, clip) for times in (time_map.new_times, time_map.old_times))
    return TimeMap.from_samples(new, old, ends=Ends.EXTEND)


def of_clip(scene_map: TimeMap, clip: Clip) -> TimeMap:
    """A map between scene frames in seconds of another clip's action; what lies beyond it keeps its speed."""
    first, last = sorted(_to_scene(clip.motion.times[[0, -1]], clip).tolist())
    new, old = scene_map.new_times, scene_map.old_times
    before, after = min(0.0, first - float(old[0])), max(0.0, last - float(old[-1]))
    if before < 0.0:
        new, old = np.append(new[0] + before, new), np.append(old[0] + before, old)
    if after > 0.0:
        new, old = np.append(new, new[-1] + after), np.append(old, old[-1] + after)
    return TimeMap.from_samples(_from_scene(new, clip), _from_scene(old, clip), ends=Ends.EXTEND)


def as_text(scene_map: TimeMap) -> str:
    """A map between scene frames to be kept with an edit."""
    new = scene_map.new_times
    if len(new) > _MOST_SAMPLES:
        new = np.linspace(new[0], new[-1], _MOST_SAMPLES)
    return json.dumps([np.round(each, 4).tolist() for each in (new, scene_map(new))])


def from_text(text: str) -> TimeMap:
    """The same again."""
    new, old = json.loads(text)
    return TimeMap.from_samples(new, old, ends=Ends.EXTEND)


def moved_guide(guide: Guide, clip: Clip, lead: Clip) -> Guide:
    """A guide of one clip in seconds of another's action."""
    times = _from_scene(_to_scene(guide.times, clip), lead)
    offset = float(times[0] - guide.times[0])
    return guide.shifted(offset) if abs(offset) > 1e-9 else guide


def _to_scene(seconds: np.ndarray, clip: Clip) -> np.ndarray:
    return np.asarray(scope.to_scene(clip.armature, np.asarray(seconds) * clip.motion.rate), dtype=np.float64)


def _from_scene(frames: np.ndarray, clip: Clip) -> np.ndarray:
    own = [scope.from_scene(clip.armature, float(frame)) for frame in frames]
    return np.array(own) / clip.motion.rate

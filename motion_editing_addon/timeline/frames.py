"""Action frames and numbers of samples: settings hold the one, core counts the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.timeline import FrameError
from ..document import scope

if TYPE_CHECKING:
    from ...core.motion import TimeMap
    from ..border.action_io import Clip


def samples_of(clip: Clip, frames: Any) -> np.ndarray:
    """Action frames as sample numbers with fractions; beyond the ends samples go on a frame apart."""
    frames, own = np.asarray(frames, dtype=np.float64), clip.frames
    inside = np.interp(frames, own, np.arange(len(own)))
    return inside + np.minimum(frames - own[0], 0.0) + np.maximum(frames - own[-1], 0.0)


def frames_of(clip: Clip, samples: Any) -> np.ndarray:
    """Sample numbers as action frames."""
    samples, last = np.asarray(samples, dtype=np.float64), len(clip.frames) - 1
    inside = np.interp(samples, np.arange(last + 1), clip.frames)
    return inside + np.minimum(samples, 0.0) + np.maximum(samples - last, 0.0)


def new_samples(clip: Clip, time_map: TimeMap, samples: np.ndarray) -> np.ndarray:
    """Where samples are seen after a time map, counted as samples of the motion as it was."""
    motion = clip.motion
    times = np.interp(samples, np.arange(len(motion)), motion.times)
    return samples_of(clip, time_map.map_key_times(times) * motion.rate)


@contextmanager
def scene_frames_told(clip: Clip) -> Iterator[None]:
    """Errors of core that come through name frames of the scene, not samples."""
    try:
        yield
    except FrameError as error:
        raise error.counted(lambda samples: scope.to_scene(clip.armature, frames_of(clip, samples))) from error


@contextmanager
def action_frames_told(clip: Clip) -> Iterator[None]:
    """The same with frames of the clip's own action, in which references are chosen."""
    try:
        yield
    except FrameError as error:
        raise error.counted(lambda samples: frames_of(clip, samples)) from error

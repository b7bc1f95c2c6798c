"""Action frames and numbers of samples: settings hold the one, core counts the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.timeline import FrameError
from ..document import scope

if TYPE_CHECKING:
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

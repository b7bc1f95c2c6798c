"""Action frames and numbers of samples: settings hold the one, core counts the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ..action_io import Clip


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

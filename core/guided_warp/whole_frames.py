"""Timings in which keys that an animator set on whole frames are on whole frames again."""

from typing import Any

import numpy as np

from ..motion import TimeMap
from ..numerics import Array

# Frames by which a key may lie off a whole frame because of rounding.
_ROUNDING = 1e-3


def on_whole_frames(time_map: TimeMap, key_times: Any, rate: float) -> TimeMap:
    """The timing that shows every key at the whole frame next to where it would be, even between two keys.

    Between keys a curve can be stretched and nothing else; so this is what keys alone can show. A stretch that keeps
    its time keeps its number of frames. Keys that would come to lie on one frame with the key before them are left
    out.

    Args:
        time_map: From new to old seconds, always forward or always backward.
        key_times: (K,) old seconds of keys.
        rate: Frames a second.
    """
    first, last = sorted(time_map.old_times[[0, -1]].tolist())
    keys = np.unique(np.asarray(key_times, dtype=np.float64))
    old = np.unique(np.concatenate([keys[(keys > first) & (keys < last)], [first, last]]))
    new = time_map.map_key_times(old) * rate
    if new[0] > new[-1]:
        old, new = old[::-1], new[::-1]
    chosen = _apart(np.floor(new + 0.5 + _ROUNDING))
    frames = np.floor(new[chosen] + 0.5 + _ROUNDING)
    # The ends stay where they are: they may have been asked for between frames.
    frames[[0, -1]] = new[[0, -1]]
    return TimeMap.from_samples(frames / rate, old[chosen], ends=time_map.ends)


def _apart(frames: Array) -> Any:
    """Places of frames (K,) that lie behind all before them; the first and the last are among them."""
    rising = np.append(True, frames[1:] > np.maximum.accumulate(frames)[:-1])
    rising[-1] = True
    chosen = np.flatnonzero(rising)
    return np.append(chosen[:-1][frames[chosen[:-1]] < frames[-1]], chosen[-1])

"""Which key each frame of a baked curve takes after its attributes when it gets another timing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..curves.curve_keys import is_dense
from ..curves.keys import SAME_FRAME, KeyArrays
from .curve_state import CurveState, shared

# Share of the clip's frames from which on keys side by side count as baked.
_FEWEST_BAKED = 0.2


class BakedRows(NamedTuple):
    """How baked keys move.

    Attributes:
        frames: (K,) new ones.
        part: Which of all new frames these are.
        nearest: (K,) the old key whose attributes each has.
        still: (K,) whether it shows what it showed before.
    """

    frames: np.ndarray
    part: slice
    nearest: np.ndarray
    still: np.ndarray

    def state(self, old: CurveState, values: np.ndarray) -> CurveState:
        """The state of a curve with new values (F,) at all new frames."""
        own = values[self.part].astype(np.float32)
        own[self.still] = old.values[self.nearest[self.still]]  # Where time is as before, so is the key.
        return old.at_rows(self.nearest, self.frames, own)


def rows_in_memory(
    own: np.ndarray, clip_frames: np.ndarray, frames: np.ndarray, old_frames: np.ndarray, direction: int
) -> BakedRows | None:
    """How all keys (K,) of a baked curve move; None if they are sparse, or if some lie outside of the clip.

    Args:
        own: Frames of the keys.
        clip_frames: (F,) of the clip.
        frames: (N,) new ones.
        old_frames: (N,) the old ones that are shown there.
        direction: Of the time map.
    """
    inside = (own >= clip_frames[0] - SAME_FRAME) & (own <= clip_frames[-1] + SAME_FRAME)
    if not inside.all() or not are_baked(own, clip_frames):
        return None
    part = part_shown(old_frames, float(own[0]), float(own[-1]), direction)
    nearest = nearest_keys(own, old_frames[part])
    return BakedRows(shared(frames[part]), part, nearest, is_still(own, nearest, frames[part], old_frames[part]))


def resampled(
    keys: KeyArrays, shown: np.ndarray, frames: np.ndarray, values: np.ndarray, *, keep_still: bool = True
) -> KeyArrays:
    """One key per frame, each with the attributes of the old key at the frame that is shown there.

    With keep_still a frame that shows what it showed before keeps its key bit for bit.
    """
    nearest = nearest_keys(keys["co"][:, 0], shown)
    resampled = {name: attribute[nearest] for name, attribute in keys.items()}
    for name in ("handle_left", "handle_right"):
        resampled[name] = resampled[name] - resampled["co"] + np.stack([frames, values], axis=1)
    resampled["co"] = np.stack([frames, values], axis=1)
    still = keep_still & is_still(keys["co"][:, 0], nearest, frames, shown)
    for name in ("co", "handle_left", "handle_right"):
        resampled[name][still] = keys[name][nearest[still]]  # Where time is as before, so is the key.
    return resampled


def are_baked(keys: np.ndarray, frames: np.ndarray) -> bool:
    """Whether keys (K,) lie on nearly every one of a clip's frames (F,) from the first of them to the last.

    That may be shorter than the clip, after only some bones were given another length.
    """
    own = frames[(frames >= keys[0] - SAME_FRAME) & (frames <= keys[-1] + SAME_FRAME)] if len(keys) else frames[:0]
    # A few keys side by side are an animator's, not a recording.
    return len(own) > 0 and len(own) >= _FEWEST_BAKED * len(frames) and is_dense(keys[:, None], own)


def part_shown(old_frames: np.ndarray, first: float, last: float, direction: int) -> slice:
    """Those of the new frames that show keys from the first to the last: a curve shorter than its clip stays so."""
    if direction < 0:
        return slice(0, len(old_frames))
    return slice(*map(int, np.searchsorted(old_frames, (first - 0.5, last + 0.5))))


def nearest_keys(keys: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """The key (K,) that has its say at each of the frames that are shown."""
    nearest: np.ndarray = np.clip(np.searchsorted(keys, shown - 0.5), 0, len(keys) - 1)
    return nearest


def is_still(keys: np.ndarray, nearest: np.ndarray, frames: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """Which frames show what they showed before, and had a key for it."""
    still: np.ndarray = np.abs(keys[nearest] - frames) + np.abs(shown - frames) < SAME_FRAME
    return still

"""A motion that edits led to and that is not yet in the curves: for pictures, which need no keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..curves.keys import SAME_FRAME
from .baked_rows import are_baked

if TYPE_CHECKING:
    from .....core.motion import Motion
    from ..clip import Clip


@dataclass(frozen=True, eq=False)
class Deferred:
    """What one edit, or several, made of a clip.

    Attributes:
        clip: With the frames of the motion; what the curves hold once `base` was called.
        motion: What it became.
        settle: Brings it into the curves, all that `base` does too.
        base: Brings into the curves what comes before.
    """

    clip: Clip
    motion: Motion
    settle: Callable[[], object]
    base: Callable[[], object]

    @property
    def keeps_frames(self) -> bool:
        """Whether the keys of the curves are where those of the clip are."""
        return self.base is nothing

    @property
    def key_ends(self) -> tuple[float, float]:
        """Frames of the first and the last key."""
        places = {id(each): each for each in self.clip.keys.values() if len(each)}.values()
        return min(float(each[0, 0]) for each in places), max(float(each[-1, 0]) for each in places)

    def taken(self, rate: float, start: float | None, end: float | None) -> Clip | None:
        """A part of the motion as a clip; None if there are no such frames."""
        if rate != self.motion.rate:
            return None
        rows = self._rows(-np.inf if start is None else start, np.inf if end is None else end)
        if rows == slice(0, len(self.motion)):
            return replace(self.clip, motion=self.motion)
        if rows.start >= rows.stop:
            return None
        raw = {prop: values[rows] for prop, values in self.clip.raw.items()}
        motion = self.motion.part(rows.start, rows.stop)
        return replace(self.clip, frames=self.clip.frames[rows], motion=motion, raw=raw)

    def _rows(self, start: float, end: float) -> slice:
        first, last = np.searchsorted(self.clip.frames, (np.ceil(start) - SAME_FRAME, np.floor(end) + SAME_FRAME))
        return slice(int(first), int(last))

    def with_part(self, frames: np.ndarray, part: Motion) -> Motion:
        """The motion with some of its frames as they are in another."""
        rows = self._rows(float(frames[0]), float(frames[-1]))
        if rows == slice(0, len(self.motion)):
            return part
        changed: dict[str, Any] = {name: _with_rows(self.motion, rows, part, name) for name in _CHANNELS}
        return replace(self.motion, **changed)


_CHANNELS = ("rotations", "locations", "scales", "scalars")


def _with_rows(whole: Motion, rows: slice, part: Motion, name: str) -> np.ndarray:
    changed = np.array(getattr(whole, name), order="K")
    changed[rows] = getattr(part, name)
    return changed


def nothing() -> None:
    """Nothing has to be brought into the curves first."""


def has_more_keys(clip: Clip) -> bool:
    """Whether there are keys beyond the frames of a clip."""
    places = {id(each): each for each in clip.keys.values() if len(each)}.values()
    first, last = clip.frames[0] - 0.5, clip.frames[-1] + 0.5
    return any(each[0, 0] < first or each[-1, 0] > last for each in places)


def deferred_timing(
    known: Deferred | None,
    clip: Clip,
    frames: np.ndarray,
    old_frames: np.ndarray,
    shown: Motion,
    retime: Callable[[], object],
) -> Deferred:
    """A whole clip with another timing.

    Args:
        known: What was deferred before.
        clip: As it was before.
        frames: (N,) new ones.
        old_frames: (N,) the old ones that are shown there.
        shown: The motion at the new frames.
        retime: Brings the new timing into curves that hold the clip.
    """

    def settle() -> None:
        if known is not None:
            known.settle()
        retime()

    rows = np.clip(np.searchsorted(clip.frames, old_frames - 0.5), 0, len(clip.frames) - 1)
    raw = {prop: values[rows] for prop, values in clip.raw.items()}
    moved: dict[bytes, np.ndarray] = {}
    keys = {}
    for key, places in clip.keys.items():
        own = places[:, 0].tobytes()
        if own not in moved:
            moved[own] = _moved(places, clip.frames, frames, old_frames)
        keys[key] = moved[own]
    now = replace(clip, frames=frames, motion=shown, raw=raw, keys=keys)
    return Deferred(now, shown, settle, settle)


def _moved(places: np.ndarray, clip_frames: np.ndarray, frames: np.ndarray, old_frames: np.ndarray) -> np.ndarray:
    """Keys (K, 2) where they are about to be: that they are dense or sparse is all that counts for a picture."""
    if are_baked(places[:, 0], clip_frames):
        return np.column_stack([frames, np.zeros_like(frames)])
    order = np.argsort(old_frames)
    return np.column_stack([np.interp(places[:, 0], old_frames[order], frames[order]), places[:, 1]])

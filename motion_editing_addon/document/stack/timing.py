"""How edits have moved the moments of a motion, one edit after the other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from .... import core
from .. import scope
from ..motion_changes import change_of, following

if TYPE_CHECKING:
    from bpy.types import Object, PropertyGroup

    from ....core.motion import TimeMap
    from ..motion_changes import MotionChange

# Places at which the timing of an edit is kept, besides the knots of its map.
_SAMPLES = 256
# Seconds between two samples at least.
_APART = 1e-7


@dataclass(frozen=True)
class Timing:
    """Maps of several edits, the first one first.

    Attributes:
        maps: Frames after and before each edit that changed the timing.
    """

    maps: tuple[tuple[tuple[float, ...], tuple[float, ...]], ...] = ()

    def then(self, text: str) -> Timing:
        """The same and what `noted` took down of a further edit."""
        return Timing((*self.maps, *((tuple(new), tuple(old)) for new, old in json.loads(text or "[]"))))

    @property
    def text(self) -> str:
        """All maps, for `then`."""
        return json.dumps(self.maps)

    def to_old(self, frames: Any) -> np.ndarray:
        """Frames after all edits as frames from before them."""
        for new, old in reversed(self.maps):
            frames = _read(new, old, frames)
        return np.asarray(frames, dtype=np.float64)

    def to_new(self, frames: Any) -> np.ndarray:
        """Frames from before all edits as frames after them."""
        for new, old in self.maps:
            frames = _read(old, new, frames)
        return np.asarray(frames, dtype=np.float64)


def timing_of(entries: Iterable[PropertyGroup]) -> Timing:
    """What some entries have done to the timing, as the keys are now."""
    timing = Timing()
    for entry in entries:
        timing = timing.then(entry.time_map)
    return timing


def change_between(armature: Object, before: Timing, now: Timing) -> MotionChange | None:
    """The change that leads from one timing of an armature's motion to that which it has; None if none does."""
    clip = scope.read_clip(bpy.context, armature)
    old = before.to_new(now.to_old(clip.frames))
    steps = np.diff(old)
    if not len(steps) or not ((steps > 0.0).all() or (steps < 0.0).all()):
        return None
    rate, everything = clip.motion.rate, np.ones(len(clip.motion.skeleton), dtype=np.bool_)
    time_map = core.motion.TimeMap.from_samples(clip.frames / rate, old / rate)
    return change_of(clip, everything, time_map=time_map)


def _read(places: tuple[float, ...], values: tuple[float, ...], at: Any) -> np.ndarray:
    """Values between places, which keep their distance beyond the ends."""
    order = np.argsort(places, kind="stable")
    known, given = np.array(places)[order], np.array(values)[order]
    inside = np.clip(at, known[0], known[-1])
    read: np.ndarray = np.interp(inside, known, given) + (np.asarray(at) - inside)
    return read


@contextmanager
def noted(armature: Object) -> Iterator[list[Any]]:
    """What whole-body edits of an armature do to its timing meanwhile."""
    maps: list[Any] = []

    def note(change: MotionChange) -> None:
        if change.armature == armature and change.is_whole and change.time_map is not None:
            maps.append(_frames(change, change.time_map))

    with following(note):
        yield maps


def _frames(change: MotionChange, time_map: TimeMap) -> list[list[float]]:
    """Frames after and before."""
    rate = change.clip.motion.rate
    first, last = time_map.covering(*map(float, change.clip.motion.times[[0, -1]]))
    knots = time_map.new_times
    times = np.unique([first, *knots[(knots > first) & (knots < last)], last])
    if not _is_straight(time_map, times):
        times = np.unique([*np.linspace(first, last, _SAMPLES), *times])
        # A sample beside a knot that differs in its last digits alone would be a moment at which time stands still.
        times = np.append(times[:-1][np.diff(times) > _APART], last)
    return [(times * rate).tolist(), (time_map(times) * rate).tolist()]


def _is_straight(time_map: TimeMap, times: np.ndarray) -> bool:
    """Whether old time runs evenly between some new times."""
    middles = (times[1:] + times[:-1]) / 2.0
    return bool(np.allclose(time_map(middles), np.interp(middles, times, time_map(times)), rtol=0.0, atol=1e-6))

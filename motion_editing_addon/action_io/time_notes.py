"""Which time maps edits have used: whoever compares a clip with how it was asks which moment is which."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ...core.time_map import TimeMap
    from .read import Clip


class TimeNote(NamedTuple):
    """A map from new to old seconds of an armature, and the new ones for which it holds; others are as before."""

    armature: str
    time_map: TimeMap
    covered: tuple[float, float]


# One list for everybody who listens at the moment.
_listening: list[list[TimeNote]] = []


@contextmanager
def time_maps_noted() -> Iterator[list[TimeNote]]:
    """What whole bodies are retimed with meanwhile, in the order of the edits."""
    notes: list[TimeNote] = []
    _listening.append(notes)
    try:
        yield notes
    finally:
        _listening.remove(notes)


def note(clip: Clip, time_map: TimeMap, joints: Any) -> None:
    """Tell whoever listens that the clip has been retimed; parts of a body say nothing about the clip's moments."""
    if _listening and np.all(joints):
        times = clip.motion.times
        covered = time_map.covering(float(times[0]), float(times[-1]))
        for notes in _listening:
            notes.append(TimeNote(clip.armature.name, time_map, covered))


def old_times(notes: list[TimeNote], times: np.ndarray) -> np.ndarray:
    """(N,) seconds, before all edits, of the moments that are now at these (N,) seconds."""
    for _armature, time_map, (first, last) in reversed(notes):
        times = np.where((times >= first - 1e-6) & (times <= last + 1e-6), time_map(times), times)
    return times

"""Which time maps edits have used: whoever compares a clip with how it was asks which moment is which."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ...document.motion_changes import following

if TYPE_CHECKING:
    from ....core.motion import TimeMap
    from ...document.motion_changes import MotionChange


class TimeNote(NamedTuple):
    """A map from new to old seconds of an armature, and the new ones for which it holds; others are as before."""

    armature: str
    time_map: TimeMap
    covered: tuple[float, float]


@contextmanager
def time_maps_noted() -> Iterator[list[TimeNote]]:
    """What whole bodies are retimed with meanwhile, in the order of the edits."""
    notes: list[TimeNote] = []

    def note(change: MotionChange) -> None:
        # Parts of a body say nothing about the clip's moments.
        if change.is_whole and change.time_map is not None:
            covered = change.time_map.covering(*map(float, change.clip.motion.times[[0, -1]]))
            notes.append(TimeNote(change.armature.name, change.time_map, covered))

    with following(note):
        yield notes

"""Edits that count by a share: values between those before and after, timings between the present one and the new."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import bpy

from ...core.motion import Retimed
from ..border import action_io
from ..border.lazy_modules import np
from . import scope

if TYPE_CHECKING:
    from bpy.types import Object

    from ...core.editing import Change, Take

# Of the edit that is done now, and whether its timing has it already.
_weight, _is_timed = 1.0, False


@contextmanager
def limited(armature: Object, weight: float) -> Iterator[None]:
    """Let the edit of an armature that is done meanwhile count by a share, from 0 to 1.

    Keys are those that the edit makes; their values lie between. An edit of time moves keys a part of the way.
    """
    global _weight, _is_timed
    if weight == 1.0:
        yield
        return
    before = scope.read_clip(bpy.context, armature)
    known, _weight, _is_timed = (_weight, _is_timed), weight, False
    try:
        yield
        if not _is_timed:
            _blend(before, armature, weight)
    finally:
        _weight, _is_timed = known


def present() -> float:
    """The share by which the edit that is done now counts."""
    return _weight


def _blend(before: action_io.Clip, armature: Object, weight: float) -> None:
    """Give keys values between those of a clip and those that they have, where the frames are the same."""
    after = scope.read_clip(bpy.context, armature)
    if np.array_equal(before.frames, after.frames) and before.motion.scalar_names == after.motion.scalar_names:
        action_io.write(after, before.motion.mixed(after.motion, weight))


def influenced(take: Take, change: Change) -> Change:
    """A change whose timing counts by the present share."""
    global _is_timed
    if _weight == 1.0 or not isinstance(change.motion, Retimed):
        return change
    times, motion = take.motion.times, change.motion
    ends = float(times[0]), float(times[-1])
    time_map = motion.time_map.weakened(_weight, *ends, step=1.0 / take.motion.rate)
    _is_timed = True
    return replace(change, motion=replace(motion, time_map=time_map), time_map=time_map)

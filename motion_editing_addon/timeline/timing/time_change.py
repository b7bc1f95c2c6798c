"""Carrying out a time map: sparse keys move, baked curves are resampled, all that goes with them comes along."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.motion import with_times
from ....core.timeline import retime_effector, retime_joints
from ...border import action_io
from ...border.key_options import KeyOptions
from ...border.steps import Steps
from ...document.motion_changes import change_of, retime, tell
from ..features.painted_bones import Painting, painting_of

if TYPE_CHECKING:
    from ....core.motion import Motion, TimeMap
    from ...interface.operators.operator import Carry
    from ..subject import Subject


# Seconds that are no other time.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Writing:
    """How retimed keys are written.

    Attributes:
        options: Errors for breakdown keys, and for what has to be written as values.
        breakdowns: Add keys where sparse ones would miss the timing.
        soften: Average baked poses that fall into one frame.
    """

    options: KeyOptions = KeyOptions()  # noqa: RUF009
    breakdowns: bool = True
    soften: bool = True


def plan_retiming(subject: Subject, time_map: TimeMap, writing: Writing, *, whole_body: bool = False) -> Steps[Carry]:
    """Retime the painted bones, or the whole body; nothing changes until carried out."""
    yield 0.0
    if _keeps_times(subject, time_map):
        return action_io.WriteReport
    if whole_body:
        return _body_retimed(subject, time_map, writing)
    painting = painting_of(subject.armature, subject.body)
    if painting.effectors:
        retimed = painted_motion(subject, time_map, painting)
        planned = yield from action_io.plan_write(subject.clip, retimed, writing.options)
        return lambda: _painted_retimed(subject, time_map, painting, planned.carry_out)
    if painting.joints:
        painted_motion(subject, time_map, painting)  # refuses another duration before any key moves
        return _joints_retimed(subject, time_map, painting.joints, writing)
    return _body_retimed(subject, time_map, writing)


def _keeps_times(subject: Subject, time_map: TimeMap) -> bool:
    """Whether every frame is shown when it was."""
    times = subject.motion.times
    return all(np.abs(moved - times).max() < _ROUNDING for moved in (time_map.map_key_times(times), time_map(times)))


@dataclass(frozen=True)
class Retimed:
    """A motion under a time map, worked out only where it is looked at: quick enough for every move of a mouse."""

    motion: Motion
    time_map: TimeMap

    def at(self, times: Any) -> Motion:
        """Samples at any new times."""
        new = np.atleast_1d(np.asarray(times, dtype=np.float64))
        return with_times(self.motion.at(self.time_map(new)), new)

    def whole(self) -> Motion:
        """All frames."""
        return self.time_map.apply(self.motion)


def retimed_view(subject: Subject, time_map: TimeMap) -> Motion | Retimed:
    """The motion with the painted bones, or all of it, retimed: for a preview."""
    painting = painting_of(subject.armature, subject.body)
    if painting.joints or painting.effectors:
        return painted_motion(subject, time_map, painting)
    return Retimed(subject.motion, time_map)


def painted_motion(subject: Subject, time_map: TimeMap, painting: Painting) -> Motion:
    """Painted joints with another timing, painted hands and feet along their paths."""
    motion = subject.motion
    if painting.joints:
        motion = retime_joints(motion, time_map, _mask(subject, painting.joints))
    for limb in painting.effectors:
        motion = retime_effector(motion, time_map, limb)
    return motion


def _painted_retimed(subject: Subject, time_map: TimeMap, painting: Painting, write: Carry) -> action_io.WriteReport:
    """Write, and let what goes with painted hands, feet and joints follow."""
    report = write()
    change = change_of(subject.clip, _mask(subject, painting.joints), time_map=time_map)
    ends, skeleton = [limb.end for limb in painting.effectors], subject.motion.skeleton
    carried = [joint for end in ends for joint in (end, *skeleton.descendants(end))]
    tell(replace(change, moved=change.moved | _mask(subject, carried), is_whole=False))
    return report


def _body_retimed(subject: Subject, time_map: TimeMap, writing: Writing) -> Carry:
    return _joints_retimed(subject, time_map, range(len(subject.motion.skeleton)), writing)


def _joints_retimed(subject: Subject, time_map: TimeMap, joints: Iterable[int], writing: Writing) -> Carry:
    chosen = _mask(subject, joints)
    return lambda: retime(
        subject.clip,
        time_map,
        chosen,
        prefilter=writing.soften,
        options=writing.options if writing.breakdowns else None,
    )


def _mask(subject: Subject, joints: Iterable[int]) -> np.ndarray:
    chosen = np.zeros(len(subject.motion.skeleton), dtype=bool)
    chosen[list(joints)] = True
    return chosen

"""A new timing as a change of painted bones, or of the whole body."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ...analysis import key_poses
from ...editing import Change
from ...errors import MotionEditError
from ...motion import Mask, Motion, Retimed, TimeMap
from ..painted_part import Painting
from .painted_timing import refuse_changed_duration, retime_effector, retime_joints
from .window_timing import move_pose_map

if TYPE_CHECKING:
    from ..tools.windowed_take import WindowedTake

# Seconds that are no other time.
_ROUNDING = 1e-9


def timing_change(take: WindowedTake, time_map: TimeMap, *, whole_body: bool = False) -> Change:
    """The painted joints with another timing and painted hands and feet along their paths, or all if none are painted.

    Raises:
        ChangedDurationError: Painted bones would start or end at another time.
    """
    motion, painting = take.motion, take.painting
    if _keeps_times(motion, time_map):
        return _keys_moved(motion, time_map, ())
    if whole_body or painting.is_empty:
        everything = range(len(motion.skeleton))
        return Change(Retimed(motion, time_map), time_map=time_map, joints=_mask(motion, everything))
    if not painting.effectors:
        refuse_changed_duration(motion, time_map)
        return _keys_moved(motion, time_map, painting.joints)
    ends = [limb.end for limb in painting.effectors]
    led = [joint for end in ends for joint in (end, *motion.skeleton.descendants(end))]
    return Change(
        _painted_motion(motion, time_map, painting),
        time_map=time_map,
        joints=_mask(motion, painting.joints),
        led=_mask(motion, led),
    )


def moved_pose_map(take: WindowedTake, sample: float, target: float, *, ease: float) -> TimeMap:
    """A pose shown at another sample, and the poses that belong to it in all edited windows.

    A pose outside all windows is moved between the icons beside it.
    """
    windows = take.windows if take.has_windows else None
    window = windows.holding(sample) if windows is not None else None
    if windows is None or window is None:
        places = [_between_icons(take, sample)]
    else:
        places = windows.pose_places(window, sample)
    start, pose, _end = next(place for place in places if place[1] == sample)
    factor = max(target - start, 0.0) / (pose - start)
    if factor <= 0.0:
        raise MotionEditError("The pose would happen before its window: choose a later frame")
    return move_pose_map(take.motion, places, factor, ease=ease)


def _between_icons(take: WindowedTake, sample: float) -> tuple[float, float, float]:
    """The pose between the icons before and after it, or the ends of the motion."""
    last = len(take.motion) - 1
    if not 0 < sample < last:
        raise MotionEditError("The first and the last pose stay: stretch a window to change the length")
    icons = key_poses(take.motion, take.body, positions=take.positions).frames(max(2, take.icon_count))
    before, after = icons[icons < sample - 0.5], icons[icons > sample + 0.5]
    return float(before[-1] if len(before) else 0), sample, float(after[0] if len(after) else last)


def _keeps_times(motion: Motion, time_map: TimeMap) -> bool:
    """Whether every frame is shown when it was."""
    times = motion.times
    return all(np.abs(moved - times).max() < _ROUNDING for moved in (time_map.map_key_times(times), time_map(times)))


def _keys_moved(motion: Motion, time_map: TimeMap, joints: Iterable[int]) -> Change:
    chosen = _mask(motion, joints)
    return Change(Retimed(motion, time_map, chosen), time_map=time_map, joints=chosen)


def _painted_motion(motion: Motion, time_map: TimeMap, painting: Painting) -> Motion:
    if painting.joints:
        motion = retime_joints(motion, time_map, _mask(motion, painting.joints))
    for limb in painting.effectors:
        motion = retime_effector(motion, time_map, limb)
    return motion


def _mask(motion: Motion, joints: Iterable[int]) -> Mask:
    chosen = np.zeros(len(motion.skeleton), dtype=np.bool_)
    chosen[list(joints)] = True
    return chosen

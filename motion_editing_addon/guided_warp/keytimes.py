"""Keytimes between the action's settings and core."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.guided_warp import Keytimes
from ..border.action_io import key_ends
from ..document import original_keys, scope

if TYPE_CHECKING:
    from bpy.types import Action, Context, Object

    from ..document.motion_changes import MotionChange


def keytimes_of(context: Context, armature: Object) -> Keytimes:
    """The keytimes of the armature's action; its ends alone if none were set."""
    rate = scope.source_rate(context, armature)
    items = scope.own_action(armature).motion_editing_time.keytimes
    ends = tuple(frame / rate for frame in clip_ends(armature))
    if len(items) < 2:
        return Keytimes.ends(*ends)
    old, new, locked = zip(*((item.old, item.new, item.locked) for item in items), strict=True)
    return Keytimes.from_lists(np.array(old) / rate, np.array(new) / rate, locked[:-1]).fitted(*ends)


def speeds_of(armature: Object) -> tuple[float | None, ...]:
    """Speed set at each keytime; None where it is left to the warp. Nothing if none is set."""
    items = scope.own_action(armature).motion_editing_time.keytimes
    speeds = tuple(item.speed or None for item in items)
    return speeds if any(speeds) else ()


def clip_ends(armature: Object) -> tuple[float, float]:
    """First and last frame of the motion, reference frames left out; both 0 where nothing has keys."""
    start, ends = scope.motion_start(armature), key_ends(armature)
    return (0.0, 0.0) if start is None or ends is None else (start, float(np.ceil(ends[1])))


def save_keytimes(context: Context, armature: Object, keytimes: Keytimes) -> None:
    """Keep the keytimes with the action."""
    rate, settings = scope.source_rate(context, armature), scope.own_action(armature).motion_editing_time
    speeds = {round(item.old, 2): item.speed for item in settings.keytimes}
    settings.keytimes.clear()
    for (old, new), locked in zip(keytimes.pairs(), [*keytimes.locked, False], strict=True):
        item = settings.keytimes.add()
        item.old, item.new, item.locked = old * rate, new * rate, bool(locked)
        item.speed = speeds.get(round(item.old, 2), 0.0)
    settings.active = min(settings.active, len(keytimes) - 1)


def follow(change: MotionChange) -> None:
    """Let keytimes hold the same moments, and move them by as much, when the motion gets another timing."""
    items = scope.own_action(change.armature).motion_editing_time.keytimes
    if not change.is_whole or change.time_map is None or not len(items):
        return
    direction = change.time_map.direction
    if not direction:
        clear_keytimes(change.armature)
        return
    old = np.array([item.old for item in items])
    moved = change.new_frames(old)
    new = moved + direction * (np.array([item.new for item in items]) - old)
    new = new if (direction * np.diff(new) > 0.0).all() else moved
    speeds, locked = [item.speed for item in items], [item.locked for item in items][:-1]
    rows = zip(moved[::direction], new[::direction], speeds[::direction], [*locked[::direction], False], strict=True)
    for item, row in zip(items, list(rows), strict=True):
        item.old, item.new, item.speed, item.locked = row


def restore(armature: Object, original: Action) -> None:
    """Set the keytimes that the original has, if those here hold moments of another timing."""
    if original_keys.is_other_timing(armature):
        settings, saved = scope.own_action(armature).motion_editing_time, original.motion_editing_time
        original_keys.take_over_list(settings.keytimes, saved.keytimes)
        settings.active = saved.active


def clear_keytimes(armature: Object) -> None:
    """Take all keytimes away."""
    settings = scope.own_action(armature).motion_editing_time
    settings.keytimes.clear()
    settings.active, settings.matched_to = -1, ""

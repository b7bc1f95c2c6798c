"""A second character that has the same timing: an entry of its own stack follows an entry of the first one's.

Edits that keep contacts keep those with the second character, too: see `document/contacts/touches`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from .... import core
from .. import motion_changes, scope
from ..action_users import keep_original
from . import last_edit, parameters, replay, settings
from .timing import timing_of

if TYPE_CHECKING:
    from bpy.types import Object, PropertyGroup

    from ....core.motion import TimeMap

TOOL = "follow_timing"
# Frames by which a map goes on at the speed of before, beyond what the first character has.
_BEYOND = 1e5


def link(entry: PropertyGroup) -> None:
    """Let the second character that an entry names follow it, and no other one."""
    uid, chosen, time_map = entry.uid, entry.second, entry.time_map
    name = next((each.name for each in bpy.data.objects if scope.action_of(each) == entry.id_data), "")
    for thing in _animated():
        if thing != chosen and _follower_in(thing, uid) is not None:
            _remove(thing, uid)
    if chosen is not None and _has_maps(time_map) and _follower_in(chosen, uid) is None:
        _add(chosen, uid, name, time_map)


def follow(entry: PropertyGroup, time_map: str) -> None:
    """Give the second character of an entry its timing."""
    thing = entry.second
    follower = _follower_in(thing, entry.uid) if thing is not None and scope.action_of(thing) is not None else None
    group: Any = parameters.group_of(follower) if follower is not None else None
    if thing is not None and follower is None and _has_maps(time_map):  # it was left out when the two were tied
        link(entry)
    if group is None or group.time_map == time_map:
        return
    with settings.resting():
        group.time_map = time_map
    replay.work_out(thing)


def _has_maps(time_map: str) -> bool:
    return bool(json.loads(time_map or "[]"))


def retime(armature: Object, text: str) -> None:
    """Show a motion with the timing that an entry of another character has."""
    for new, old in json.loads(text or "[]"):
        clip = scope.read_clip(bpy.context, armature)
        everything = np.ones(len(clip.motion.skeleton), dtype=np.bool_)
        motion_changes.retime(clip, _map(new, old, clip.motion.rate), everything, prefilter=True)


def _map(new: list[float], old: list[float], rate: float) -> TimeMap:
    """A map of frames, which goes on at the speed of before beyond its ends."""
    places, seen = ([frames[0] - _BEYOND, *frames, frames[-1] + _BEYOND] for frames in (new, old))
    return core.motion.TimeMap.from_samples(
        np.array(places) / rate, np.array(seen) / rate, ends=core.motion.Ends.EXTEND
    )


def _animated() -> list[Object]:
    return [thing for thing in bpy.data.objects if scope.action_of(thing) is not None and thing.is_editable]


def _follower_in(thing: Object, uid: str) -> PropertyGroup | None:
    entries = scope.own_action(thing).motion_editing_stack.of(thing)
    found = (each for each in entries if each.tool == TOOL and getattr(parameters.group_of(each), "leader", "") == uid)
    return next(found, None)


def _add(thing: Object, uid: str, name: str, time_map: str) -> None:
    if not last_edit.notice_hand(thing):
        return
    action = scope.own_action(thing)
    keep_original(bpy.context, thing)
    stack = action.motion_editing_stack
    if stack.base is None:
        stack.base = action.motion_editing.original
    if stack.base is None:
        return
    timing = timing_of(stack.of(thing)).text
    entry = stack.new(thing, f"Timing of {name}")
    entry.timing = timing
    parameters.keep_values(entry, TOOL, {"leader": uid, "time_map": time_map})
    replay.do_again(thing)


def _remove(thing: Object, uid: str) -> None:
    stack: Any = scope.own_action(thing).motion_editing_stack
    follower = _follower_in(thing, uid)
    if follower is not None and last_edit.notice_hand(thing):
        place = next(number for number, each in enumerate(stack.entries) if each.uid == follower.uid)
        stack.entries.remove(place)
        stack.active = max(0, min(stack.active, len(stack.entries) - 1))
        replay.do_again(thing)

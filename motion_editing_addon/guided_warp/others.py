"""Other objects, sequencer strips and other characters' events."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError
from ...core.guided_warp.events import contact_events, keytimes_from_events
from ...core.keytimes import Keytimes
from .. import action_io, scope
from ..action_users import keep_original
from ..compatibility import CAN_RETIME_STRIPS
from ..contacts.saved import contacts_of
from . import kept_maps
from .keytimes import clip_ends, save_keytimes

if TYPE_CHECKING:
    from bpy.types import Context, Object, Strip

    from ...core.time_map import TimeMap
    from ..action_io import Clip


def apply(context: Context, name: str, *, with_strips: bool) -> str:
    """Retime the other selected objects and strips; says how many."""
    armature = scope.armatures(context)[0]
    known = kept_maps.names(armature)
    time_map = kept_maps.load(armature, name or (known[0] if known else ""))
    rate = scope.source_rate(context, armature)
    done: set[str] = {curve.id_data.name_full for curve in action_io.channels_of(armature).curves.values()}
    count = 0
    for thing in context.selected_objects:
        actions = {curve.id_data.name_full for curve in action_io.channels_of(thing).curves.values()}
        if thing == armature or not actions or actions <= done:
            continue  # nothing to retime, or another object has played it already
        keep_original(context, thing)
        clip = action_io.read(thing, rate=rate)
        action_io.retime(clip, time_map, np.ones(len(clip.motion.skeleton), dtype=bool), prefilter=True)
        done |= actions
        count += 1
    strips = _selected_strips(context) if with_strips and CAN_RETIME_STRIPS else []
    for each in strips:
        _retime_strip(each, time_map, rate)
    if not count and not strips:
        raise MotionEditError("Select other animated objects, or sequencer strips, besides the armature")
    return f"Retimed {count} object{'s' if count != 1 else ''} and {len(strips)} strips"


def _selected_strips(context: Context) -> list[Strip]:
    editor = context.scene.sequence_editor
    chosen = editor.strips_all if editor else ()
    return [each for each in chosen if each.select and each.type in {"MOVIE", "SOUND", "SCENE", "IMAGE", "META"}]


# Retiming keys this many frames apart follow the map closely without crowding the strip.
_STEP = 4


def _retime_strip(strip: Strip, time_map: TimeMap, rate: float) -> None:
    """Give a strip retiming keys, so that its content follows the map."""
    start, end = int(strip.left_handle), int(strip.right_handle)
    old = np.arange(start + _STEP, end, _STEP, dtype=np.float64)
    inside = old[(old / rate > time_map.old_times[0]) & (old / rate < time_map.old_times[-1])]
    new = np.round(time_map.map_key_times(inside / rate) * rate).astype(int)
    last = round(float(time_map.map_key_times(np.array([end / rate]))[0]) * rate)
    keys = strip.retiming_keys
    for frame in inside.astype(int):
        keys.add(timeline_frame=int(frame))
    targets = [*new.tolist(), last]
    movable = list(range(1, len(keys)))
    # Keys that move later go from the last one on, keys that move earlier from the first: none may cross.
    later = [k for k in movable if targets[k - 1] > keys[k].timeline_frame]
    earlier = [k for k in movable if targets[k - 1] < keys[k].timeline_frame]
    for number in (*reversed(later), *earlier):
        keys[number].timeline_frame = int(targets[number - 1])


def match_events(context: Context, source: str, kind: str) -> int:
    """Set keytimes so that footfalls happen when the other's do, or at markers; gives how many."""
    armature = scope.armatures(context)[0]
    clip = scope.read_clip(context, armature)
    own, rate = contacts_of(clip), clip.motion.rate
    if kind == "MARKERS":
        frames = [scope.from_scene(armature, float(marker.frame)) for marker in context.scene.timeline_markers]
        events, named = [frame / rate for frame in frames], False
    else:
        player = _other_armature(context, armature, source)
        other_clip = scope.read_clip(context, player)
        other = contacts_of(other_clip)
        named = bool(set(own.joints) & set(other.joints))
        events = [_moved(event, player, other_clip, armature, rate) for event in contact_events(other, named=named)]
    first, last = (frame / rate for frame in clip_ends(armature))
    limit = scope.action_of(armature).motion_editing_time.speed_limit
    pairs = keytimes_from_events(contact_events(own, named=named), events, start=first, end=last, speed_limit=limit)
    old, new = zip(*pairs, strict=True)
    save_keytimes(context, armature, Keytimes.from_lists(old, new, np.zeros(len(old) - 1)))
    return len(pairs) - 2


def _moved(event: object, player: Object, clip: Clip, armature: Object, rate: float) -> object:
    """Another armature's event in the time of this one's action; both play in the same scene."""
    name, time = event if isinstance(event, tuple) else (None, event)
    frame = float(scope.to_scene(player, np.array([time * clip.motion.rate]))[0])
    moved = scope.from_scene(armature, frame) / rate
    return moved if name is None else (name, moved)


def _other_armature(context: Context, armature: Object, name: str) -> Object:
    chosen = [thing for thing in context.scene.objects if thing.name == name] if name else context.selected_objects
    others = [thing for thing in chosen if thing != armature and scope.is_armature(thing) and scope.action_of(thing)]
    if not others:
        raise MotionEditError("Select the other character's armature as well, or name it")
    return others[0]

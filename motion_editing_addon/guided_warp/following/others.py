"""A kept time map on other objects, and keytimes from other characters' events."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ....core.guided_warp import Keytimes, MatchedEvent, contact_events, keytimes_from_events
from ...border import action_io
from ...border.translation import counted_text, report_text
from ...document import scope
from ...document.action_users import original_kept
from ...document.contacts.saved_contacts import contacts_of
from ...document.motion_changes import retime
from .. import kept_maps
from ..keytimes import clip_ends, save_keytimes
from . import sequencer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bpy.types import Context, Object

    from ....core.motion import TimeMap
    from ...border.action_io import Clip


def apply(context: Context, name: str, *, with_strips: bool) -> str:
    """Retime the other selected objects and strips; says how many."""
    armature = scope.armatures(context)[0]
    known = kept_maps.names(armature)
    time_map = kept_maps.load(armature, name or (known[0] if known else ""))
    rate = scope.source_rate(context, armature)
    strips = sequencer.selected_strips(context) if with_strips else []
    # What may be refused comes before anything is retimed.
    add_keys = sequencer.key_adder(context) if strips else None
    sequencer.refuse_hidden_keys(context, strips)
    things = _other_animations(context, armature)
    if not things and not strips:
        raise MotionEditError("Select other animated objects, or sequencer strips, besides the armature")
    with ExitStack() as edits:
        for thing in things:
            edits.enter_context(original_kept(context, thing)).needed = True
            clip = action_io.read(thing, rate=rate)
            retime(clip, time_map, np.ones(len(clip.motion.skeleton), dtype=bool), prefilter=True)
        if add_keys is not None:
            for each in strips:
                sequencer.retime_strip(context, each, time_map, rate, add_keys)
    objects, others = counted_text(len(things), "object"), counted_text(len(strips), "strip")
    if things and strips:
        return report_text("Retimed {objects} and {strips}", objects=objects, strips=others)
    return report_text("Retimed {things}", things=objects if things else others)


def retime_strips(context: Context, scene_map: TimeMap) -> None:
    """Let the selected sequencer strips follow a map between frames of the scene."""
    strips = sequencer.selected_strips(context)
    if not strips:
        return
    add_keys = sequencer.key_adder(context)
    sequencer.refuse_hidden_keys(context, strips)
    for each in strips:
        sequencer.retime_strip(context, each, scene_map, 1.0, add_keys)


def _other_animations(context: Context, armature: Object) -> list[Object]:
    """The selected objects but the armature that have something to retime, one for each animation."""
    known: set[str] = {curve.id_data.name_full for curve in action_io.channels_of(armature).curves.values()}
    found = []
    for thing in scope.selected_objects(context):
        actions = {curve.id_data.name_full for curve in action_io.channels_of(thing).curves.values()}
        if thing != armature and not actions <= known:  # otherwise nothing moves it, or another one plays it
            found.append(thing)
        known |= actions
    return found


def match_events(context: Context, source: str, kind: str) -> int:
    """Set keytimes so that footfalls or markers happen when the other's do; gives how many."""
    armature = scope.armatures(context)[0]
    clip = scope.read_clip(context, armature)
    own, other = (_markers if kind == "MARKERS" else _footfalls)(context, clip, source)
    first, last = (frame / clip.motion.rate for frame in clip_ends(armature))
    limit = scope.own_action(armature).motion_editing_time.speed_limit
    pairs = keytimes_from_events(own, other, start=first, end=last, speed_limit=limit)
    old, new = zip(*pairs, strict=True)
    save_keytimes(context, armature, Keytimes.from_lists(old, new, np.zeros(len(old) - 1)))
    player = _other_armature(context, armature, source)
    scope.own_action(armature).motion_editing_time.matched_to = player.name if player is not None else ""
    return len(pairs) - 2


def _footfalls(context: Context, clip: Clip, source: str) -> tuple[Sequence[MatchedEvent], Sequence[MatchedEvent]]:
    """Footfalls of both; left goes with left where the names are the same."""
    player = _other_armature(context, clip.armature, source)
    if player is None:
        raise MotionEditError("Select the other character's armature as well, or name it")
    other_clip = scope.read_clip(context, player)
    own, other = contacts_of(clip), contacts_of(other_clip)
    named = bool(set(own.joints) & set(other.joints))
    events = [_moved(event, player, other_clip.motion.rate, clip) for event in contact_events(other, named=named)]
    return contact_events(own, named=named), events


def _markers(context: Context, clip: Clip, source: str) -> tuple[Sequence[MatchedEvent], Sequence[MatchedEvent]]:
    """This action's markers, or else its footfalls, and the other action's markers, or else the scene's."""
    player = _other_armature(context, clip.armature, source)
    if player is not None and (theirs := scope.own_action(player).pose_markers):
        rate = scope.source_rate(context, player)
        other = [(marker.name, _moved_time(marker.frame / rate, player, rate, clip)) for marker in theirs]
    else:
        place = [scope.from_scene(clip.armature, float(each.frame)) for each in context.scene.timeline_markers]
        other = [
            (each.name, frame / clip.motion.rate)
            for each, frame in zip(context.scene.timeline_markers, place, strict=True)
        ]
    if not other:
        raise MotionEditError("There are no markers: add some to the other action, or to the scene")
    own = [(marker.name, marker.frame / clip.motion.rate) for marker in scope.own_action(clip.armature).pose_markers]
    if {name for name, _ in own} & {name for name, _ in other}:
        return own, other
    return [time for _, time in own] or contact_events(contacts_of(clip), named=False), [time for _, time in other]


def _moved(event: MatchedEvent, player: Object, player_rate: float, clip: Clip) -> MatchedEvent:
    """Another armature's event in the time of this clip's action; both play in the same scene."""
    if isinstance(event, tuple):
        return event[0], _moved_time(event[1], player, player_rate, clip)
    return _moved_time(event, player, player_rate, clip)


def _moved_time(time: float, player: Object, player_rate: float, clip: Clip) -> float:
    frame = float(scope.to_scene(player, np.array([time * player_rate]))[0])
    return scope.from_scene(clip.armature, frame) / clip.motion.rate


def _other_armature(context: Context, armature: Object, name: str) -> Object | None:
    """The named armature, or the other selected one."""
    things = context.scene.objects if name else scope.selected_objects(context)
    chosen = [thing for thing in things if not name or thing.name == name]
    return next(
        (each for each in chosen if each != armature and scope.is_armature(each) and scope.action_of(each)), None
    )

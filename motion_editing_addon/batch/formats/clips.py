"""The clips of a file: which armature plays which action, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import bpy

from ....core.errors import MotionEditError
from ....core.motion import leading_reference_frames
from ...border.action_io import baked_bones, bone_of_path, channelbag, key_ends
from ...border.action_io.curves.channels import all_curves, further_owners
from ...border.armature import why_sampled
from ...document import scope
from ...document.take.examination import STATED, examine_once
from ...document.take.reference_pose import remember
from ..recipes.recipe_check import nearest

if TYPE_CHECKING:
    from bpy.types import ID, Action, Object


class NoClipError(MotionEditError):
    """A file holds no motion of an armature, or not the one that was asked for."""


class ClipOfFile(NamedTuple):
    """An action and the armature that plays it, by name: names survive what edits do to Blender's data."""

    armature: str
    action: str


def clips_of_file(wanted: Sequence[str] = ()) -> list[ClipOfFile]:
    """All clips of the loaded file, or the actions that are named.

    Raises:
        NoClipError: There is none, or a named one is missing.
    """
    kept = {action.motion_editing.original for action in bpy.data.actions}
    found = [
        ClipOfFile(armature.name, action.name)
        for action in bpy.data.actions
        if action.library is None and action not in kept
        for armature in _players(action)
    ]
    if not found:
        raise NoClipError("; ".join(["there is no armature with an action in it", *left_alone(())]))
    names = [clip.action for clip in found]
    for name in wanted:
        if name not in names:
            hint = nearest(name, names) or f"; there are {', '.join(names)}"
            raise NoClipError(f"there is no action '{name}' of an armature in it{hint}")
    return [clip for clip in found if not wanted or clip.action in wanted]


def left_alone(clips: Sequence[ClipOfFile]) -> list[str]:
    """What armatures play though it is none of all clips of the file, with the reason: it stays as it is."""
    edited = {clip.action for clip in clips}
    found: dict[str, None] = {}
    for armature in filter(scope.is_armature, bpy.data.objects):
        action = scope.action_of(armature)
        if action is None or (action.library is None and action.name in edited):
            continue
        if action.library is not None:
            reason = f"is linked from {action.library.filepath}"
        else:
            reason = f"belongs to '{armature.name}', which is not in the view layer of the scene"
        found[f"action '{action.name}' {reason}: it is not edited"] = None
    return list(found)


def _players(action: Action) -> list[Object]:
    """The armatures that play the action, one of each slot, or else the first whose bones it moves."""
    armatures = sorted((each for each in bpy.data.objects if _is_usable(each)), key=lambda each: each.name)
    playing: dict[int, Object] = {}
    for each in armatures:
        if scope.action_of(each) == action:
            playing.setdefault(scope.slot_handle(each), each)
    return list(playing.values()) or [each for each in armatures if _moves(action, each)][:1]


def _is_usable(thing: Object) -> bool:
    return scope.is_armature(thing) and thing.name in bpy.context.view_layer.objects


def _moves(action: Action, armature: Object) -> bool:
    """Whether half of the bones that the action moves are there."""
    names = {bone for curve in all_curves(action) if (bone := bone_of_path(curve.data_path))}
    return bool(names) and 2 * sum(name in armature.pose.bones for name in names) >= len(names)


def all_playing() -> list[ClipOfFile]:
    """What every armature plays now."""
    armatures = [each for each in bpy.data.objects if _is_usable(each) and scope.action_of(each) is not None]
    return [playing(armature) for armature in armatures]


def playing(armature: Object) -> ClipOfFile:
    """What an armature plays now."""
    return ClipOfFile(armature.name, scope.own_action(armature).name)


def play(clip: ClipOfFile) -> Object:
    """Let the armature play the action, alone, and make it active; gives the armature."""
    armature, action = bpy.data.objects[clip.armature], bpy.data.actions[clip.action]
    data = armature.animation_data or armature.animation_data_create()
    if data.action != action:
        data.action = action
    if data.action_slot is None and data.action_suitable_slots:
        data.action_slot = data.action_suitable_slots[0]
    for shapes in further_owners(armature):
        _let_follow(shapes, action)
    if channelbag(armature) is None:
        raise NoClipError(f"action '{action.name}' has no keys for '{armature.name}'")
    if bpy.context.object is not None and bpy.context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    armature.hide_set(False)
    for other in bpy.context.selected_objects:
        other.select_set(False)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    return armature


def keep_all(clips: Sequence[ClipOfFile], played: Sequence[ClipOfFile]) -> None:
    """Let armatures play what they did, and let all clips be saved: Blender drops what nobody plays or holds.

    Args:
        played: What armatures played at first; those whose action is gone are left.
    """
    for clip in played:
        if clip.armature in bpy.data.objects and clip.action in bpy.data.actions:
            with suppress(NoClipError):  # an armature may play an action that has nothing for it
                play(clip)
    for clip in clips:
        action = bpy.data.actions[clip.action]
        if not action.users:
            action.use_fake_user = True


def _let_follow(shapes: ID, action: Action) -> None:
    """Shape keys play their part of the action; the part of another clip would make this one longer."""
    data = shapes.animation_data
    if data is None or data.action in (None, action):
        return
    own = data.action
    data.action = action  # Blender chooses the slot that is theirs
    if data.action_slot is None:
        is_clip = any(slot.target_id_type == "OBJECT" for slot in own.slots)
        data.action = None if is_clip else own


def examine(armature: Object) -> None:
    """Look at an action before its first edit: poses that only stand for a reference are left out of edits.

    The seconds of FBX and glTF files are believed; other rates are judged as the panels judge them.
    """
    settings = scope.own_action(armature).motion_editing
    if settings.examined or settings.stated_rate or settings.source_rate_reason != STATED:
        examine_once(bpy.context, armature)
        return
    settings.examined = True
    clip = scope.read_clip(bpy.context, armature, choice="ALL")
    if any(baked_bones(clip).values()) and why_sampled(armature) is None:
        remember(armature, leading_reference_frames(clip.motion))


def fit_scene(clips: Sequence[ClipOfFile]) -> None:
    """Let the scene reach from the first to the last key of all clips, which are played: exporters write no more."""
    ends = [found for clip in clips if (found := key_ends(play(clip)))]
    scene = bpy.context.scene
    scene.frame_start = min(int(first) for first, _last in ends)
    scene.frame_end = max(round(last + 0.499) for _first, last in ends)

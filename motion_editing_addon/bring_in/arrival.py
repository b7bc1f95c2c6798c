"""One file that arrives: read beside what is there, trimmed, brought to the right speed and size, and placed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy
import numpy as np

from ...core.errors import MotionEditError
from ...core.motion import TimeMap
from ..batch.formats import clip_files, clips, scene_rate
from ..border import action_io
from ..border.translation import counted_text, report_text
from ..document import scope
from ..document.take.reference_pose import frames_left_out, remember
from . import captured_file, placement, stated_rates

if TYPE_CHECKING:
    from pathlib import Path

    from bpy.types import Context, Object

    from ..batch.formats.clips import ClipOfFile


@dataclass(frozen=True)
class Wishes:
    """How motion arrives; the operator's tooltips say more."""

    speed: str = "SCENE"
    size: str = "METRES"
    scale: float = 1.0
    up: str = "AUTO"
    trim_reference: bool = True
    place: bool = True
    fit_scene: bool = True
    target: str = ""


WISHES = tuple(field.name for field in fields(Wishes))


class Brought(NamedTuple):
    """What arrived, in a line, and what people should know of it."""

    text: str
    warnings: list[str]


def bring_in(context: Context, path: Path, wishes: Wishes) -> Brought:
    """Read a file with motion beside what is in the scene; its armature is active then.

    Raises:
        MotionEditError: There is no motion of an armature in it, or it cannot be read; nothing is left of it.
    """
    _leave_modes(context)
    target = _target(wishes)
    known, rate = set(bpy.data.objects), scope.scene_rate(context)
    alone = not any(thing.animation_data and thing.animation_data.action for thing in known)
    try:
        warnings = _load(context, path, wishes)
        found = [clip for clip in clips.clips_of_file() if bpy.data.objects[clip.armature] not in known]
        if not found:
            raise clips.NoClipError(f"{path.name}: there is no armature with motion in it")
        _forget_the_rest(found, known)
        for clip in found:
            _examine(clip)
        _choose_rate(found[0], rate, wishes)
        skipped = [_arrange(context, clip, wishes) for clip in found]
    except BaseException:
        scene_rate.play_at(rate)
        bpy.data.batch_remove([thing for thing in bpy.data.objects if thing not in known])
        raise
    size = placement.place(context, found, known, wishes.size, wishes.place, captured=path.suffix == ".bvh")
    armature = _shown(context, found, target)
    if wishes.fit_scene:
        _fit_scene(context, armature, alone=alone)
    return Brought(_text(context, path, armature, len(found), skipped[0], size.height), [*warnings, *size.warnings])


def _leave_modes(context: Context) -> None:
    if context.object is not None and context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")


def _target(wishes: Wishes) -> Object | None:
    """The character that gets the motion."""
    if not wishes.target:
        return None
    target = bpy.data.objects.get(wishes.target)
    if not scope.is_armature(target):
        raise MotionEditError(f"'{wishes.target}' is not an armature")
    return target


def _load(context: Context, path: Path, wishes: Wishes) -> list[str]:
    """Read the file at its own rate; what the file was warned about."""
    if path.suffix.lower() == ".bvh":
        return captured_file.add(context, path, up=wishes.up, size=wishes.size, scale=wishes.scale)
    stated = stated_rates.stated_rate(path)
    if stated:
        scene_rate.play_at(stated)
    clip_files.load(path, beside=True)
    context.view_layer.update()
    return []


def _forget_the_rest(found: list[ClipOfFile], known: set[Object]) -> None:
    """Of a whole scene keep the armatures that move and what belongs to them."""
    moving = {bpy.data.objects[clip.armature] for clip in found}
    kept = {thing for thing in bpy.data.objects if _carried_by(thing, moving)}
    for armature in moving:
        carrier: Object | None = armature
        while carrier is not None:
            kept.add(carrier)
            carrier = carrier.parent
    bpy.data.batch_remove([thing for thing in bpy.data.objects if thing not in known | kept])


def _carried_by(thing: Any, moving: set[Object]) -> bool:
    if any(modifier.type == "ARMATURE" and modifier.object in moving for modifier in thing.modifiers):
        return True
    while thing is not None and thing not in moving:
        thing = thing.parent
    return thing is not None


def _examine(clip: ClipOfFile) -> None:
    clips.examine(clips.play(clip))


def _choose_rate(clip: ClipOfFile, scene: float, wishes: Wishes) -> None:
    """The scene's rate, or that of the first file."""
    own = bpy.data.actions[clip.action].motion_editing.source_rate
    scene_rate.play_at(own if wishes.speed == "FILE" and own else scene)


def _arrange(context: Context, clip: ClipOfFile, wishes: Wishes) -> int:
    """Trim an action and give it the scene's rate; how many reference frames are gone."""
    armature = clips.play(clip)
    skipped = frames_left_out(armature) if wishes.trim_reference else 0
    ends, start = action_io.key_ends(armature), float(context.scene.frame_start)
    if ends is not None and ends[1] > ends[0] + skipped and (skipped or ends[0] != start):
        first = ends[0] + skipped
        action_io.trim(scope.read_clip(context, armature, choice="ALL"), first, ends[1], offset=start - first)
        remember(armature, 0)
    settings, rate = scope.own_action(armature).motion_editing, scope.scene_rate(context)
    if wishes.speed == "SCENE" and settings.source_rate and not np.isclose(settings.source_rate, rate, rtol=1e-6):
        _conform(context, armature, rate)
    return skipped


def _conform(context: Context, armature: Object, rate: float) -> None:
    """Resample an action to a rate, at its real speed."""
    clip = scope.read_clip(context, armature, choice="ALL")
    time_map = TimeMap.scale(clip.motion.rate / rate, pivot=float(clip.motion.times[0]))
    joints = np.ones(len(clip.motion.skeleton), dtype=np.bool_)
    action_io.retime(clip, time_map, joints, prefilter=True, keep_accents=False, snap=True)
    settings = scope.own_action(armature).motion_editing
    settings.source_rate, settings.source_rate_reason = rate, "Conformed to this rate"


def _shown(context: Context, found: list[ClipOfFile], target: Object | None) -> Object:
    """The first action is played; where there is a target, it gets all of them, and the figure is hidden."""
    for clip in found[1:]:
        bpy.data.actions[clip.action].use_fake_user = True
    if target is None:
        return clips.play(found[0])
    source = ""
    for clip in reversed(found):
        source = clips.play(clip).name
        bpy.ops.motion_editing.retarget_motion(source=source, target=target.name)
    bpy.data.objects[source].hide_set(True)
    target.select_set(True)
    context.view_layer.objects.active = target
    return target


def _fit_scene(context: Context, armature: Object, *, alone: bool) -> None:
    """Let the scene reach to the end of the motion; exactly, where nothing else moves."""
    scene, ends = context.scene, action_io.key_ends(armature)
    if ends is None:
        return
    last = round(ends[1] + 0.499)
    scene.frame_end = last if alone else max(scene.frame_end, last)
    scene.frame_set(scene.frame_start)


def _text(context: Context, path: Path, armature: Object, count: int, skipped: int, height: float) -> str:
    """What arrived, the most important first."""
    ends = action_io.key_ends(armature) or (0.0, 0.0)
    frames = counted_text(round(ends[1] - ends[0]) + 1, "frame")
    told = {"file": path.name, "frames": frames, "rate": f"{scope.scene_rate(context):g}", "height": f"{height:.2f}"}
    text = report_text("{file}: {frames} at {rate} a second, {height} m tall", **told)
    if skipped:
        text += report_text(", {skipped} trimmed", skipped=counted_text(skipped, "reference frame"))
    return text + (report_text(", {actions} in all", actions=counted_text(count, "action")) if count > 1 else "")

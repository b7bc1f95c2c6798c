"""Puts a clip on a kind of rig and keeps the scene as a file, from which every trial starts."""

from __future__ import annotations

import contextlib
import hashlib
import io
import zlib
from pathlib import Path

import bpy
import numpy as np

from .. import clips
from ..clips import Clip
from . import control_rig, curves, game_skeleton, hand_keys, rigify

# Frames that a clip is judged over at most: as it comes, at the rate of rigs, and on rigs that take long to play.
LONGEST, LONGEST_AT_RIG_RATE, LONGEST_ON_RIG, RIG_RATE = 600, 150, 90, 30.0
_SLOW_RIGS = ("rigify", "quadruped")


def staged(clip: Clip, rig: str, cache: Path) -> Path:
    """The scene with a clip on a rig; made once and kept, in a folder named after the code that makes it."""
    path = cache / _digest() / rig / f"{clip.name}.blend"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.redirect_stdout(io.StringIO()):
            _stage(clip, rig, path.parent.parent)
        # Another process may make the same scene.
        unfinished = path.with_suffix(f".{np.random.default_rng().integers(1 << 30)}.blend")
        bpy.ops.wm.save_as_mainfile(filepath=str(unfinished))
        unfinished.replace(path)
    return path


def _digest() -> str:
    """A name for what makes the scenes: other code or another Blender makes others."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    text = b"".join(path.read_bytes() for path in sources)
    return hashlib.sha256(text + bpy.app.version_string.encode()).hexdigest()[:12]


def _stage(clip: Clip, rig: str, folder: Path) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = _load(clip)
    rate = clip.rate if rig == "plain" else RIG_RATE
    longest = LONGEST if rig == "plain" else LONGEST_ON_RIG if rig in _SLOW_RIGS else LONGEST_AT_RIG_RATE
    _cut(armature, clip, rate, longest, whole=rig == "loop")
    _set_rate(armature, rate)
    if rig == "keyed":
        hand_keys.thin_out(armature, _seed(clip))
    elif rig == "game":
        game_skeleton.add_root(armature, _seed(clip))
    elif rig == "control":
        armature = control_rig.build(armature)
    elif rig in ("rigify", "quadruped"):
        armature = rigify.put_on(armature, "human" if rig == "rigify" else "horse", folder, _seed(clip))
    _finish(armature, loops=rig == "loop")


def _load(clip: Clip) -> bpy.types.Object:
    if clip.name == clips.SAMPLE:
        bpy.ops.motion_editing.load_sample_motion()
    elif clip.action:
        bpy.context.scene.render.fps = int(RIG_RATE)
        bpy.ops.import_scene.gltf(filepath=str(clip.path))
        armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
        action = next(action for action in bpy.data.actions if action.name.split("|")[-1] == clip.action)
        armature.animation_data_create()
        for track in list(armature.animation_data.nla_tracks):
            armature.animation_data.nla_tracks.remove(track)
        armature.animation_data.action = action
        armature.animation_data.action_slot = action.slots[0]
        _keep_only(armature, action)
    else:
        bpy.ops.motion_editing.import_bvh(filepath=str(clip.path))
    return next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")


def _keep_only(armature: bpy.types.Object, action: bpy.types.Action) -> None:
    """Without its mesh and its other actions a character is played faster."""
    for thing in [thing for thing in bpy.data.objects if thing != armature]:
        bpy.data.objects.remove(thing)
    for other in [other for other in bpy.data.actions if other != action]:
        bpy.data.actions.remove(other)
    bpy.context.view_layer.objects.active = armature


def _cut(armature: bpy.types.Object, clip: Clip, rate: float, longest: int, *, whole: bool) -> None:
    """Keep a part of the clip, one key on every frame, at another rate."""
    first, last = curves.ends(armature)
    if clip.path.suffix == ".bvh":
        first += 1  # the reference pose that captured files begin with
    keys = [keys[:, 0] for keys, _rest in curves.all_keys(armature).values() if len(keys)]
    if whole:
        first, last = min(row[0] for row in keys), max(row[-1] for row in keys)
    step = clip.rate / rate
    count = round((last - first) / step) + 1
    if whole:
        frames = np.linspace(first, last, count)
    else:
        random = np.random.default_rng(_seed(clip))
        begin = int(random.integers(0, max(count - longest, 0) + 1))
        frames = first + step * np.arange(begin, min(begin + longest, count))
    curves.rewrite(armature, frames)


def _seed(clip: Clip) -> int:
    return zlib.crc32(clip.name.encode())


def _set_rate(armature: bpy.types.Object, rate: float) -> None:
    scene = bpy.context.scene
    scene.render.fps = max(1, round(rate))
    scene.render.fps_base = scene.render.fps / rate
    known = armature.animation_data.action.motion_editing
    # The reference pose is cut off: there is nothing left to find.
    known.source_rate, known.examined, known.skipped_frames = rate, True, 0


def _finish(armature: bpy.types.Object, *, loops: bool) -> None:
    armature.name = "subject"
    first, last = curves.ends(armature)
    scene, action = bpy.context.scene, armature.animation_data.action
    scene.frame_start, scene.frame_end = first, last
    scene.frame_set(first)
    if loops:
        action.use_frame_range, action.use_cyclic = True, True
        action.frame_start, action.frame_end = first, last
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)

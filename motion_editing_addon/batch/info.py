"""`info`: what is in a file, as a table or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import bpy

from ...core.analysis import key_poses
from ...core.analysis.contacts import detect_contacts
from ...core.errors import MotionEditError
from ..document import scope
from ..document.character.joint_positions import positions_of
from ..document.character.saved_body import body_of
from .formats import clip_files
from .formats.clips import ClipOfFile, clips_of_file, examine, play
from .formats.loaded_poses import LoadedPoses
from .running.plan import files_below
from .silence import blender_quiet

_KEY_POSES = 8
_COLUMNS = ("file", "action", "frames", "rate", "seconds", "bones", "keys", "contacts", "key poses")


def print_info(files: Sequence[Path], actions: Sequence[str], *, as_json: bool) -> bool:
    """Print the facts of all clips; what cannot be read is said and does not stop the others.

    Args:
        files: Files, and folders with files at any depth.
        actions: Names of the actions to tell about; all if empty.
        as_json: For programs, not for people.

    Returns:
        Whether all could be read.
    """
    rows: list[dict[str, Any]] = []
    for path in chain.from_iterable(map(_files, files)):
        try:
            with blender_quiet():
                rows += facts_of_file(path, actions)
        except MotionEditError as error:
            rows.append({"file": str(path), "error": str(error)})
    failed = [row for row in rows if "error" in row]
    for row in failed:
        print(f"error: {_said(row)}", file=sys.stderr)
    if as_json:
        print(json.dumps(rows, indent=1, ensure_ascii=False), flush=True)
    elif len(failed) < len(rows):
        print(_table([row for row in rows if "error" not in row]), flush=True)
    return not failed


def _files(path: Path) -> Sequence[Path]:
    """The file, or all files in the folder."""
    return files_below(path) or [path] if path.is_dir() else [path]


def _said(row: dict[str, Any]) -> str:
    text = f"action '{row['action']}': {row['error']}" if "action" in row else row["error"]
    return text if row["file"] in text else f"{row['file']}: {text}"


def facts_of_file(path: Path, actions: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Facts of every clip in a file, or of the named actions; 'error' instead for a clip that cannot be read.

    Raises:
        MotionEditError: The file cannot be read, or holds no such clip.
    """
    clip_files.start_empty()
    clip_files.load(path)
    poses = LoadedPoses()
    return [
        {"file": str(path), "action": clip.action, "armature": clip.armature, **_facts_or_error(clip, poses)}
        for clip in clips_of_file(actions)
    ]


def _facts_or_error(clip: ClipOfFile, poses: LoadedPoses) -> dict[str, Any]:
    poses.restore()
    try:
        return _facts(clip)
    except MotionEditError as error:
        return {"error": str(error)}


def _facts(clip_of_file: ClipOfFile) -> dict[str, Any]:
    armature = play(clip_of_file)
    examine(armature)
    clip = scope.read_clip(bpy.context, armature)
    motion, positions = clip.motion, positions_of(bpy.context, clip)
    body = body_of(armature, clip, positions)
    return {
        "frames": len(motion),
        "rate": round(motion.rate, 3),
        "seconds": round(float(motion.times[-1] - motion.times[0]), 3),
        "bones": len(armature.pose.bones),
        "keys": sum(len(keys) for keys in clip.keys.values()),
        "contacts": _contacts(clip, body, positions),
        "key poses": _key_frames(clip, body, positions),
    }


def _contacts(clip: Any, body: Any, positions: Any) -> dict[str, int]:
    """How many contacts each foot has; empty where feet are not known."""
    try:
        spans = detect_contacts(clip.motion, body, positions=positions)
    except MotionEditError:
        return {}
    return {joint: len(spans.of(joint)) for joint in spans.joints}


def _key_frames(clip: Any, body: Any, positions: Any) -> list[float]:
    """Action frames of the most telling poses; empty where the body is not known."""
    try:
        chosen = key_poses(clip.motion, body, positions=positions).frames(_KEY_POSES)
    except MotionEditError:
        return []
    return [round(float(frame), 2) for frame in clip.frames[chosen]]


def _table(rows: Sequence[dict[str, Any]]) -> str:
    cells = [_COLUMNS, *(tuple(_cell(row[name]) for name in _COLUMNS) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(_COLUMNS))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in cells]
    return "\n".join(line.rstrip() for line in lines)


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return str(sum(value.values()))
    if isinstance(value, list):
        return " ".join(f"{each:g}" for each in value)
    return f"{value:g}" if isinstance(value, float) else str(value)

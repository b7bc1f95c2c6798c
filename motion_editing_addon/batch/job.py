"""One job: a file in, its clips edited, a file out, and a record of what was done."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from .. import scope
from . import clip_files
from .clips import ClipOfFile, fit_scene, keep_all, play
from .file_editing import EditedClip, EditedFile, edit_file
from .loaded_poses import key_the_unmoved
from .replacing import replaced

if TYPE_CHECKING:
    from .recipe import Recipe

# What file systems do not allow in names.
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f]')

# Share by which rates may differ without being seen.
_SAME_RATE = 0.005


@dataclass(frozen=True)
class Job:
    """A file to edit.

    Attributes:
        source: The file to read.
        target: Where to write, below the output folder.
        out: The output folder.
        actions: Names of the actions to edit; all of them if empty.
        pictures: Whether to draw poses for the report.
        run: To which run it belongs; several may write into one folder at a time.
    """

    source: str
    target: str
    out: str
    actions: tuple[str, ...] = ()
    pictures: bool = True
    run: str = ""

    def to_data(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Job:
        """From JSON."""
        return cls(**{**data, "actions": tuple(data["actions"])})


def content_key(path: Path) -> str:
    """The same for files with the same bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def run_job(job: Job, recipe: Recipe) -> dict[str, Any]:
    """Do a job and give its record; results hold only what every step was done to.

    Raises:
        MotionEditError: Nothing of it can be done; the reason in one line.
    """
    started, source = time.perf_counter(), Path(job.source)
    file = edit_file(source, recipe, actions=job.actions, pictures=job.pictures)
    outputs, lost = _write(job, file, like=recipe.target.file if recipe.target else source)
    return {
        "source": job.source,
        "target": job.target,
        "source_key": content_key(source),
        "recipe": recipe.title,
        "edits": [step.edit for step in recipe.steps],
        "outputs": outputs,
        "clips": [_clip_record(each) for each in file.edited],
        "warnings": [*file.warnings, *lost],
        "pictures": [each.measured.pictures for each in file.edited],
        "failures": [{"action": action, "error": reason} for action, reason in file.failures.items()],
        "seconds": round(time.perf_counter() - started, 3),
    }


def _clip_record(edited: EditedClip) -> dict[str, Any]:
    return {"action": edited.clip.action, "warnings": edited.warnings, **edited.measured.numbers}


def _write(job: Job, file: EditedFile, *, like: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """Write the file, or for BVH one of each clip, with the habits of a file that is like it.

    Returns:
        Names below the output folder with sizes, and what the format could not hold.
    """
    target, out = Path(job.target), Path(job.out)
    lost: dict[str, None] = {}
    clips = [each.result for each in file.edited]
    fit_scene(clips)
    if target.suffix.lower() != ".blend":
        _forget_originals()
    with replaced(out, run=job.run) as work:
        if target.suffix.lower() == ".bvh":
            names = [target] if file.has_one_clip else _names(target, clips)
            for clip, name in zip(clips, names, strict=True):
                file.poses.restore()
                play(clip)
                lost |= dict.fromkeys(clip_files.save(work.place(name), like=like))
        else:
            if target.suffix.lower() in (".glb", ".gltf"):
                _key_the_unmoved(file)
            play(clips[0])
            keep_all(clips, file.played)
            file.poses.restore()
            lost |= dict.fromkeys(_other_speeds(target, clips))
            clip_files.save(work.place(target), like=like)
    return [{"file": name.as_posix(), "bytes": (out / name).stat().st_size} for name in work.names], list(lost)


def _other_speeds(target: Path, clips: Sequence[ClipOfFile]) -> Iterator[str]:
    """What a format that states seconds gets wrong: a scene has one rate, and clips may have others."""
    plays = scope.scene_rate(bpy.context)
    for clip in clips if target.suffix.lower() != ".blend" else ():
        rate = bpy.data.actions[clip.action].motion_editing.source_rate
        if rate and abs(rate / plays - 1.0) > _SAME_RATE:
            yield f"action '{clip.action}' has {rate:.4g} frames a second; the result plays {plays:.4g}, as its scene"


def _key_the_unmoved(file: EditedFile) -> None:
    for edited in file.edited:
        file.poses.restore()
        key_the_unmoved(play(edited.result))


def _names(target: Path, clips: Sequence[ClipOfFile]) -> list[Path]:
    """A name for each clip, none twice, not even where large and small letters are the same."""
    names: dict[str, Path] = {}
    for clip in clips:
        stem = f"{target.stem} - {_NOT_IN_NAMES.sub('_', clip.action)}"
        others = (f"{stem} {number}" for number in count(2))
        free = next(each for each in chain([stem], others) if each.lower() not in names)
        names[free.lower()] = target.with_name(f"{free}{target.suffix}")
    return list(names.values())


def _forget_originals() -> None:
    """Remove the copies that Restore Original needs: exporters would write them as further animations."""
    edited = [action for action in bpy.data.actions if action.motion_editing.original is not None]
    originals = {action.motion_editing.original for action in edited}
    for action in edited:
        action.motion_editing.original = None
    for original in originals:
        bpy.data.actions.remove(original)

"""One job: a file in, its clips edited, a file out, and a record of what was done."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from ...core.errors import MotionEditError
from .. import scope
from ..action_io.time_notes import time_maps_noted
from . import clip_files
from .applying import apply_steps
from .clips import ClipOfFile, clips_of_file, examine, fit_scene, play, playing
from .measuring import Measured, measure
from .references import references_loaded
from .replacing import replaced
from .target import LoadedTarget

if TYPE_CHECKING:
    from .recipe import Recipe

# What file systems do not allow in names.
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f]')


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
    """Do a job and give its record; nothing is written unless all of it could be done.

    Raises:
        MotionEditError: It cannot be done; the reason in one line.
    """
    started, source = time.perf_counter(), Path(job.source)
    clip_files.start_empty()
    clip_files.load(source)
    clips = clips_of_file(job.actions)
    results, measured = _edit_all(clips, recipe, pictures=job.pictures)
    outputs = _write(job, results, like=recipe.target.file if recipe.target else source)
    return {
        "source": job.source,
        "target": job.target,
        "source_key": content_key(source),
        "recipe": recipe.title,
        "edits": [step.edit for step in recipe.steps],
        "outputs": outputs,
        "clips": [{"action": clip.action, **each.numbers} for clip, each in zip(clips, measured, strict=True)],
        "pictures": [each.pictures for each in measured],
        "seconds": round(time.perf_counter() - started, 3),
    }


def _edit_all(
    clips: Sequence[ClipOfFile], recipe: Recipe, *, pictures: bool
) -> tuple[list[ClipOfFile], list[Measured]]:
    """Do the steps to all clips of the file; gives the clips that have the results."""
    target = LoadedTarget(recipe.target) if recipe.target else None
    results, measured = [], []
    with references_loaded(recipe.references):
        for clip in clips:
            with _said_of(clip, alone=len(clips) == 1):
                result, numbers = _edit(clip, recipe, target.name if target else "", pictures=pictures)
            results.append(result)
            measured.append(numbers)
    return target.leave_alone(clips, results) if target else results, measured


@contextmanager
def _said_of(clip: ClipOfFile, *, alone: bool) -> Iterator[None]:
    """In a file with several clips an error says which one it is about."""
    try:
        yield
    except MotionEditError as error:
        if alone:
            raise
        raise MotionEditError(f"action '{clip.action}': {error}") from None


def _edit(clip: ClipOfFile, recipe: Recipe, target: str, *, pictures: bool) -> tuple[ClipOfFile, Measured]:
    """Do the steps; gives the clip that has the result."""
    armature = play(clip)
    examine(armature)
    before = scope.read_clip(bpy.context, armature)
    with time_maps_noted() as notes:
        armature = apply_steps(armature, recipe.steps, target=target)
    after = scope.read_clip(bpy.context, armature)
    own = [note for note in notes if note.armature in (clip.armature, armature.name)]
    return playing(armature), measure(before, after, notes=own, pictures=pictures)


def _write(job: Job, clips: Sequence[ClipOfFile], *, like: Path) -> list[dict[str, Any]]:
    """Write the file, or for BVH one of each clip, with the habits of a file that is like it.

    Returns:
        Names below the output folder, and sizes.
    """
    target, out = Path(job.target), Path(job.out)
    fit_scene(clips)
    if target.suffix.lower() != ".blend":
        _forget_originals()
    with replaced(out, run=job.run) as work:
        if target.suffix.lower() == ".bvh":
            for clip, name in zip(clips, _names(target, clips), strict=True):
                play(clip)
                clip_files.save(work.place(name), like=like)
        else:
            play(clips[0])
            clip_files.save(work.place(target), like=like)
    return [{"file": name.as_posix(), "bytes": (out / name).stat().st_size} for name in work.names]


def _names(target: Path, clips: Sequence[ClipOfFile]) -> list[Path]:
    if len(clips) == 1:
        return [target]
    return [target.with_stem(f"{target.stem} - {_NOT_IN_NAMES.sub('_', clip.action)}") for clip in clips]


def _forget_originals() -> None:
    """Remove the copies that Restore Original needs: exporters would write them as further animations."""
    edited = [action for action in bpy.data.actions if action.motion_editing.original is not None]
    originals = {action.motion_editing.original for action in edited}
    for action in edited:
        action.motion_editing.original = None
    for original in originals:
        bpy.data.actions.remove(original)

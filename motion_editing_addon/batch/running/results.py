"""Writing what was edited: into one file, or into one for each clip where one file cannot hold them all."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy

from ...document import scope
from ..formats import clip_files
from ..formats.clips import ClipOfFile, fit_scene, keep_all, play
from ..formats.file_format import format_of
from ..formats.file_replacement import content_key, replaced
from ..formats.loaded_poses import key_the_unmoved
from ..formats.scene_rate import play_at

if TYPE_CHECKING:
    from .edited_file import EditedClip, EditedFile
    from .job import Job

# What file systems do not allow in names.
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f]')

# Share by which rates may differ without being seen.
_SAME_RATE = 0.005

Parts = dict[Path, list["EditedClip"]]


class Written(NamedTuple):
    """What a job has written.

    Attributes:
        outputs: Names below the output folder with sizes in bytes and keys of their contents.
        files: Names of the outputs that hold one clip alone; none where several clips share a file.
        warnings: What the format could not hold.
    """

    outputs: list[dict[str, Any]]
    files: dict[ClipOfFile, list[str]]
    warnings: list[str]


def write_results(
    job: Job, file: EditedFile, *, like: Path, begun: Callable[[str], None] = lambda clip: None
) -> Written:
    """Write the clips that are loaded, with the habits of a file that is like the result; each begun one is told."""
    target, out = Path(job.target), Path(job.out)
    warnings = dict.fromkeys(_other_rates(target, file))
    files: dict[ClipOfFile, list[str]] = {}
    if not format_of(target).is_whole_scene:
        _forget_originals()
    with replaced(out, run=job.run) as work:
        for name, clips in _staged(target, file):
            begun(clips[0].clip.action)
            before = work.written()
            warnings |= dict.fromkeys(clip_files.save(work.place(name), like=like))
            made = [path.as_posix() for path in work.written() if path not in before]
            files |= {each.clip: made for each in clips}
    outputs = [_output(out, name) for name in work.names]
    return Written(outputs, files if _is_divided(target, file) else {}, list(warnings))


def _output(out: Path, name: Path) -> dict[str, Any]:
    path = out / name
    return {"file": name.as_posix(), "bytes": path.stat().st_size, "key": content_key(path)}


def _staged(target: Path, file: EditedFile) -> Iterator[tuple[Path, list[EditedClip]]]:
    """Every file to write with its clips; meanwhile these are what Blender writes."""
    parts = _parts(target, file)
    if format_of(target).holds_one_clip or not _is_divided(target, file):
        for name, clips in parts.items():
            _stage(target, file, clips)
            yield name, clips
        return
    with tempfile.TemporaryDirectory() as folder:
        # Blender's writers take every action that there is.
        everything = Path(folder) / "everything.blend"
        keep_all([each.result for each in file.edited], file.played)
        clip_files.save(everything, like=everything)
        for name, clips in parts.items():
            clip_files.load(everything)
            _remove_others(file, clips)
            _stage(target, file, clips)
            yield name, clips


def _parts(target: Path, file: EditedFile) -> Parts:
    """Which clips go into which file: each its own, or one for each action where rates differ."""
    if not _is_divided(target, file):
        return {target: file.edited}
    done = {each.clip: each for each in file.edited}
    held: dict[Any, list[EditedClip]] = {}
    labels: dict[Any, str] = {}
    # Clips that failed have their names too: the others have the same ones whether they fail or not.
    for clip in file.clips:
        key = clip if format_of(target).holds_one_clip else clip.action
        labels.setdefault(key, done[clip].result.action if clip in done else clip.action)
        held.setdefault(key, []).extend([done[clip]] if clip in done else [])
    names = _names(target, list(labels.values()))
    return {name: clips for name, clips in zip(names, held.values(), strict=True) if clips}


def _is_divided(target: Path, file: EditedFile) -> bool:
    """Whether every clip gets a file of its own."""
    kind = format_of(target)
    return len(file.clips) > 1 and (kind.holds_one_clip or (not kind.is_whole_scene and _has_several_rates(file)))


def _names(target: Path, labels: Sequence[str]) -> list[Path]:
    """A name for each clip, none twice, not even where large and small letters are the same."""
    names: dict[str, Path] = {}
    for label in labels:
        stem = f"{target.stem} - {_NOT_IN_NAMES.sub('_', label)}"
        others = (f"{stem} {number}" for number in count(2))
        free = next(each for each in chain([stem], others) if each.lower() not in names)
        names[free.lower()] = target.with_name(f"{free}{target.suffix}")
    return list(names.values())


def _stage(target: Path, file: EditedFile, clips: Sequence[EditedClip]) -> None:
    """Let the scene show what is to be written."""
    kind, results = format_of(target), [each.result for each in clips]
    fit_scene(results)
    if not kind.is_whole_scene:
        _play_as_in_file(file, clips)
    for result in results if kind.needs_keys else ():
        file.poses.restore()
        key_the_unmoved(play(result))
    file.poses.restore()
    play(results[0])
    if not kind.holds_one_clip:
        keep_all(results, file.played)
        file.poses.restore()


def _remove_others(file: EditedFile, clips: Sequence[EditedClip]) -> None:
    others = {each.result.action for each in file.edited} - {each.result.action for each in clips}
    for action in others:
        bpy.data.actions.remove(bpy.data.actions[action])


def _forget_originals() -> None:
    """Remove the copies that Restore Original needs: exporters would write them as further animations."""
    edited = [action for action in bpy.data.actions if action.motion_editing.original is not None]
    originals = {action.motion_editing.original for action in edited}
    for action in edited:
        action.motion_editing.original = None
    for original in originals:
        bpy.data.actions.remove(original)


def _differ(rate: float, other: float) -> bool:
    return abs(rate / other - 1.0) > _SAME_RATE


def _has_several_rates(file: EditedFile) -> bool:
    rates = [file.rates[clip.action] for clip in file.clips]
    return _differ(max(rates), min(rates))


def _play_as_in_file(file: EditedFile, clips: Sequence[EditedClip]) -> None:
    """Let clips, which have one rate, be written at that of their file; a guess would change how long they are."""
    rate = file.rates[clips[0].clip.action]
    if _differ(rate, scope.scene_rate(bpy.context)):
        play_at(rate)
    for each in clips:
        settings = bpy.data.actions[each.result.action].motion_editing
        if settings.source_rate and _differ(settings.source_rate, rate):
            settings.source_rate = rate


def _other_rates(target: Path, file: EditedFile) -> Iterator[str]:
    """Clips that the result plays at another rate than theirs, or than the one that their movement shows."""
    scene, is_whole = scope.scene_rate(bpy.context), format_of(target).is_whole_scene
    for each in file.edited:
        stated = file.rates[each.clip.action]
        shown = bpy.data.actions[each.result.action].motion_editing.source_rate or scene
        said = f"action '{each.clip.action}' {{}} {{:.4g}} frames a second; the result plays {{:.4g}}, as its {{}}"
        if is_whole and _has_several_rates(file) and _differ(stated, scene):
            yield said.format("has", stated, scene, "scene")
        elif not is_whole and _differ(shown, stated):
            yield said.format("seems to have", shown, stated, "file")

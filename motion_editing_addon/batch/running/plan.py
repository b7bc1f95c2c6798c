"""From what stands on the command line to a list of jobs; every doubt is settled before work starts."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from secrets import token_hex

from ....core.errors import MotionEditError
from ..formats.file_format import is_known, suffixes
from ..formats.file_replacement import PRIVATE
from .job import Job

_UNSPEAKABLE = "Blender needs names in UTF-8: rename it"


class PlanError(MotionEditError):
    """What was asked for cannot be done; the message says what to change."""


def plan_jobs(
    inputs: Sequence[Path],
    out: Path,
    *,
    suffix: str = "",
    actions: Sequence[str] = (),
    pictures: bool = True,
    part: tuple[int, int] = (1, 1),
) -> list[Job]:
    """One job for every file, in an order that is the same on every machine.

    Args:
        inputs: Files, and folders with files at any depth.
        out: Output folder; what lies in an input folder keeps its place below it.
        suffix: Format of the results such as '.glb'; each input's own if empty.
        actions: Names of the actions to edit; all if empty.
        pictures: Whether to draw poses for the report.
        part: (K, N): only the K-th of N equal shares, for farms.

    Raises:
        PlanError: A file is missing, nothing is left, or two results would be the same file.
    """
    named = sorted({(source, name.with_suffix(suffix or name.suffix)) for source, name in _found(inputs, out)})
    if not named:
        raise PlanError(_why_nothing(inputs, out))
    if _is_unspeakable(out.absolute()):
        raise PlanError(f"{str(out)!a}: {_UNSPEAKABLE}")
    _refuse_collisions(named, out)
    number, shares = part
    common = Job("", "", str(out.absolute()), tuple(actions), pictures, token_hex(4))
    return [_job(common, source, name) for source, name in named[number - 1 :: shares]]


def _job(common: Job, source: Path, name: Path) -> Job:
    """The job of a file; one whose name cannot be told to Blender fails by itself, and stops no other."""
    if not _is_unspeakable(source):
        return replace(common, source=str(source), target=name.as_posix())
    return replace(common, source=_escaped(source), target=_escaped(name), refused=_UNSPEAKABLE)


def _found(inputs: Sequence[Path], out: Path) -> Iterator[tuple[Path, Path]]:
    """Files and their names below the output folder."""
    for path in inputs:
        if path.is_dir():
            for file in files_below(path):
                if not _is_below(file, out):
                    yield file.absolute(), file.relative_to(path)
        elif not path.is_file():
            raise PlanError(f"{path}: there is no such file{'' if path.suffix else ' or folder'}")
        elif not is_known(path):
            raise PlanError(f"{path}: not one of {', '.join(suffixes())}")
        else:
            yield path.absolute(), Path(path.name)


def _why_nothing(inputs: Sequence[Path], out: Path) -> str:
    if any(_is_below(file, out) for path in inputs for file in files_below(path)):
        return f"all files to edit lie in the output folder {out}: choose another output folder"
    return f"there is no file to edit; files end in {', '.join(suffixes())}"


def files_below(folder: Path) -> list[Path]:
    """All files with motion in a folder, at any depth; none of those that a run keeps for itself."""
    return sorted(path for path in _all_below(folder) if is_known(path) and path.is_file())


def _all_below(folder: Path) -> Iterator[Path]:
    """All files in a folder and in those below it, each folder once, also where links lead round in circles."""
    seen, tops = set(), [str(folder)]
    for top in tops:  # links are followed last: what can be reached without one has its place there
        for path, folders, files in os.walk(top):
            real = os.path.realpath(path)
            if real in seen or PRIVATE in Path(path).relative_to(folder).parts:
                folders.clear()
                continue
            seen.add(real)
            yield from (Path(path, name) for name in files)
            tops += [link for name in sorted(folders) if os.path.islink(link := os.path.join(path, name))]


def _is_below(file: Path, out: Path) -> bool:
    """Results of a run before this one are no inputs."""
    return out.exists() and out.resolve() in file.resolve().parents


def _is_unspeakable(path: Path) -> bool:
    """Blender takes names in UTF-8 alone; file systems take any bytes."""
    return _escaped(path) != path.as_posix()


def _escaped(path: Path) -> str:
    """A name with backslashes where it is no text."""
    return path.as_posix().encode(errors="backslashreplace").decode()


def _refuse_collisions(named: Sequence[tuple[Path, Path]], out: Path) -> None:
    taken: dict[str, Path] = {}
    for source, name in named:
        # File systems of two of the three platforms do not tell large from small letters.
        other = taken.setdefault(name.as_posix().lower(), source)
        if other != source:
            raise PlanError(f"{other} and {source} would both become {name}: give the folder above both, or two runs")
        if os.path.realpath(source) == os.path.realpath(out / name):
            raise PlanError(f"{source} would be overwritten: choose another output folder")


def prepare_folder(out: Path) -> None:
    """Make the output folder and see that it can be written to.

    Raises:
        PlanError: It cannot; the reason in one line.
    """
    if out.exists() and not out.is_dir():
        raise PlanError(f"{out} is a file, not a folder")
    probe = out / PRIVATE / "probe"
    try:
        probe.parent.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise PlanError(f"{out}: the output folder cannot be written to: {error.strerror}") from None

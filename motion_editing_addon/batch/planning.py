"""From what stands on the command line to a list of jobs; every doubt is settled before work starts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from secrets import token_hex

from ...core.errors import MotionEditError
from .clip_files import FORMATS
from .job import Job
from .replacing import PRIVATE


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
    _refuse_unspeakable([out.absolute(), *(source for source, _name in named)])
    _refuse_collisions(named, out)
    number, shares = part
    folder, run = str(out.absolute()), token_hex(4)
    return [
        Job(str(source), name.as_posix(), folder, tuple(actions), pictures, run)
        for source, name in named[number - 1 :: shares]
    ]


def _found(inputs: Sequence[Path], out: Path) -> Iterator[tuple[Path, Path]]:
    """Files and their names below the output folder."""
    for path in inputs:
        if path.is_dir():
            for file in files_below(path):
                if not _is_below(file, out):
                    yield file.absolute(), file.relative_to(path)
        elif not path.is_file():
            raise PlanError(f"{path}: there is no such file{'' if path.suffix else ' or folder'}")
        elif path.suffix.lower() not in FORMATS:
            raise PlanError(f"{path}: not one of {', '.join(FORMATS)}")
        else:
            yield path.absolute(), Path(path.name)


def _why_nothing(inputs: Sequence[Path], out: Path) -> str:
    if any(_is_below(file, out) for path in inputs for file in files_below(path)):
        return f"all files to edit lie in the output folder {out}: choose another output folder"
    return f"there is no file to edit; files end in {', '.join(FORMATS)}"


def files_below(folder: Path) -> list[Path]:
    """All files with motion in a folder, at any depth; none of those that a run keeps for itself."""
    found = (path for path in folder.rglob("*") if path.suffix.lower() in FORMATS and path.is_file())
    return sorted(path for path in found if PRIVATE not in path.relative_to(folder).parts)


def _is_below(file: Path, out: Path) -> bool:
    """Results of a run before this one are no inputs."""
    return out.exists() and out.resolve() in file.resolve().parents


def _refuse_unspeakable(paths: Iterable[Path]) -> None:
    """Blender takes names in UTF-8 alone; file systems take any bytes."""
    for path in paths:
        try:
            str(path).encode()
        except UnicodeEncodeError:
            raise PlanError(f"{str(path)!a}: Blender needs names in UTF-8: rename it") from None


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

"""One job: a file in, its clips edited, a file out, and a record of what was done."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....core.errors import MotionEditError
from ..formats.file_replacement import content_key
from .edited_file import EditedClip, EditedFile, edit_file
from .results import Written, write_results

if TYPE_CHECKING:
    from ..recipes.recipe import Recipe


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
        kept: Names of actions that an earlier run has done, each into a file of its own; they are left alone.
        refused: Why it cannot be done, if that is known before.
    """

    source: str
    target: str
    out: str
    actions: tuple[str, ...] = ()
    pictures: bool = True
    run: str = ""
    kept: tuple[str, ...] = ()
    refused: str = ""

    def to_data(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Job:
        """From JSON."""
        return cls(**{**data, "actions": tuple(data["actions"]), "kept": tuple(data["kept"])})


def run_job(job: Job, recipe: Recipe, *, begun: Callable[[str], None] = lambda clip: None) -> dict[str, Any]:
    """Do a job and give its record; results hold only what every step was done to.

    Args:
        begun: Told the name of every clip as work on it begins.

    Raises:
        MotionEditError: Nothing of it can be done; the reason in one line.
    """
    if job.refused:
        raise MotionEditError(job.refused)
    started, source = time.perf_counter(), Path(job.source)
    file = edit_file(source, recipe, actions=job.actions, kept=job.kept, pictures=job.pictures, begun=begun)
    written = write_results(job, file, like=recipe.target.file if recipe.target else source, begun=begun)
    return {
        "source": job.source,
        "target": job.target,
        "source_key": content_key(source),
        "recipe": recipe.title,
        "edits": [step.edit for step in recipe.steps],
        "outputs": written.outputs,
        "clips": [_clip_record(each, file, written) for each in file.edited],
        "warnings": [*file.warnings, *written.warnings],
        "pictures": [each.measured.pictures for each in file.edited],
        "failures": [{"action": action, "error": reason} for action, reason in file.failures.items()],
        "seconds": round(time.perf_counter() - started, 3),
    }


def _clip_record(edited: EditedClip, file: EditedFile, written: Written) -> dict[str, Any]:
    return {
        "action": edited.clip.action,
        "number": file.clips.index(edited.clip),
        "files": written.files.get(edited.clip, []),
        "warnings": edited.warnings,
        **edited.measured.numbers,
    }

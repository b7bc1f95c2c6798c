"""A whole run: jobs to workers, answers to records, and a summary."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ..formats.file_replacement import clear_work
from ..recipes.recipe import Recipe
from .job import Job
from .progress import Progress
from .records import Records, warnings_of


class Crew(Protocol):
    """Whoever does the jobs: local processes or a farm."""

    def answers(self) -> Iterable[tuple[int, dict[str, Any]]]:
        """Numbers of questions with answers, in any order."""


@dataclass
class Summary:
    """How a run went, in files; `partly` are those of which some actions failed, `seconds` those of the clock."""

    done: int = 0
    partly: int = 0
    skipped: int = 0
    failed: int = 0
    warned: int = 0
    interrupted: bool = False
    seconds: float = 0.0

    def count(self, answer: dict[str, Any], failures: Sequence[str]) -> None:
        """One more file."""
        self.failed += "error" in answer
        self.partly += "error" not in answer and bool(failures)
        self.done += not failures
        self.warned += bool(warnings_of(answer.get("record", {})))

    def text(self) -> str:
        """In one line."""
        parts = [f"{self.done} edited"]
        parts += [f"{self.partly} edited in part"] if self.partly else []
        parts += [f"{self.skipped} were done before"] if self.skipped else []
        parts += [f"{self.failed} failed"] if self.failed else []
        parts += [f"{self.warned} with warnings"] if self.warned else []
        written = self.done + self.partly
        speed = f", {written / self.seconds:.2f} a second" if written else ""
        end = "; interrupted, --resume goes on from here" if self.interrupted else ""
        return f"{', '.join(parts)} in {self.seconds:.1f} s{speed}{end}"


def unfinished(jobs: Sequence[Job], recipe: Recipe, out: Path) -> list[Job]:
    """What was not done by a run before this one: jobs, or what is left of them."""
    records = Records(out)
    return [left for job in jobs if (left := records.left_of(job, recipe)) is not None]


def questions_of(jobs: Sequence[Job], recipe: Recipe) -> list[dict[str, Any]]:
    """The jobs as workers take them."""
    path = str(recipe.path.absolute())
    return [{"recipe": path, "recipe_key": recipe.key, "job": job.to_data()} for job in jobs]


def run(jobs: Sequence[Job], recipe: Recipe, out: Path, crew: Crew) -> Summary:
    """Let the crew do all jobs; Ctrl-C stops, and what is done stays."""
    summary, progress, records = Summary(), Progress(len(jobs)), Records(out)
    started = time.monotonic()
    try:
        for number, part in crew.answers():
            answer = records.whole(jobs[number], part)
            outdated = records.outdated(jobs[number], answer)
            _note(records, jobs[number], recipe.key, answer)
            failures = _failures(answer, outdated)
            summary.count(answer, failures)
            warnings = warnings_of(answer.get("record", {}))
            progress.finished(jobs[number].target, failures, len(warnings), written="error" not in answer)
    except KeyboardInterrupt:
        summary.interrupted = True
    finally:
        progress.close()
        if jobs:
            clear_work(out, run=jobs[0].run)
    summary.seconds = time.monotonic() - started
    return summary


def _note(records: Records, job: Job, recipe_key: str, answer: dict[str, Any]) -> None:
    """Keep the record; on a full disk the clip counts as failed, since --resume could not know of it."""
    try:
        records.write(job, recipe_key, answer)
    except OSError as error:
        answer.setdefault("error", f"its record cannot be written: {error.strerror}")


def _failures(answer: dict[str, Any], outdated: Sequence[str]) -> list[str]:
    """What could not be done, one line for the file or for each of its actions."""
    parts = answer.get("record", {}).get("failures", ())
    said = [answer["error"]] if "error" in answer else [f"action '{part['action']}': {part['error']}" for part in parts]
    if said and outdated:
        said[-1] += f"; of an earlier run there is still {', '.join(outdated)}"
    return said

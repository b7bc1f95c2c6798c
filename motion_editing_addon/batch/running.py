"""A whole run: jobs to workers, answers to records, and a summary."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from .job import Job
from .progress import Progress
from .recipe import Recipe
from .records import Records
from .replacing import clear_work


class Crew(Protocol):
    """Whoever does the jobs: local processes or a farm."""

    def answers(self) -> Iterable[tuple[int, dict[str, Any]]]:
        """Numbers of questions with answers, in any order."""


@dataclass
class Summary:
    """How a run went; `seconds` are those of the clock."""

    done: int = 0
    skipped: int = 0
    failed: int = 0
    interrupted: bool = False
    seconds: float = 0.0

    def text(self) -> str:
        """In one line."""
        parts = [f"{self.done} edited"]
        parts += [f"{self.skipped} were done before"] if self.skipped else []
        parts += [f"{self.failed} failed"] if self.failed else []
        speed = f", {self.done / self.seconds:.2f} a second" if self.done else ""
        end = "; interrupted, --resume goes on from here" if self.interrupted else ""
        return f"{', '.join(parts)} in {self.seconds:.1f} s{speed}{end}"


def unfinished(jobs: Sequence[Job], recipe: Recipe, out: Path) -> list[Job]:
    """The jobs that were not done by a run before this one."""
    records = Records(out)
    return [job for job in jobs if not records.is_done(job, recipe.key)]


def questions_of(jobs: Sequence[Job], recipe: Recipe) -> list[dict[str, Any]]:
    """The jobs as workers take them."""
    path = str(recipe.path.absolute())
    return [{"recipe": path, "recipe_key": recipe.key, "job": job.to_data()} for job in jobs]


def run(jobs: Sequence[Job], recipe: Recipe, out: Path, crew: Crew) -> Summary:
    """Let the crew do all jobs; Ctrl-C stops, and what is done stays."""
    summary, progress, records = Summary(), Progress(len(jobs)), Records(out)
    started = time.monotonic()
    try:
        for number, answer in crew.answers():
            _note(records, jobs[number], recipe.key, answer)
            summary.done += "error" not in answer
            summary.failed += "error" in answer
            progress.finished(jobs[number].target, answer.get("error"))
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

"""What was done, one small file for each job: for --resume and for the report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..formats.file_replacement import PRIVATE, holds, write_text
from .job import Job
from .resumption import kept_actions, together

if TYPE_CHECKING:
    from ..recipes.recipe import Recipe

_VERSION = 3


class Records:
    """The records of an output folder."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._folder = out / PRIVATE / "records"

    def write(self, job: Job, recipe_key: str, answer: dict[str, Any]) -> None:
        """Keep what a worker answered."""
        failed = {"source": job.source, "target": job.target, "outputs": self._left(job), "error": answer.get("error")}
        content = answer.get("record") or failed
        full = {"version": _VERSION, "recipe_key": recipe_key, "actions": list(job.actions), **content}
        write_text(self._path(job.target), json.dumps(full, ensure_ascii=False))

    def left_of(self, job: Job, recipe: Recipe) -> Job | None:
        """What an earlier run has not done of a job: all, only some actions, or nothing."""
        record = self._read(self._path(job.target))
        if record is None or not self._is_about(record, job, recipe):
            return job
        good = {output["file"] for output in record["outputs"] if self._is_good(output, job)}
        if not record["failures"] and len(good) == len(record["outputs"]):
            return None
        return replace(job, kept=kept_actions(record, recipe, good))

    def _is_about(self, record: dict[str, Any], job: Job, recipe: Recipe) -> bool:
        """Whether this recipe was done to this very file."""
        if "error" in record or record["recipe_key"] != recipe.key or tuple(record["actions"]) != job.actions:
            return False
        return holds(Path(job.source), record["source_key"])

    def whole(self, job: Job, answer: dict[str, Any]) -> dict[str, Any]:
        """The answer, with what was kept of an earlier run."""
        earlier = self._read(self._path(job.target)) if job.kept else None
        if earlier is None or "record" not in answer:
            return answer
        return {"record": together(earlier, answer["record"], job.kept)}

    def outdated(self, job: Job, answer: dict[str, Any]) -> list[str]:
        """Names of results of an earlier run that are still there though this one did not make them again."""
        made = {output["file"] for output in answer.get("record", {}).get("outputs", ())}
        return [output["file"] for output in self._left(job) if output["file"] not in made]

    def _left(self, job: Job) -> list[dict[str, Any]]:
        record = self._read(self._path(job.target)) or {}
        return [output for output in record.get("outputs", ()) if self._has(output)]

    def _has(self, output: dict[str, Any]) -> bool:
        path = self._out / output["file"]
        return path.is_file() and bool(path.stat().st_size == output["bytes"])

    def _is_good(self, output: dict[str, Any], job: Job) -> bool:
        """Whether a result has every byte as it was written."""
        path = self._out / output["file"]
        if not self._has(output):
            return False
        if "key" in output:
            return holds(path, output["key"])
        # A record of an earlier version tells the size alone; whoever wrote the file later than it changed the file.
        return bool(path.stat().st_mtime <= self._path(job.target).stat().st_mtime)

    def all(self) -> Iterator[dict[str, Any]]:
        """Every record, by the name of the result."""
        found = [self._read(path) for path in self._folder.glob("*.json")]
        yield from sorted((each for each in found if each is not None), key=lambda each: each["target"])

    def _path(self, target: str) -> Path:
        # A digest: names of files may be as long as a file system allows.
        return self._folder / f"{hashlib.sha256(target.encode()).hexdigest()[:32]}.json"

    def _read(self, path: Path) -> dict[str, Any] | None:
        """A record; None if it is missing, damaged or of another version."""
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return record if record.get("version") == _VERSION else None


def warnings_of(record: dict[str, Any]) -> list[str]:
    """What was noticed about a file and about its clips."""
    own = [warning for clip in record.get("clips", ()) for warning in clip.get("warnings", ())]
    return [*record.get("warnings", ()), *own]

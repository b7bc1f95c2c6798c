"""A crew that does the jobs of a run in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from motion_editing.core.errors import MotionEditError
from motion_editing.motion_editing_addon.batch.recipes.recipe import Recipe
from motion_editing.motion_editing_addon.batch.running.job import Job, run_job


class Direct:
    """Answers come as JSON, as from a worker."""

    def __init__(self, jobs: Sequence[Job], recipe: Recipe) -> None:
        self.jobs, self._recipe = jobs, recipe

    def answers(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The record of every job, or why it could not be done."""
        for number, job in enumerate(self.jobs):
            try:
                yield number, json.loads(json.dumps({"record": run_job(job, self._recipe)}))
            except MotionEditError as error:
                yield number, {"error": str(error)}

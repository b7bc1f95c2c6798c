"""A process that keeps Blender loaded and does jobs: one line of JSON in, one line of JSON out."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from ....core.errors import MotionEditError
from ..recipes.recipe import Recipe, read_recipe
from .job import Job, run_job

# Starts every line of ours: Blender prints its own name before anything else can be done about it.
MARK = "motion_edit:"


def work() -> int:
    """Do the jobs that come in until the input ends."""
    answers = _private_output()
    _say(answers, {"ready": os.getpid()})
    recipes: dict[str, Recipe] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        _say(answers, _answer(asked, recipes, lambda clip: _say(answers, {"clip": clip})))
    return 0


def _private_output() -> IO[str]:
    """Our own way out; whatever Blender prints from now on goes nowhere."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    sys.stdout.flush()
    os.dup2(nowhere, sys.stdout.fileno())
    return answers


def _say(answers: IO[str], data: dict[str, Any]) -> None:
    answers.write(f"{MARK}{json.dumps(data)}\n")
    answers.flush()


def _answer(asked: dict[str, Any], recipes: dict[str, Recipe], begun: Callable[[str], None]) -> dict[str, Any]:
    """The record of a job, or the reason why it could not be done; every clip is told as it is begun."""
    try:
        path = asked["recipe"]
        if path not in recipes:
            recipes[path] = read_recipe(Path(path))
        if recipes[path].key != asked["recipe_key"]:
            raise MotionEditError(f"{path}: the recipe has changed since the run began")
        return {"record": run_job(Job.from_data(asked["job"]), recipes[path], begun=begun)}
    except MotionEditError as error:
        return {"error": " ".join(str(error).split())}
    except Exception as error:
        # A defect of ours or of an importer must not stop the other clips; the trace helps to mend it.
        return {"error": f"unexpected {type(error).__name__}: {error}", "trace": traceback.format_exc()}

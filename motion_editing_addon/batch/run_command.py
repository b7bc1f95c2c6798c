"""`run`: from options to a run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ...core.wording import counted
from . import command
from .formats.clip_files import start_empty
from .recipes.recipe import Recipe, RecipeError, read_recipe
from .recipes.recipe_check import nearest
from .recipes.reference_clips import LoadedReferences
from .recipes.target import LoadedTarget
from .running.farm import DaskCrew, Tls
from .running.plan import PlanError, plan_jobs, prepare_folder
from .running.pool import Pool
from .running.run import Crew, Summary, questions_of, run, unfinished
from .silence import blender_quiet

# Recipes that come with the extension.
SHIPPED = Path(__file__).resolve().parents[2] / "recipes"


def run_command(options: argparse.Namespace, start: Sequence[str]) -> int:
    """Check everything, run, say how it went; gives the exit code."""
    recipe = read_recipe(recipe_path(options.recipe))
    try_files(recipe)
    if options.check:
        print(f"{recipe.path}: {counted(len(recipe.steps), 'step')}, all right", flush=True)
        return command.DONE
    if not options.inputs or options.out is None:
        raise PlanError("say what to edit and where to put it: run RECIPE INPUT... --out DIR")
    summary = _run(options, start, recipe)
    print(summary.text(), flush=True)
    if summary.interrupted:
        return command.INTERRUPTED
    failed = summary.failed or summary.partly
    return command.SOME_FAILED if failed and not options.accept_failures else command.DONE


def try_files(recipe: Recipe) -> None:
    """Read what every clip needs once before the run: else every clip would fail of it.

    Raises:
        MotionEditError: The target or a reference cannot be read, or it is not clear what of it is meant.
    """
    if recipe.target is None and not recipe.references:
        return

    with blender_quiet():
        start_empty()
        LoadedReferences(recipe.references)
        if recipe.target is not None:
            LoadedTarget(recipe.target)


def recipe_path(given: Path) -> Path:
    """The file, or the shipped recipe with this name."""
    if given.exists() or given.suffix or len(given.parts) > 1:
        return given
    shipped = {path.stem: path for path in sorted(SHIPPED.glob("*.toml"))}
    if str(given) not in shipped:
        hint = nearest(str(given), shipped) or f"; shipped are {', '.join(shipped) or 'none'}"
        raise RecipeError(f"there is no recipe '{given}'{hint}")
    return shipped[str(given)]


def _run(options: argparse.Namespace, start: Sequence[str], recipe: Recipe) -> Summary:
    jobs = plan_jobs(
        options.inputs,
        options.out,
        suffix=f".{options.format}" if options.format else "",
        actions=options.action,
        pictures=not options.no_pictures,
        part=options.part,
    )
    prepare_folder(options.out)
    left = unfinished(jobs, recipe, options.out) if options.resume else jobs
    print(f"{recipe.title}: {len(left)} of {counted(len(jobs), 'file')} to edit", file=sys.stderr, flush=True)
    summary = run(left, recipe, options.out, _crew(options, start, questions_of(left, recipe)))
    summary.skipped = len(jobs) - len(left)
    return summary


def _crew(options: argparse.Namespace, start: Sequence[str], questions: list[dict[str, object]]) -> Crew:
    if not options.dask:
        return Pool(start, questions, jobs=options.jobs, limit=options.time_limit)

    return DaskCrew(
        options.dask,
        start,
        questions,
        limit=options.time_limit,
        tls=Tls(*options.dask_tls) if options.dask_tls else None,
    )

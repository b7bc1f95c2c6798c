"""Files of which an earlier run has done a part: which clips are kept, and one record of both runs."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..recipes.recipe import Recipe

Record = dict[str, Any]


def kept_actions(record: Record, recipe: Recipe, there: Collection[str]) -> tuple[str, ...]:
    """Names of the actions of a file that need not be done again: their results are in files of their own.

    Args:
        record: Of the earlier run, in which a clip failed or whose results are no longer all there.
        recipe: What is to be done.
        there: Names of the outputs that are as they were written.
    """
    names = dict.fromkeys(part["action"] for part in (*record["clips"], *record["failures"]))
    if any(value in names for step in recipe.steps for value in step.values.values() if isinstance(value, str)):
        return ()  # a step needs another clip of the file as the steps have left it
    lost = {part["action"] for part in record["clips"] if not part.get("files") or not {*part["files"]} <= {*there}}
    lost |= {part["action"] for part in record["failures"]}
    # Where no clip has lost its files, something is gone that all of them need.
    return tuple(name for name in names if name not in lost) if lost else ()


def together(earlier: Record, later: Record, kept: tuple[str, ...]) -> Record:
    """One record, as if a single run had done the clips that were kept and those that were done later."""
    clips = [pair for pair in _with_pictures(earlier) if pair[0]["action"] in kept]
    files = {file for clip, _picture in clips for file in clip["files"]}
    clips = sorted([*clips, *_with_pictures(later)], key=lambda pair: pair[0]["number"])
    return {
        **later,
        "outputs": [*(each for each in earlier["outputs"] if each["file"] in files), *later["outputs"]],
        "clips": [clip for clip, _picture in clips],
        "pictures": [picture for _clip, picture in clips],
        "warnings": list(dict.fromkeys([*earlier["warnings"], *later["warnings"]])),
    }


def _with_pictures(record: Record) -> list[tuple[Record, Any]]:
    return list(zip(record["clips"], record["pictures"], strict=True))

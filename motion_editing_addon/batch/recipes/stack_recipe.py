"""The text of a recipe that does what a stack of edits does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...document.stack import parameters
from .catalog import Edit, edits

if TYPE_CHECKING:
    from bpy.types import PropertyGroup


def recipe_text(title: str, entries: list[PropertyGroup]) -> str:
    """A recipe with a step for each entry that is not muted and can be one."""
    steps = ["\n".join(_step(entry)) for entry in entries if is_step(entry) and not entry.is_muted]
    return "\n\n".join((f"title = {json.dumps(title, ensure_ascii=False)}", *steps)) + "\n"


def is_step(entry: PropertyGroup) -> bool:
    """Whether an entry can be done to other clips: not keys and poses that were set by hand."""
    return entry.tool in edits()


def _step(entry: PropertyGroup) -> Iterator[str]:
    edit = edits()[entry.tool]
    yield "[[step]]"
    yield f'edit = "{entry.tool}"'
    if entry.bones:
        yield f"bones = {json.dumps(entry.bones.splitlines(), ensure_ascii=False)}"
    if entry.has_range:
        yield f"frames = [{entry.start:g}, {entry.end:g}]"
    if entry.influence < 1.0:
        yield f"influence = {entry.influence:g}"
    values = dict(_values(entry, edit))
    if values:
        yield "with = { " + ", ".join(f"{name} = {text}" for name, text in values.items()) + " }"


def _values(entry: PropertyGroup, edit: Edit) -> Iterator[tuple[str, str]]:
    """The parameters that are not as the recipe's own defaults; the range is told by frames."""
    given = json.loads(parameters.state_of(entry))[1] or {}
    for name, value in given.items():
        parameter = edit.parameter(name)
        if parameter is not None and name != "range":
            shown = parameter.for_recipe(value)
            if shown != parameter.default:
                yield name, _toml(shown)


def _toml(value: Any) -> str:
    """A value as TOML writes it."""
    return json.dumps(value, ensure_ascii=False)

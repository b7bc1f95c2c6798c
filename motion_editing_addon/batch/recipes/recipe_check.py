"""Everything that can be wrong in a recipe, found before any work starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from ....core.body import ROLES
from ..formats.file_format import is_known, suffixes
from .catalog import CHOOSING, RETARGETING, WINDOW, Edit, edits
from .recipe_lines import Place
from .value_check import expected, is_right

_RECIPE_NAMES = ("title", "description", "reference", "target", "step")
_STEP_NAMES = ("edit", "with", "bones", "frames", "seconds", "influence")
_REFERENCE_NAMES = ("name", "file", "action")
_TARGET_NAMES = ("file", "armature")
# What Blender allows as the last frame of a scene.
_LAST_FRAME = 1_048_574
# Roles of a body that are bones.
BODY_PARTS = tuple(role for role in ROLES if role not in ("up axis", "forward axis", "height"))


class Problem(NamedTuple):
    """A mistake: where it is, and a line that says what was expected."""

    place: Place
    text: str


def nearest(name: str, known: Iterable[str]) -> str:
    """What was probably meant, as the end of a sentence; empty where nothing is near."""
    found = get_close_matches(str(name), list(known), n=1, cutoff=0.5)
    return f"; did you mean '{found[0]}'?" if found else ""


def problems_of(content: dict[str, Any], folder: Path) -> list[Problem]:
    """All mistakes of a recipe.

    Args:
        content: What TOML says.
        folder: To which the names of reference clips are relative.
    """
    return [
        *_unknown_names(content, _RECIPE_NAMES, Place(), "the recipe"),
        *_texts(content, ("title", "description"), Place(), "the recipe"),
        *_references(content.get("reference", []), folder),
        *_target(content, folder),
        *_steps(content.get("step")),
    ]


def _unknown_names(content: dict[str, Any], known: tuple[str, ...], place: Place, what: str) -> Iterator[Problem]:
    for name in content:
        if name not in known:
            hint = nearest(name, known) or f"; there are {', '.join(known)}"
            yield Problem(place._replace(name=name), f"{what} has no '{name}'{hint}")


def _texts(content: dict[str, Any], names: tuple[str, ...], place: Place, what: str) -> Iterator[Problem]:
    for name in names:
        if not isinstance(content.get(name, ""), str):
            yield Problem(place._replace(name=name), f"{what}: '{name}' must be a text, not {content[name]!r}")


def _tables(content: Any, name: str) -> tuple[list[dict[str, Any]], list[Problem]]:
    if isinstance(content, list) and all(isinstance(each, dict) for each in content):
        return content, []
    return [], [Problem(Place(name=name), f"'{name}' must be a list of tables: write [[{name}]] above each")]


def _references(content: Any, folder: Path) -> Iterator[Problem]:
    tables, wrong = _tables(content, "reference")
    yield from wrong
    for number, table in enumerate(tables):
        place, what = Place("reference", number), f"reference {number + 1}"
        yield from _unknown_names(table, _REFERENCE_NAMES, place, what)
        yield from _texts(table, _REFERENCE_NAMES, place, what)
        if not table.get("name"):
            yield Problem(place, f"{what} needs a name, by which steps call it")
        elif table["name"] in [each.get("name") for each in tables[:number]]:
            yield Problem(place._replace(name="name"), f"{what}: there is a reference '{table['name']}' before it")
        yield from _file(table.get("file"), folder, place, what)


def _target(content: dict[str, Any], folder: Path) -> Iterator[Problem]:
    """A target needs a step that puts motion on it, and only the target of the recipe itself."""
    if "target" not in content:
        return
    table, place, what = content["target"], Place("target"), "the target"
    if not isinstance(table, dict):
        yield Problem(Place(name="target"), "'target' must be a table: write [target] above it")
        return
    yield from _unknown_names(table, _TARGET_NAMES, place, what)
    yield from _texts(table, _TARGET_NAMES, place, what)
    yield from _file(table.get("file"), folder, place, what)
    steps = [step for step in _tables(content.get("step"), "step")[0] if step.get("edit") == RETARGETING]
    if not steps:
        yield Problem(place, f"{what} is of no use without a step with the edit '{RETARGETING}'")
    if any(isinstance(step.get("with"), dict) and "target" in step["with"] for step in steps):
        yield Problem(place, f"{what} is named twice: leave out 'target' of the step, or [target]")


def _file(name: Any, folder: Path, place: Place, what: str) -> Iterator[Problem]:
    if not isinstance(name, str) or not name:
        yield Problem(place, f"{what} needs a file")
    elif not is_known(Path(name)):
        yield Problem(place._replace(name="file"), f"{what}: '{name}' is none of {', '.join(suffixes())}")
    elif not (folder / name).is_file():
        yield Problem(place._replace(name="file"), f"{what}: there is no file {folder / name}")


def _steps(content: Any) -> Iterator[Problem]:
    if content is None or content == []:
        yield Problem(Place(), 'the recipe has no step: write [[step]] and, below it, edit = "NAME"')
        return
    tables, wrong = _tables(content, "step")
    yield from wrong
    for number, table in enumerate(tables):
        yield from _step(table, Place("step", number))
        if table.get("frames") == WINDOW and not any(each.get("edit") == CHOOSING for each in tables[:number]):
            text = f"step {number + 1}: frames = \"{WINDOW}\" needs a step '{CHOOSING}' before it, which chooses them"
            yield Problem(Place("step", number, "frames"), text)


def _step(table: dict[str, Any], place: Place) -> Iterator[Problem]:
    name, known = table.get("edit"), edits()
    edit = known.get(name) if isinstance(name, str) else None
    what = f"step {place.number + 1}" + (f" ({name})" if edit else "")
    yield from _unknown_names(table, _STEP_NAMES, place, what)
    if name is None:
        yield Problem(place, f"{what} needs an edit: `motion_edit list` names them")
    elif edit is None:
        text = f"{what}: there is no edit {name!r}{nearest(name, known)}"
        yield Problem(place._replace(name="edit"), text)
    else:
        yield from _values(table.get("with", {}), edit, place, what)
    yield from _bones(table.get("bones", []), place, what)
    share = table.get("influence", 1.0)
    if not isinstance(share, (int, float)) or isinstance(share, bool) or not 0.0 <= share <= 1.0:
        yield Problem(place._replace(name="influence"), f"{what}: 'influence' must be a number from 0 to 1")
    yield from _ranges(table, edit, place, what)


def _values(values: Any, edit: Edit, place: Place, what: str) -> Iterator[Problem]:
    if not isinstance(values, dict):
        yield Problem(place._replace(name="with"), f"{what}: 'with' must be a table of parameters")
        return
    for name, value in values.items():
        parameter = edit.parameter(name)
        where = place._replace(name=name)
        if parameter is None:
            names = [each.name for each in edit.parameters]
            hint = nearest(name, names) or f"; there are {', '.join(names) or 'none'}"
            yield Problem(where, f"{what} has no parameter '{name}'{hint}")
        elif not is_right(parameter, value):
            hint = nearest(value, parameter.choices) if isinstance(value, str) else ""
            yield Problem(where, f"{what}: '{name}' must be {expected(parameter)}, not {value!r}{hint}")


def _bones(bones: Any, place: Place, what: str) -> Iterator[Problem]:
    patterns = [bones] if isinstance(bones, str) else bones
    if not isinstance(patterns, list) or not all(isinstance(each, str) and each for each in patterns):
        yield Problem(place._replace(name="bones"), f"{what}: 'bones' must be a list of patterns such as \"*arm*\"")
        return
    for part in (pattern.removeprefix("!")[1:] for pattern in patterns if pattern.startswith(("@", "!@"))):
        if part not in BODY_PARTS:
            hint = nearest(part, BODY_PARTS) or f"; there are {', '.join(BODY_PARTS)}"
            yield Problem(place._replace(name="bones"), f"{what}: there is no body part '{part}'{hint}")


def _is_range(value: Any) -> bool:
    """Two numbers in order, within the frames that Blender knows."""
    numbers = isinstance(value, list) and all(type(each) in (int, float) for each in value)
    return numbers and len(value) == 2 and -_LAST_FRAME <= value[0] < value[1] <= _LAST_FRAME


def _ranges(table: dict[str, Any], edit: Edit | None, place: Place, what: str) -> Iterator[Problem]:
    asked = [name for name in ("frames", "seconds") if name in table]
    for name in asked:
        value, where = table[name], place._replace(name=name)
        if not (_is_range(value) or (name, value) == ("frames", WINDOW)):
            yield Problem(where, f"{what}: '{name}' must be [first, last] with first below last, not {value!r}")
        elif edit is not None and edit.parameter("range") is None:
            yield Problem(where, f"{what}: this edit has no range; leave '{name}' out")
    if len(asked) == 2:
        yield Problem(place._replace(name="seconds"), f"{what}: give 'frames' or 'seconds', not both")
    given = table.get("with")
    if asked and isinstance(given, dict) and "range" in given:
        text = f"{what}: 'range' is set by '{asked[0]}'; leave one of them out"
        yield Problem(place._replace(name="range"), text)

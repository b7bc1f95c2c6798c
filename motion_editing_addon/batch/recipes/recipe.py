"""Recipes: TOML files with ordered steps, reference clips, a target, ranges and bone filters."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ....core.errors import MotionEditError
from .recipe_check import problems_of
from .recipe_lines import RecipeLines


class RecipeError(MotionEditError):
    """A recipe is wrong; every line of the message says where, what was expected and the nearest right name."""


@dataclass(frozen=True)
class Reference:
    """A clip that is loaded beside the edited one, as an action with this name."""

    name: str
    file: Path
    action: str = ""


@dataclass(frozen=True)
class Target:
    """The armature that the motions are put on; its name is needed where the file has several."""

    file: Path
    armature: str = ""


@dataclass(frozen=True)
class Step:
    """One edit.

    Attributes:
        edit: Its name in the catalog.
        values: Parameters as the recipe writes them.
        bones: Patterns of names; those with '!' in front leave bones out; none stands for all bones.
        frames: First and last frame that may change, or WINDOW for those that a step before has chosen.
        seconds: The same in seconds from the clip's start.
        influence: Share by which it counts, from 0 to 1.
    """

    edit: str
    values: dict[str, Any] = field(default_factory=dict)
    bones: tuple[str, ...] = ()
    frames: tuple[float, float] | str | None = None
    seconds: tuple[float, float] | None = None
    influence: float = 1.0


@dataclass(frozen=True)
class Recipe:
    """A checked recipe; `key` is the same for the same steps with the same references and target."""

    path: Path
    title: str
    steps: tuple[Step, ...]
    references: tuple[Reference, ...]
    target: Target | None
    key: str


def read_recipe(path: Path) -> Recipe:
    """Read and check a recipe in full.

    Raises:
        RecipeError: It cannot be read, or something in it is wrong: one line for each mistake.
    """
    text = _text(path)
    lines = RecipeLines(text)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RecipeError(f"{path}: this is no valid TOML: {error}") from None
    problems = problems_of(content, path.parent)
    if problems:
        said = sorted(((lines.number(each.place), each.text) for each in problems), key=lambda each: each[0])
        raise RecipeError("\n".join(f"{path}:{number}: {text}" for number, text in said))
    return _recipe(path, text, content)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors begin a text with a mark
    except OSError as error:
        raise RecipeError(f"{path}: the recipe cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecipeError(f"{path}: the recipe is no text in UTF-8") from None


def _recipe(path: Path, text: str, content: dict[str, Any]) -> Recipe:
    references = tuple(
        Reference(each["name"], path.parent / each["file"], each.get("action", ""))
        for each in content.get("reference", ())
    )
    target = None
    if "target" in content:
        target = Target(path.parent / content["target"]["file"], content["target"].get("armature", ""))
    key = hashlib.sha256(text.encode())
    for used in (*(each.file for each in references), *([target.file] if target else [])):
        key.update(used.read_bytes())
    steps = tuple(_step(each) for each in content["step"])
    title = " ".join(content.get("title", path.stem).split())
    return Recipe(path, title, steps, references, target, key.hexdigest())


def _step(content: dict[str, Any]) -> Step:
    bones, frames = content.get("bones", ()), content.get("frames")
    return Step(
        content["edit"],
        content.get("with", {}),
        (bones,) if isinstance(bones, str) else tuple(bones),
        tuple(frames) if isinstance(frames, list) else frames,
        tuple(content["seconds"]) if "seconds" in content else None,
        float(content.get("influence", 1.0)),
    )

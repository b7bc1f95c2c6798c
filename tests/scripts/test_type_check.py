"""The check of types: what mypy says is read, and what Blender is to blame for left out."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from workshop import type_check
from workshop.environments import types_environment
from workshop.places import PROJECT
from workshop.type_check import Problem

LINK = Path("/somewhere/motion_editing")
MISSING = Problem("core/made.py", 3, 'Name "missing" is not defined', "name-defined")


def test_what_mypy_prints_is_read() -> None:
    output = (
        f'{LINK}/core/made.py:3: error: Name "missing" is not defined  [name-defined]\n'
        f"{LINK}/core/made.py:3: note: Did you forget to import it?\n"
    )
    assert type_check.read_problems(output, LINK) == [MISSING]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Invalid type comment or annotation", 0),
        ('"Action" has no attribute "motion_editing_contacts"', 0),
        ('"Action" has no attribute "motion"', 1),
        ('Item "None" of "Action | None" has no attribute "motion_editing_contacts"', 1),
        ('Item "None" of "Scene | None" has no attribute "frame_set"', 0),
        ('Item "None" of "AnimData | None" has no attribute "action"', 1),
        ('Item "None" of "Drag | None" has no attribute "end"', 1),
    ],
)
def test_what_only_the_stubs_are_to_blame_for_is_left_out(text: str, left: int) -> None:
    output = f"{LINK}/motion_editing_addon/made.py:3: error: {text}  [some-code]\n"
    assert len(type_check.read_problems(output, LINK)) == left


def test_the_environment_has_what_developers_are_told_to_install() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = {*project["dependencies"], *project["optional-dependencies"]["development"]}
    assert set(types_environment().requirements) <= told

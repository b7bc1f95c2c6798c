"""Doors that open when something behind them is used."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import core

PROJECT = Path(core.__file__).resolve().parents[1]
DOORS = [
    ".".join(path.parent.relative_to(PROJECT).parts)
    for path in sorted((PROJECT / "core").rglob("__init__.py"))
    if "lazy_door(__name__)" in path.read_text(encoding="utf-8")
]


def listed(package: ModuleType) -> list[str]:
    """What a door imports for those who check types."""
    tree = ast.parse(Path(package.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    return [each.asname or each.name for node in block.body for each in node.names]


@pytest.mark.parametrize("door", DOORS)
def test_every_listed_name_is_behind_its_door(door):
    package = import_module(door)
    for name in listed(package):
        assert getattr(package, name) is not None


@pytest.mark.parametrize("door", DOORS[1:])
def test_no_module_hides_a_name_of_its_door(door):
    # Importing the module would put it in the place of the name.
    package = import_module(door)
    folder = Path(package.__file__).parent
    hidden = [name for name in listed(package) if callable(getattr(package, name)) and (folder / f"{name}.py").exists()]
    assert not hidden


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'missing'"):
        _ = core.filters.missing
    with pytest.raises(ImportError):
        exec("from core.filters import missing")

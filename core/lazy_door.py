"""Doors of packages that open when something behind them is used: enabling the extension loads no NumPy."""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path


def lazy_door(package: str) -> Callable[[str], object]:
    """`__getattr__` of a package: what it lists under `if TYPE_CHECKING:` is imported when first asked for.

    Args:
        package: Its `__name__`.
    """
    places: dict[str, tuple[str, str]] = {}

    def open_door(name: str) -> object:
        if not places:
            places.update(_listed(package))
        if name in places:
            module, original = places[name]
            found = import_module(module, package)
            value = getattr(found, original) if original else found
        elif not name.startswith("_") and find_spec(f"{package}.{name}") is not None:
            value = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        setattr(sys.modules[package], name, value)
        return value

    return open_door


def _listed(package: str) -> dict[str, tuple[str, str]]:
    """Where each name of a door comes from: module, and its name there, empty for the module itself."""
    tree = ast.parse(Path(str(sys.modules[package].__file__)).read_text(encoding="utf-8"))
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            for alias in node.names:
                module = "." * node.level + (node.module or alias.name)
                found[alias.asname or alias.name] = (module, alias.name if node.module else "")
    return found

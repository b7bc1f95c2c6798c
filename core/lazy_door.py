"""Doors of packages that open when something behind them is used: enabling the extension loads no NumPy."""

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

# Of a door's own source: `from .module import name, other` on one line, or on several in brackets.
_IMPORT = re.compile(r"^ +from (\.[\w.]*) import (\([^)]*|[^(\n]+)", re.MULTILINE)


def lazy_door(package: str) -> Callable[[str], object]:
    """`__getattr__` of a package: what it lists under `if TYPE_CHECKING:` is imported when first asked for.

    Args:
        package: Its `__name__`.
    """

    def open_door(name: str) -> object:
        if name in _listed(package):
            module, original = _listed(package)[name]
            found = import_module(module, package)
            value = getattr(found, original) if original else found
        elif not name.startswith("_") and find_spec(f"{package}.{name}") is not None:
            value = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        setattr(sys.modules[package], name, value)
        return value

    return open_door


@cache
def _listed(package: str) -> dict[str, tuple[str, str]]:
    """Where each name of a door comes from: module, and its name there, empty for the module itself."""
    text = Path(str(sys.modules[package].__file__)).read_text(encoding="utf-8")
    found = {}
    for module, names in _IMPORT.findall(text):
        for name in names.replace("\n", " ").replace("(", "").split(","):
            original, _, alias = name.strip().partition(" as ")
            if original:
                whole = module if module.strip(".") else f"{module}{original}"
                found[alias or original] = (whole, original if module.strip(".") else "")
    return found

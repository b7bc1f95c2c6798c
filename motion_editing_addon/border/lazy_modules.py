"""Modules that are loaded when something of them is used, so that enabling the extension loads no NumPy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from os import listdir
from typing import TYPE_CHECKING

from ...core.lazy_door import lazy_door

__all__ = ["LazyModule", "is_loaded", "lazy_submodules", "np"]


class LazyModule:
    """Stands for a module: whatever is asked of it, or set, is passed on to the module, which is loaded then.

    Args:
        name: The module's whole name.
    """

    __slots__ = ("_name",)
    _name: str

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_name", name)

    def __getattr__(self, name: str) -> object:
        return getattr(import_module(self._name), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(import_module(self._name), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(import_module(self._name), name)

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return import_module, (self._name,)

    def __repr__(self) -> str:
        return f"<lazy module '{self._name}'>"


def lazy_submodules(package: str) -> Callable[[str], object]:
    """`__getattr__` of a package: `from package import module` loads nothing before something of it is used.

    It stands before the package's imports of its own modules. Names that the package lists under
    `if TYPE_CHECKING:` are imported when first asked for, as by `lazy_door`.

    Args:
        package: Its `__name__`.
    """
    door = lazy_door(package)

    def given(name: str) -> object:
        return LazyModule(f"{package}.{name}") if name in _modules(package) else door(name)

    return given


@cache
def _modules(package: str) -> frozenset[str]:
    """Names of the modules and packages in the folder of a package; quicker than to look for each."""
    return frozenset(entry.partition(".")[0] for entry in listdir(sys.modules[package].__path__[0]))


def is_loaded(module: object) -> bool:
    """Whether a module was used already, so that it may keep something."""
    return not isinstance(module, LazyModule) or module._name in sys.modules


if TYPE_CHECKING:
    import numpy as np
else:
    np = LazyModule("numpy")

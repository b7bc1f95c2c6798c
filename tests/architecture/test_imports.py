"""Imports stand at the top of a module: what should be loaded later is a lazy module."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from exceptions_list import compared
from source import Module, modules

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def test_nothing_is_imported_within_functions():
    compared("later", [f"{module.place}: {name}" for module in modules() for name in _imported_later(module)])


def _imported_later(module: Module) -> Iterator[str]:
    """Modules that are imported within functions."""
    functions = [node for node in ast.walk(module.tree) if isinstance(node, _FUNCTIONS)]
    for node in {node for function in functions for node in ast.walk(function)}:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield f"{'.' * node.level}{node.module or ''}"

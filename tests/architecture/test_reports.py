"""Reports go through the functions that translate them; modules that do not yet are in a list that gets shorter."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from exceptions_list import compared
from source import Module, modules

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Shorter ones are units.
_WORD = re.compile(r"[A-Za-z]{3}")
# What translates, and what does not.
_ENGLISH = ("core", "motion_editing_addon.batch", "motion_editing_addon.border.translation")
# Methods that show a text to the user.
_TELLING = {"report", "tell"}


def test_reports_are_translated():
    """The commands of batch processing are read by programs, and stay English."""
    found = [each.place for each in modules() if not each.name.startswith(_ENGLISH) and _tells_english(each)]
    compared("reports", found)


def _tells_english(module: Module) -> bool:
    return any(_wordy(text) for text in _told(module)) or ("core.wording", "counted") in set(module.imports())


def _told(module: Module) -> Iterator[ast.AST]:
    """What is reported, what names stand for in it, and what functions give that are called texts."""
    for function in filter(lambda node: isinstance(node, _FUNCTIONS), ast.walk(module.tree)):
        if function.name.endswith("_text"):
            yield from (node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value)
        calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and _is_telling(node)]
        names = {node.id for call in calls for node in ast.walk(call) if isinstance(node, ast.Name)}
        yield from calls
        for node in ast.walk(function):
            if isinstance(node, ast.Assign | ast.AugAssign) and names & _targets(node):
                yield node.value


def _is_telling(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in _TELLING


def _targets(node: ast.Assign | ast.AugAssign) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {each.id for each in targets if isinstance(each, ast.Name)}


def _wordy(text: ast.AST) -> bool:
    """Whether words stand between values that are filled in before anything could be translated."""
    parts = [part for node in ast.walk(text) if isinstance(node, ast.JoinedStr) for part in node.values]
    return any(isinstance(part, ast.Constant) and _WORD.search(str(part.value)) for part in parts)

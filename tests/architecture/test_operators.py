"""Operators stand on few classes: what one does is a plain object that it has."""

from __future__ import annotations

import ast

from source import ROOT

LEVELS = 3


def classes() -> dict[str, list[str]]:
    """Names of the bases of every class of the add-on."""
    found = {}
    for path in (ROOT / "motion_editing_addon").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name] = [base.id for base in node.bases if isinstance(base, ast.Name)]
    return found


def level(name: str, bases: dict[str, list[str]]) -> int:
    """How many classes of ours stand above each other, this one included."""
    return 1 + max((level(base, bases) for base in bases[name] if base in bases), default=0)


def test_levels_are_counted():
    bases = {"A": ["Operator"], "B": ["A"], "C": ["B", "A"], "D": ["C", "Operator"]}
    assert [level(name, bases) for name in "ABCD"] == [1, 2, 3, 4]


def test_operators_are_at_most_three_levels_deep():
    bases = classes()
    operators = [name for name in bases if "_OT_" in name]
    assert len(operators) > 100
    assert not [name for name in operators if level(name, bases) > LEVELS]

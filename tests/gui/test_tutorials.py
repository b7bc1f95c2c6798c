"""Every walk-through of the manual is played in the window, with the words that the page has."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from numbered_lists import NOT_PLAYED, pages, walkthroughs, words

SCENARIOS = sorted((Path(__file__).resolve().parent / "scenarios" / "tutorials").glob("*.py"))
WALKTHROUGHS = [(page, heading) for page in pages() for heading in walkthroughs(page)]


def played_texts() -> list[str]:
    """What the functions of all tutorials say they do, in their order."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in SCENARIOS]
    functions = [node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [words(ast.get_docstring(function) or "") for function in functions]


@pytest.mark.parametrize(("page", "heading"), WALKTHROUGHS, ids=lambda value: value)
def test_a_tutorial_plays_the_steps_word_for_word(page: str, heading: str) -> None:
    texts = played_texts()
    missing = [step for step in walkthroughs(page)[heading] if step not in texts]
    assert not missing or (page, heading) in NOT_PLAYED

"""Interface text as Blender's own: short sentences without full stops, in words that animators use.

What does not keep to that yet is in `interface_text.toml`, which only gets shorter.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest
from interface_texts import Tooltip, all_tooltips

LIST = Path(__file__).with_name("interface_text.toml")
LENGTH = 70
BANNED = re.compile(
    r"\b(let|lets|anew|shall|nobody|take away|takes away|taken away|quicker|is no|so many times|joints?|moments?"
    r"|ticked|tick|late|lateness|trembling|creep|creeps)\b",
    re.IGNORECASE,
)


def broken(rule: str) -> set[str]:
    """Where a rule does not hold."""
    tips = {f"{tip.owner}.{tip.option}".strip("."): tip for tip in all_tooltips()}
    if rule == "several texts":
        return _told_differently(list(tips.values()))
    return {name for name, tip in tips.items() if RULES[rule](tip)}


def _told_differently(tips: list[Tooltip]) -> set[str]:
    """Options of one name with more than one text."""
    texts = defaultdict(set)
    for tip in tips:
        if tip.option and "." not in tip.option:
            texts[tip.option, tip.label].add(tip.text)
    return {f"{option} ({label})" for (option, label), found in texts.items() if len(found) > 1}


RULES = {
    "no text": lambda tip: not tip.text.strip(),
    "full stop": lambda tip: tip.text.rstrip().endswith("."),
    "long": lambda tip: len(tip.text) > LENGTH,
    "words": lambda tip: BANNED.search(tip.text) or BANNED.search(tip.label),
    "several texts": None,
}


@pytest.mark.parametrize("rule", RULES)
def test_text_keeps_to_the_rules(rule):
    listed = set(tomllib.loads(LIST.read_text(encoding="utf-8"))[rule])
    found = broken(rule)
    assert not sorted(found - listed), f"{rule}: mend the text"
    assert not sorted(listed - found), f"{rule}: take these out of {LIST.name}"

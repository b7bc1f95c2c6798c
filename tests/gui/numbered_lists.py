"""The walk-throughs of the manual: the numbered lists of its pages, by the heading above each."""

from __future__ import annotations

import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
# The zip is installed as the page says, but from a script: Blender asks for the file in a window of its own.
NOT_PLAYED = {("README.md", "Install")}

_ITEM = re.compile(r"(\d+)\. (.+)")
_BOLD = re.compile(r"\*\*(.+?)\*\*")


def pages() -> list[str]:
    """README and every page of the manual."""
    return ["README.md", *sorted(f"docs/{path.name}" for path in (PROJECT / "docs").glob("*.md"))]


def walkthroughs(page: str) -> dict[str, list[str]]:
    """Steps of each numbered list of a page, by its heading."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in (PROJECT / page).read_text(encoding="utf-8").splitlines():
        item = _ITEM.fullmatch(line)
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif item:
            steps = found.setdefault(heading, [])
            steps.append(item[2])
            assert int(item[1]) == len(steps), f"{page}, {heading}: step {len(steps)} has the number {item[1]}"
    return found


def words(text: str) -> str:
    """A text in one line, as pages write it."""
    return " ".join(text.split())


def bold(text: str) -> list[str]:
    """What a step shows in bold: names in the interface."""
    return _BOLD.findall(text)

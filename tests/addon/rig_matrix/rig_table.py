"""The table of tools and rigs in the manual."""

from __future__ import annotations

import re
from dataclasses import dataclass

import bpy
from tool_calls import TOOLS
from walking_rigs import RIGS
from workshop import places

PAGE = places.PROJECT / "docs" / "your_rig.md"
KINDS = [rig.title for rig in RIGS.values()]
WORKS = "yes"
# Several operators have this name; its page tells of the gesture in the view.
_OTHER_LABELS = {"apply_staggered_pose": "Edit Pose"}


@dataclass(frozen=True)
class RigTable:
    """What the manual tells.

    Attributes:
        kinds: Titles of the rigs.
        rows: Tools of each row, by operator.
        told: What a tool says on a kind of rig; empty if it works.
    """

    kinds: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    reasons: dict[tuple[str, str], str]

    @property
    def tools(self) -> list[str]:
        """All of them."""
        return [name for row in self.rows for name in row]

    def tried(self, is_slow: bool) -> list[str]:
        """All tools, or the first one of each row."""
        return [row[0] for row in self.rows] if is_slow else self.tools

    def told(self, name: str, kind: str) -> str:
        """What a tool says on a kind of rig; empty if it works."""
        return self.reasons[name, RIGS[kind].title]


def read_table() -> RigTable:
    """The table with a column for plain skeletons."""
    text = PAGE.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| tools | {KINDS[0]}"))
    groups = [_parts(cell) for cell in _cells(lines[start])[1:]]
    notes = dict(re.findall(r"^- \*\*(\d+)\*\* `([^`]+)`", text, flags=re.MULTILINE))
    rows, reasons = [], {}
    for line in lines[start + 2 :]:
        names, *cells = _cells(line)
        rows.append(tuple(_operator(label) for label in _parts(names)))
        for group, cell in zip(groups, cells, strict=True):
            told = "" if cell == WORKS else notes[cell]
            reasons |= {(name, kind): told for name in rows[-1] for kind in group}
    return RigTable(tuple(kind for group in groups for kind in group), tuple(rows), reasons)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def _parts(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(",")]


def _operator(label: str) -> str:
    """The operator with a name in the interface."""
    for name in TOOLS:
        if label == _OTHER_LABELS.get(name, getattr(bpy.ops.motion_editing, name).get_rna_type().name):
            return name
    raise AssertionError(f"no tool is called '{label}'")

"""How the last result is laid out in the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..border.lengths import length_text
from ..border.translation import counted_text, label_text
from ..interface.panels import draw_note

if TYPE_CHECKING:
    from bpy.types import Context, PropertyGroup, UILayout

# More names than these make a note too long to read.
_NAMED = 12


def draw_report(layout: UILayout, context: Context, report: PropertyGroup) -> None:
    """What came of the last time: numbers, what is missed, bones without a partner."""
    if not report.action:
        return
    header, body = layout.panel("motion_editing_retarget_report", default_closed=False)
    header.label(text="Last Result", icon="ERROR" if report.missed else "NONE")
    if body is None:
        return
    column = body.column(align=True)
    for name, value in report_rows(report):
        row = column.split(factor=0.42)
        left = row.row()
        left.alignment = "RIGHT"
        left.label(text=name)
        row.label(text=value, translate=False)
    for note in report_notes(report):
        draw_note(body, context, note)


def report_rows(report: PropertyGroup) -> list[tuple[str, str]]:
    """Names and values of the report, short enough for a narrow sidebar."""
    frames = counted_text(report.frames, "frame")
    bones = label_text("{count} over {frames}", count=report.bones, frames=frames)
    rows = [("Action", report.action), ("Bones", bones)]
    if report.leg_length > 0.0:
        for name, slide in (("Slide Before", report.slide_before), ("Slide After", report.slide)):
            share = f"{slide / report.leg_length:.1%}"
            rows.append((name, label_text("{slide} ({share} of leg)", slide=length_text(slide), share=share)))
    if report.lowered > 0.0:
        rows.append(("Root Lowered", length_text(report.lowered)))
    rows.append(("Not Reached", str(report.missed or label_text("Nothing"))))
    return rows


def report_notes(report: PropertyGroup) -> list[str]:
    """What does not fit a row."""
    notes = [label_text("Worst: {missed}", missed=report.missed_text)] if report.missed else []
    named = (
        ("Only in the source: {names}", report.unmatched_source),
        ("Only in the target: {names}", report.unmatched_target),
        ("Contacts that nothing can hold: {names}", report.lost_contacts),
        ("Cannot leave their place or size: {names}", report.stuck),
    )
    return notes + [label_text(text, names=_shortened(names)) for text, names in named if names]


def _shortened(names: str) -> str:
    """A list of names that fits a note."""
    listed = names.split(", ")
    if len(listed) <= _NAMED:
        return names
    return label_text("{names} and {count} more", names=", ".join(listed[:_NAMED]), count=len(listed) - _NAMED)

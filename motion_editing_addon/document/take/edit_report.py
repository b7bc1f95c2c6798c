"""What an edit did, in one line for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core.wording import counted
from ...border.action_io import misses_text
from .change import changes_text

if TYPE_CHECKING:
    from ...border.action_io import WriteReport
    from .change import Change

# What sparse keys may miss between them, in radians or units, before it is worth a word.
_VISIBLE_MISS = 0.02


def edit_text(verb: str, reports: Sequence[WriteReport], remarks: str) -> str:
    """Bones, frames and keys that an edit changed; empty if it changed none.

    Args:
        verb: What was done to them: 'Filtered'.
        reports: Of all edited armatures.
        remarks: What the tool itself has to say, right after the counts.
    """
    bones = sum(r.bones for r in reports)
    if not bones:
        return ""
    before, after = sum(r.keys_before for r in reports), sum(r.keys_after for r in reports)
    text = f"{verb} {counted(bones, 'bone')}{_frames_text(reports)}"
    if before != after:
        text += f", {counted(before, 'key')} became {after}"
    text += remarks
    breakdowns = sum(r.breakdown_keys for r in reports)
    is_seen = max(r.largest_miss for r in reports) > _VISIBLE_MISS
    if breakdowns:
        missed = f", largest error {misses_text(reports)}" if misses_text(reports) else ""
        text += f" ({counted(breakdowns, 'breakdown key')} added{missed})"
    elif is_seen:
        text += f"; between the sparse keys up to {misses_text(reports)} is missed"
    return text + (", Keys: Every Frame follows exactly" if is_seen else "")


def measured_text(reports: Sequence[WriteReport], changes: Sequence[Change]) -> str:
    """Number of keys if it is as before, largest change and foot slide."""
    before, after = (sum(getattr(each, name) for each in reports) for name in ("keys_before", "keys_after"))
    keys = f", {counted(after, 'key')} as before" if before == after > 0 else ""
    return keys + changes_text(changes)


def _frames_text(reports: Sequence[WriteReport]) -> str:
    """Over how many frames, and how many there were before if the timing is new."""
    longest = max(reports, key=lambda report: report.frames)
    if longest.frames_before and longest.frames_before != longest.frames:
        return f" from {longest.frames_before} to {counted(longest.frames, 'frame')}"
    return f" over {counted(longest.frames, 'frame')}"

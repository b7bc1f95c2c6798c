"""What an edit did, in one line for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...border.action_io import misses_text
from ...border.translation import counted_text, report_text
from .difference import changes_text

if TYPE_CHECKING:
    from ....core.analysis import Difference
    from ...border.action_io import WriteReport

# What sparse keys may miss between them, in radians or units, before it is worth a word.
_VISIBLE_MISS = 0.02


def edit_text(verb: str, reports: Sequence[WriteReport], remarks: str) -> str:
    """Bones, frames and keys that an edit changed; empty if it changed none.

    Args:
        verb: What was done to them: 'Filtered'.
        remarks: What the tool itself has to say, right after the counts.
    """
    bones = sum(r.bones for r in reports)
    if not bones:
        return ""
    before, after = sum(r.keys_before for r in reports), sum(r.keys_after for r in reports)
    text = _counts_text(verb, bones, reports)
    if before != after:
        text += report_text(", {keys} became {after}", keys=counted_text(before, "key"), after=after)
    text += remarks
    breakdowns = sum(r.breakdown_keys for r in reports)
    is_seen = max(r.largest_miss for r in reports) > _VISIBLE_MISS
    if breakdowns:
        text += _breakdowns_text(breakdowns, misses_text(reports))
    elif is_seen:
        text += report_text("; between the sparse keys up to {error} is missed", error=misses_text(reports))
    return text + (report_text(", Keys: Every Frame follows exactly") if is_seen else "")


def measured_text(reports: Sequence[WriteReport], changes: Sequence[Difference]) -> str:
    """Number of keys if it is as before, largest change and foot slide."""
    before, after = (sum(getattr(each, name) for each in reports) for name in ("keys_before", "keys_after"))
    keys = report_text(", {keys} as before", keys=counted_text(after, "key")) if before == after > 0 else ""
    return keys + changes_text(changes)


def _counts_text(verb: str, bones: int, reports: Sequence[WriteReport]) -> str:
    """How many bones over how many frames, and how many there were before if the timing is new."""
    longest = max(reports, key=lambda report: report.frames)
    values = {
        "verb": report_text(verb),
        "bones": counted_text(bones, "bone"),
        "frames": counted_text(longest.frames, "frame"),
    }
    if longest.frames_before and longest.frames_before != longest.frames:
        return report_text("{verb} {bones} from {before} to {frames}", before=longest.frames_before, **values)
    return report_text("{verb} {bones} over {frames}", **values)


def _breakdowns_text(count: int, error: str) -> str:
    keys = counted_text(count, "breakdown key")
    if error:
        return report_text(" ({keys} added, largest error {error})", keys=keys, error=error)
    return report_text(" ({keys} added)", keys=keys)

"""What an edit changed, as a report tells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core.wording import angle_text
from ...border.lengths import length_text
from ...border.translation import report_text

if TYPE_CHECKING:
    from ....core.analysis import Difference


# Turns below this, in radians, come from single precision.
_ROUNDING = 1e-6


def changes_text(changes: Sequence[Difference]) -> str:
    """The largest changes of all edited armatures: '; largest change 12.3° (Hand), 40 mm (Hips)'."""
    if not changes:
        return ""
    turned = max(changes, key=lambda change: change.turn)
    moved = max(changes, key=lambda change: change.move)
    told = [_of_bone(angle_text(turned.turn), turned.turned)] if turned.turn > _ROUNDING else []
    told.append(_of_bone(length_text(moved.move), moved.moved))
    text = report_text("; largest change {changes}", changes=", ".join(told))
    slides = [
        (each.slide_before, each.slide_after) for each in changes if None not in (each.slide_before, each.slide_after)
    ]
    if slides:
        before, after = (length_text(max(column)) for column in zip(*slides, strict=True))
        text += report_text("; foot slide {before} before, {after} after", before=before, after=after)
    if any(change.is_slow for change in changes):
        text += report_text("; foot slide not measured, because playing this control rig takes long")
    return text


def _of_bone(change: str, bone: str) -> str:
    return f"{change} ({bone or report_text('object')})"

"""What became of what happens in a motion that was retimed, in one clause for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core.guided_warp import SpanKind
from ...border.translation import counted_text, report_text

if TYPE_CHECKING:
    from ....core.guided_warp import SpanFate

# Names of spans as they are counted, most important first.
_NOUNS = {"Flight": "jump", "Strike": "strike", "Kept": "kept span", "Locked": "locked span"}
# Frames by which a span may be off and still count as kept.
_OFF = 1.0


def fates_text(fates: Sequence[SpanFate], rate: float) -> str:
    """Which jumps, strikes and other protected spans kept their frames, and what the others had to do."""
    protected = [fate for fate in fates if fate.span.kind is SpanKind.PROTECTED]
    lost = [fate for fate in protected if fate.lost(_OFF / rate)]
    text = ""
    for name, noun in _NOUNS.items():
        kept = [fate for fate in protected if fate.span.name == name and fate not in lost]
        if kept:
            text += _kept_text(kept, noun, rate)
    if lost:
        share = min(fate.share for fate in lost)
        spans = counted_text(len(lost), "protected span")
        text += report_text(", {spans} had to give way, to {share} %", spans=spans, share=round(100.0 * share))
    return text


def _kept_text(kept: Sequence[SpanFate], noun: str, rate: float) -> str:
    spans = counted_text(len(kept), noun)
    if len(kept) > 1:
        return report_text(", {spans} kept their frames", spans=spans)
    frames = counted_text(round(kept[0].span.length * rate), "frame")
    return report_text(", {spans} kept its {frames}", spans=spans, frames=frames)

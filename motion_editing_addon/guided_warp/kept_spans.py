"""What operators do with spans: find, protect, let go."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError
from ...core.guided_warp import KEPT, SpanKind, TimeSpan
from ..border.translation import label_text, report_text
from ..document import scope
from .time_spans import save_spans
from .warp.warp_take import WarpTake

if TYPE_CHECKING:
    from bpy.types import Context

# Seconds around the current frame that are kept where nothing stands out.
_AROUND = 0.5
# What is found, as it is counted.
_NOUNS = {"Flight": "jump", "Strike": "strike", "Repetition": "rhythm", "Idle": "pause"}


def _take(context: Context) -> WarpTake:
    return WarpTake(scope.read_clip(context, scope.armatures(context, any_object=True)[0]))


def find(context: Context) -> dict[str, int]:
    """List what happens in the motion, in the place of what was listed; what somebody kept stays. Gives the counts."""
    take = _take(context)
    kept = tuple(span for span in take.spans or () if span.is_kept)
    _save(take, (*take.found_spans, *kept))
    return dict(Counter(_NOUNS[span.name] for span in take.found_spans))


def toggle(context: Context, number: int) -> str:
    """Protect a span or let it go; a rhythm is tied or not."""
    take = _take(context)
    spans = take.shown_spans
    if number >= len(spans):
        raise MotionEditError("There is no such span any more")
    span = spans[number]
    changed = replace(span, kind=_other(span), is_firm=True)
    _save(take, (*spans[:number], changed, *spans[number + 1 :]))
    name = label_text(span.name)
    if changed.kind is SpanKind.PROTECTED:
        return report_text("{name} keeps its length", name=name)
    if changed.kind is SpanKind.RHYTHMIC:
        return report_text("{name} stays even", name=name)
    return report_text("{name} may give way", name=name)


def _other(span: TimeSpan) -> SpanKind:
    if span.kind is not SpanKind.ELASTIC:
        return SpanKind.ELASTIC
    return SpanKind.RHYTHMIC if span.beats else SpanKind.PROTECTED


def keep(context: Context, frames: tuple[float, float] | None, run_out: float) -> str:
    """Protect frames of the scene: those given, the preview range, or what happens at the current frame."""
    take = _take(context)
    first, last = _ends(context, take, frames)
    end = min(last + run_out, float(take.motion.times[-1]))
    if not end > first:
        raise MotionEditError("There is nothing of the motion between these frames")
    _save(take, (*take.shown_spans, TimeSpan(first, end, SpanKind.PROTECTED, KEPT)))
    frames_kept = scope.to_scene(take.clip.armature, np.array([first, end]) * take.motion.rate)
    told = [round(float(frame)) for frame in frames_kept]
    return report_text("Frames {first} to {last} keep their length", first=told[0], last=told[1])


def _ends(context: Context, take: WarpTake, frames: tuple[float, float] | None) -> tuple[float, float]:
    """Seconds of the motion."""
    scene = context.scene
    if frames is None and scene.use_preview_range:
        frames = float(scene.frame_preview_start), float(scene.frame_preview_end)
    if frames is not None:
        seconds = sorted(scope.from_scene(take.clip.armature, frame) / take.motion.rate for frame in frames)
        return max(seconds[0], float(take.motion.times[0])), min(seconds[1], float(take.motion.times[-1]))
    now = take.time
    there = [span for span in take.shown_spans if span.start <= now <= span.end and span.name != KEPT]
    if there:
        shortest = min(there, key=lambda span: span.length)
        return shortest.start, shortest.end
    return max(now - _AROUND, float(take.motion.times[0])), now + _AROUND


def _save(take: WarpTake, spans: tuple[TimeSpan, ...]) -> None:
    save_spans(take.clip.armature, take.motion.rate, tuple(sorted(spans, key=lambda span: (span.start, span.end))))

"""Spans of the time lane between the action's settings and core: what is protected, elastic or rhythmic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.guided_warp import SpanKind, TimeSpan
from ..document import original_keys, scope

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ..document.motion_changes import MotionChange


def listed_spans(armature: Object, rate: float) -> tuple[TimeSpan, ...] | None:
    """The spans that are kept with the action, in seconds; None where they are found by themselves."""
    settings = scope.own_action(armature).motion_editing_time
    if not settings.has_spans:
        return None
    return tuple(
        TimeSpan(
            item.start / rate,
            item.end / rate,
            SpanKind[item.kind],
            item.name,
            tuple(float(beat) / rate for beat in item.beats.split()),
            item.run_out / rate,
            item.is_firm,
        )
        for item in settings.spans
    )


def save_spans(armature: Object, rate: float, spans: tuple[TimeSpan, ...]) -> None:
    """Keep spans with the action."""
    settings = scope.own_action(armature).motion_editing_time
    settings.spans.clear()
    settings.has_spans = True
    for span in spans:
        item = settings.spans.add()
        item.name, item.kind, item.is_firm = span.name, span.kind.name, span.is_firm
        item.start, item.end, item.run_out = span.start * rate, span.end * rate, span.run_out * rate
        item.beats = " ".join(f"{beat * rate:.3f}" for beat in span.beats)


def clear_spans(armature: Object) -> None:
    """Let spans be found by themselves again."""
    settings = scope.own_action(armature).motion_editing_time
    settings.spans.clear()
    settings.has_spans = False


def follow(change: MotionChange) -> None:
    """Let spans hold the same moments when the motion gets another timing."""
    items = scope.own_action(change.armature).motion_editing_time.spans
    if not change.is_whole or change.time_map is None or not len(items):
        return
    if not change.time_map.direction:
        clear_spans(change.armature)
        return
    for item in items:
        beats = [float(beat) for beat in item.beats.split()]
        frames = change.new_frames(np.array([item.start, item.end, *beats]))
        item.start, item.end = np.sort(frames[:2]).tolist()
        item.beats = " ".join(f"{beat:.3f}" for beat in np.sort(frames[2:]))


def restore(armature: Object, original: Action) -> None:
    """Set the spans that the original has, if those here hold moments of another timing."""
    if original_keys.is_other_timing(armature):
        settings, saved = scope.own_action(armature).motion_editing_time, original.motion_editing_time
        original_keys.take_over_list(settings.spans, saved.spans)
        settings.has_spans = saved.has_spans

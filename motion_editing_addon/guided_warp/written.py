"""Keytimes and spans as an edit of the stack keeps them: texts, in frames of the motion that it was made on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ...core.errors import MotionEditError
from ...core.guided_warp import SpanKind, TimeSpan
from ..document import scope
from .keytimes import keytimes_of, speeds_of
from .time_spans import listed_spans

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bpy.types import Context, Object


def present(context: Context, armature: Object) -> tuple[str, str]:
    """What the action has listed; empty where nothing is."""
    rate, settings = scope.source_rate(context, armature), scope.own_action(armature).motion_editing_time
    keytimes = ""
    if len(settings.keytimes) > 1:
        keytimes = keytimes_of(context, armature).to_text(rate, speeds_of(armature))
    spans = listed_spans(armature, rate)
    return keytimes, "" if spans is None else spans_text(spans, rate)


def spans_text(spans: Iterable[TimeSpan], rate: float) -> str:
    """Spans, in seconds, as a text."""
    return json.dumps(
        [
            [
                round(span.start * rate, 3),
                round(span.end * rate, 3),
                span.kind.name,
                span.name,
                [round(beat * rate, 3) for beat in span.beats],
                round(span.run_out * rate, 3),
                span.is_firm,
            ]
            for span in spans
        ]
    )


def spans_in(text: str, rate: float) -> tuple[TimeSpan, ...] | None:
    """The same again; None where there is no text.

    Raises:
        MotionEditError: It is no such text.
    """
    if not text:
        return None
    try:
        return tuple(
            TimeSpan(
                start / rate,
                end / rate,
                SpanKind[kind],
                name,
                tuple(beat / rate for beat in beats),
                run_out / rate,
                is_firm,
            )
            for start, end, kind, name, beats, run_out, is_firm in json.loads(text)
        )
    except (ValueError, KeyError, TypeError) as error:
        raise MotionEditError("The spans of this edit are damaged: use Clear Spans and warp anew") from error

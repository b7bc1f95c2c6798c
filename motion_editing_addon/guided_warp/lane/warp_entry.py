"""A warp that was made before, as the strip shows it and lets it be changed: an edit of the stack."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.guided_warp import Keytimes, SpanKind
from ....core.motion import Ends, TimeMap
from ...document import scope
from .. import written
from ..warp.warp_take import WarpTake

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup

    from ....core.guided_warp import TimeSpan

_TOOL = "warp_time"


def active_entry(armature: Object) -> PropertyGroup | None:
    """The edit that is active in the list, if it is a warp whose timing is known."""
    stack = scope.own_action(armature).motion_editing_stack
    if not 0 <= stack.active < len(stack.entries):
        return None
    entry: Any = stack.entries[stack.active]
    is_ours = entry.tool == _TOOL and entry.slot == scope.slot_handle(armature) and not entry.is_muted
    return entry if is_ours and len(json.loads(entry.time_map or "[]")) == 1 else None


class WarpEntry:
    """The warp that is active in the stack; whoever changes it makes the stack do it again."""

    def __init__(self, context: Context, armature: Object, entry: PropertyGroup) -> None:
        """Read what it did."""
        self._parameters: Any = entry.warp_time_parameters
        self._rate = scope.source_rate(context, armature)
        self.take = WarpTake(scope.read_clip(context, armature))
        (new, old), *_others = json.loads(entry.time_map)
        self.time_map = TimeMap.from_samples(np.array(new) / self._rate, np.array(old) / self._rate, ends=Ends.EXTEND)

    @property
    def keytimes(self) -> Keytimes:
        """Those that it hit, or its ends."""
        if self._parameters.use_keytimes and self._parameters.keytimes:
            return Keytimes.from_text(self._parameters.keytimes, self._rate)[0]
        new, old = self.time_map.new_times[[0, -1]], self.time_map.old_times[[0, -1]]
        return Keytimes.from_lists(np.sort(old), new, [False])

    @property
    def spans(self) -> tuple[TimeSpan, ...]:
        """Its spans, in seconds of the motion before it; those of the motion as it is now where it has none."""
        saved = written.spans_in(self._parameters.spans, self._rate)
        return tuple(map(self._before, self.take.shown_spans)) if saved is None else saved

    def _before(self, span: TimeSpan) -> TimeSpan:
        start, end, *beats = self.time_map([span.start, span.end, *span.beats]).tolist()
        return replace(span, start=start, end=end, beats=tuple(beats))

    def move(self, keytime: int, time: float, *, ripple: bool) -> None:
        """Hit a keytime at another time, in seconds; the end of a warp without keytimes gives its length."""
        keytimes = self.keytimes.move(keytime, time, ripple=ripple)
        if len(keytimes) == 2 and not self._parameters.keytimes and keytime == 1:
            self._parameters.length = float(np.ptp(keytimes.new) / np.ptp(keytimes.old))
            return
        self._keep(keytimes)

    def add(self, time: float) -> None:
        """Hold the moment that is seen at a time, in seconds."""
        self._keep(self._with(time)[0])

    def hold(self, time: float, moved: float, *, ripple: bool) -> None:
        """Let the moment that is seen at a time happen at another."""
        keytimes, number = self._with(time)
        self._keep(keytimes.move(number, moved, ripple=ripple))

    def _with(self, time: float) -> tuple[Keytimes, int]:
        """One keytime more, and its number."""
        known, old = self.keytimes, float(self.time_map(time))
        place = int(np.clip(np.searchsorted(known.old, old), 1, len(known) - 1))
        locked = np.insert(known.locked, place - 1, known.locked[place - 1])
        rows = np.insert(known.old, place, old), np.insert(known.new, place, time)
        return Keytimes.from_lists(*rows, locked), place

    def remove(self, keytime: int) -> None:
        """Let a moment go."""
        self._keep(self.keytimes.remove(keytime))

    def toggle(self, number: int) -> None:
        """Protect a span or let it go."""
        spans = list(self.spans)
        is_free = spans[number].kind is SpanKind.ELASTIC
        kind = (SpanKind.RHYTHMIC if spans[number].beats else SpanKind.PROTECTED) if is_free else SpanKind.ELASTIC
        spans[number] = replace(spans[number], kind=kind, is_firm=True)
        self._parameters.spans = written.spans_text(spans, self._rate)

    def _keep(self, keytimes: Keytimes) -> None:
        self._parameters["use_keytimes"] = True
        self._parameters.keytimes = keytimes.to_text(self._rate)

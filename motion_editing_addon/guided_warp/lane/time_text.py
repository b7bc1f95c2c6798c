"""What the time lane says about keytimes and spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...border.translation import counted_text, label_text
from ...interface.strip.frame_text import short
from .time_data import Part

if TYPE_CHECKING:
    from .time_data import TimeItem, TimeLaneData

# A twentieth of a frame cannot be seen and is not spoken of.
_SEEN = 0.05
_DRAG, _DRAG_END = "Drag: Move Keytime", "Drag: Change Length"
_TOGGLE, _GRAB = "Click: Protect or Release", "Drag: Move This Moment"
_PICK, _ADD, _REMOVE = "Click: Select", "Double Click: Add Keytime", "X or Delete: Remove Keytime"


def tooltip(data: TimeLaneData, item: TimeItem) -> str:
    """One line about an item: what becomes of its frame or its duration."""
    if not data.has(item):
        return ""
    told = {Part.SPAN: _span, Part.EVENT: _event, Part.PLOT: _frame}
    return told.get(item.part, _keytime)(data, item.keytime)


def _keytime(data: TimeLaneData, number: int) -> str:
    keytime = data.keytimes[number]
    name = keytime.label or _plain_name(data, number)
    old, new = short(keytime.old_frame), short(keytime.new_frame)
    if abs(keytime.new_frame - keytime.old_frame) < _SEEN:
        return label_text("{name}: frame {old} stays", name=name, old=old)
    return label_text("{name}: frame {old} becomes {new}", name=name, old=old, new=new)


def _plain_name(data: TimeLaneData, number: int) -> str:
    if not data.keytimes[number].is_end:
        return label_text("Keytime")
    return label_text("Start" if number == 0 else "End")


def _span(data: TimeLaneData, number: int) -> str:
    before, after = data.durations(number)
    locked = data.keytimes[number].locked
    if abs(after - before) < _SEEN:
        frames = counted_text(short(before), "frame stays", "frames stay")
        return label_text("Locked span: {frames}" if locked else "Span: {frames}", frames=frames)
    frames = counted_text(short(before), "frame becomes", "frames become")
    text = "Locked span: {frames} {after} ({share})" if locked else "Span: {frames} {after} ({share})"
    return label_text(text, frames=frames, after=short(after), share=percent(before, after))


def _event(data: TimeLaneData, number: int) -> str:
    span = data.spans[number]
    before, after = short(span.old_frames), short(span.new_frames)
    words = {"PROTECTED": "{name}, protected: {before} frames, {after} after the warp",
             "ELASTIC": "{name}, elastic: {before} frames, {after} after the warp",
             "RHYTHMIC": "{name}, rhythmic: {before} frames, {after} after the warp"}  # fmt: skip
    return label_text(words[span.kind], name=label_text(span.name), before=before, after=after)


def _frame(data: TimeLaneData, frame: int) -> str:
    place = int(np.abs(np.asarray(data.plot_frames) - frame).argmin())
    old, speed = float(data.map_old_frames[place]), float(data.plot_speed[place])
    text = "Frame {old} becomes {new}, speed {speed} %"
    return label_text(text, old=short(old), new=frame, speed=f"{100.0 * speed:.0f}")


def percent(before: float, after: float) -> str:
    """How long a span is compared with before."""
    return f"{100.0 * after / before:.0f} %" if before else ""


def hint(data: TimeLaneData, item: TimeItem) -> str:
    """What mouse and keys would do with an item."""
    if item.part is Part.SPAN:
        return _joined(_PICK, _ADD)
    if item.part is Part.EVENT:
        return _joined(_TOGGLE)
    if item.part is Part.PLOT:
        return _joined(_GRAB, _ADD)
    is_end = data.keytimes[item.keytime].is_end
    drag = (_DRAG_END if is_end else _DRAG,) if item.part is Part.NEW else ()
    return _joined(*drag, _PICK, *(() if is_end else (_REMOVE,)))


def _joined(*words: str) -> str:
    return "    ".join(map(label_text, words))

"""What the lane of pose icons says about its items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...border.translation import counted_text, label_text
from ...interface.strip.frame_text import short
from .icon_data import IconPart, WindowKind

if TYPE_CHECKING:
    from .icon_data import IconItem, IconWindow
    from .icon_geometry import IconGeometry

_RETIME, _PAINT, _BRUSH = "Drag: Retime Pose", "Click: Paint Bone", "Ctrl Drag: Paint Bones"
_NEW, _MENU, _TICK, _END = "Drag: New Window", "Right Click: Features", "Click: Enable", "Drag: Change Duration"
_HINTS = {
    IconPart.GROUND: (_NEW,),
    IconPart.WINDOW: (_NEW, _MENU),
    IconPart.WINDOW_END: (_END, _MENU),
    IconPart.TICK_BOX: (_TICK, _MENU),
    IconPart.ICON: (_RETIME, _BRUSH),
    IconPart.JOINT: (_RETIME, _PAINT, _BRUSH),
}


def window_title(window: IconWindow) -> str:
    """Words of a window's header."""
    if window.kind is WindowKind.OPERATION:
        return window.label or label_text("Edit")
    return f"{window.label} {_percent(window)}".strip()


def _percent(window: IconWindow) -> str:
    return f"{window.similarity:.0%}"


def tooltip(geometry: IconGeometry, item: IconItem) -> str:
    """One line about an item; nothing about the ground and what is gone."""
    if item.part in (IconPart.ICON, IconPart.JOINT):
        number = geometry.numbers.get(item.number)
        return "" if number is None else _icon(geometry, number, item)
    if item.part is not IconPart.ALL_WINDOWS and 0 <= item.number < len(geometry.data.windows):
        return _window(geometry.data.windows[item.number])
    return ""


def _icon(geometry: IconGeometry, number: int, item: IconItem) -> str:
    icon = geometry.data.icons[number]
    names = geometry.data.rows[icon.row].point_names
    if item.part is not IconPart.JOINT or not 0 <= item.joint < len(names):
        return label_text("Pose at frame {frame}", frame=short(icon.frame))
    text = label_text("{joint}, frame {frame}", joint=names[item.joint], frame=short(icon.frame))
    for note, flags in ((", in contact", icon.in_contact), (", colliding", icon.colliding)):
        if len(flags) and flags[item.joint]:
            text += label_text(note)
    return text


def _window(window: IconWindow) -> str:
    span = _span(window.start, window.end)
    if window.kind is WindowKind.OPERATION:
        return f"{window.label or label_text('Window')}: {span}"
    name = window.label or label_text("Similar")
    ticked, left = "{name}: {span}, {share} similar, edited alike", "{name}: {span}, {share} similar, left alone"
    return label_text(ticked if window.ticked else left, name=name, span=span, share=_percent(window))


def new_window(start: float, end: float) -> str:
    """One line about the window that is being dragged."""
    return label_text("New window: {span}", span=_span(start, end))


def _span(start: float, end: float) -> str:
    length = counted_text(short(end - start), "frame")
    return label_text("frames {start} to {end}, {length}", start=short(start), end=short(end), length=length)


def hint(item: IconItem) -> str:
    """What mouse and keys would do with an item."""
    return "    ".join(map(label_text, _HINTS.get(item.part, ())))

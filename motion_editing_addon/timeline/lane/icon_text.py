"""What the lane of pose icons says about its items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.wording import counted
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
        return window.label or "Edit"
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
    joint = f"{names[item.joint]}, " if item.part is IconPart.JOINT and 0 <= item.joint < len(names) else ""
    notes = [
        word
        for word, flags in (("in contact", icon.in_contact), ("colliding", icon.colliding))
        if joint and len(flags) and flags[item.joint]
    ]
    return ", ".join([f"{joint}frame {short(icon.frame)}", *notes]) if joint else f"Pose at frame {short(icon.frame)}"


def _window(window: IconWindow) -> str:
    span = _span(window.start, window.end)
    if window.kind is WindowKind.OPERATION:
        return f"{window.label or 'Window'}: {span}"
    state = "edited alike" if window.ticked else "left alone"
    return f"{window.label or 'Similar'}: {span}, {_percent(window)} similar, {state}"


def new_window(start: float, end: float) -> str:
    """One line about the window that is being dragged."""
    return f"New window: {_span(start, end)}"


def _span(start: float, end: float) -> str:
    length = short(end - start)
    return f"frames {short(start)} to {short(end)}, {counted(length, 'frame')}"


def hint(item: IconItem) -> str:
    """What mouse and keys would do with an item."""
    return "    ".join(_HINTS.get(item.part, ()))

"""What mouse and keys do now, in the status bar, with the pictures that Blender itself has there for keys.

Tools say it in plain text: `Shift: precise    Enter, LMB: confirm`. Each part has its keys, a colon and what they do.
"""

from __future__ import annotations

import re
from string import ascii_uppercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpy.types import Context, Header, UILayout, WorkSpace

_ICONS = {
    "Mouse": "MOUSE_MOVE",
    "Click": "MOUSE_LMB",
    "Double Click": "MOUSE_LMB_2X",
    "Drag": "MOUSE_LMB_DRAG",
    "LMB": "MOUSE_LMB",
    "RMB": "MOUSE_RMB",
    "Right Click": "MOUSE_RMB",
    "Shift": "EVENT_SHIFT",
    "Ctrl": "EVENT_CTRL",
    "Alt": "EVENT_ALT",
    "Tab": "EVENT_TAB",
    "Enter": "EVENT_RETURN",
    "Esc": "EVENT_ESC",
    "Delete": "EVENT_DEL",
    "Up": "EVENT_UP_ARROW",
    "Down": "EVENT_DOWN_ARROW",
    **{letter: f"EVENT_{letter}" for letter in ascii_uppercase},
}
# Keys with a word on them are wider than other pictures and would reach into what follows.
_WIDE, _WIDE_GAP = {"Ctrl", "Alt", "Esc", "Delete"}, 1.6
_BETWEEN_PARTS, _BETWEEN_KEYS = re.compile(r"\s{2,}"), re.compile(r", | or ")


def show(workspace: WorkSpace, text: str) -> None:
    """Say it until `clear`, or until another text takes its place."""
    found = hints(text)

    def draw(header: Header, _context: Context) -> None:
        for keys, words in found:
            _draw_hint(header.layout, keys, words)
        header.layout.separator_spacer()
        header.layout.template_status_info()

    workspace.status_text_set(draw)


def clear(workspace: WorkSpace) -> None:
    """Say nothing more."""
    workspace.status_text_set(None)


def hints(text: str) -> list[tuple[tuple[str, ...], str]]:
    """The keys of each part and what they do; a part without a colon has no keys."""
    found = []
    for part in filter(None, _BETWEEN_PARTS.split(text.strip())):
        keys, colon, words = part.partition(": ")
        names = tuple(_BETWEEN_KEYS.split(keys)) if colon else ()
        words = words if colon else part
        found.append((names, words[:1].upper() + words[1:]))
    return found


def icon_of(key: str) -> str | None:
    """Blender's picture of a key; None if it has none."""
    return _ICONS.get(key)


def _draw_hint(layout: UILayout, keys: tuple[str, ...], words: str) -> None:
    row = layout.row(align=True)
    for key in keys:
        icon = icon_of(key)
        if icon is None:
            row.label(text=f"{key}:")
        else:
            row.label(text="", icon=icon)
            if key in _WIDE:
                row.separator(factor=_WIDE_GAP)
    row.label(text=words)

"""Mouse and key events that lead to the strip."""

from __future__ import annotations

import bpy

_added: list[tuple[bpy.types.KeyMap, bpy.types.KeyMapItem]] = []


def register() -> None:
    """Bind the mouse, Delete and X; what is no hit is passed on to Blender."""
    settings = bpy.context.window_manager.keyconfigs.addon
    if settings is None:  # Blender without a window
        return
    editor = settings.keymaps.new(name="Dopesheet", space_type="DOPESHEET_EDITOR")
    _bind(editor, "motion_editing.strip_drag", "LEFTMOUSE", "PRESS")
    _bind(editor, "motion_editing.strip_add", "LEFTMOUSE", "DOUBLE_CLICK")
    _bind(editor, "motion_editing.strip_brush", "LEFTMOUSE", "PRESS", ctrl=True)
    _bind(editor, "motion_editing.strip_box", "LEFTMOUSE", "PRESS", shift=True)
    _bind(editor, "motion_editing.strip_menu", "RIGHTMOUSE", "PRESS")
    for key in ("X", "DEL"):
        _bind(editor, "motion_editing.strip_delete", key, "PRESS")
    _bind(editor, "motion_editing.strip_hover", "MOUSEMOVE", "ANY")
    # The editor hears nothing of a mouse that has left it; the window does.
    _bind(settings.keymaps.new(name="Window"), "motion_editing.strip_leave", "MOUSEMOVE", "ANY")


def _bind(
    keymap: bpy.types.KeyMap, operator: str, event: str, value: str, *, ctrl: bool = False, shift: bool = False
) -> None:
    # At the head: Blender's own click selects keys and would come first.
    _added.append((keymap, keymap.keymap_items.new(operator, event, value, ctrl=ctrl, shift=shift, head=True)))


def unregister() -> None:
    """Take the bindings back."""
    while _added:
        keymap, item = _added.pop()
        keymap.keymap_items.remove(item)

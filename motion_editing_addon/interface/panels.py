"""The sidebar tab "Motion" in the 3D View, the Dope Sheet and the Graph Editor."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bpy.types import Panel

from ...core.errors import MotionEditError
from ..border.translation import label_text
from ..document import scope

if TYPE_CHECKING:
    from bpy.types import Context, UILayout

# Width of a letter of Blender's font, on average, at a UI scale of 1.
_LETTER = 7.0
# Below this width of a sidebar, at a UI scale of 1, the names of two buttons side by side are cut off.
_NARROW = 250.0

_EDITORS = {"VIEW_3D": "view3d", "DOPESHEET_EDITOR": "dopesheet", "GRAPH_EDITOR": "graph"}


def in_every_editor(content: type[Any]) -> tuple[type, ...]:
    """Panel classes that show the same content in each editor; `content` has bl_label and draw()."""
    word = content.__name__.removesuffix("Panel").lower()
    return tuple(
        type(
            f"MOTIONEDIT_PT_{word}_{editor}",
            (content, Panel),
            {
                "draw": _telling(content.draw),
                "bl_space_type": space,
                "bl_region_type": "UI",
                "bl_category": "Motion",
                "bl_idname": f"MOTIONEDIT_PT_{word}_{editor}",
                "__doc__": content.__doc__,
            },
        )
        for space, editor in _EDITORS.items()
    )


def _telling(draw: Callable[[Panel, Context], None]) -> Callable[[Panel, Context], None]:
    """Drawing that ends with a remark where what it shows is damaged."""

    def told(panel: Panel, context: Context) -> None:
        try:
            draw(panel, context)
        except MotionEditError as error:
            draw_note(panel.layout, context, str(error))

    return told


def is_narrow(context: Context) -> bool:
    """Whether the sidebar is too narrow for two buttons side by side."""
    return context.region.width < _NARROW * context.preferences.system.ui_scale


def side_by_side(layout: UILayout, context: Context) -> UILayout:
    """Where buttons go side by side, or one below the other in a narrow sidebar."""
    return layout.column(align=True) if is_narrow(context) else layout.row(align=True)


def draw_reason(layout: UILayout, context: Context, reason: str) -> None:
    """Why nothing can be edited, and a button that changes that if there is one."""
    draw_note(layout, context, reason)
    draw_unlinking(layout, context)


def draw_unlinking(layout: UILayout, context: Context) -> None:
    """A button that makes a linked figure, or its linked action, one that tools can change; nothing for others."""
    thing = next(iter(scope.armatures(context, any_object=True)), None)
    action = scope.action_of(thing) if thing is not None else None
    if thing is not None and not thing.is_editable:
        layout.operator("object.make_override_library", icon="LIBRARY_DATA_OVERRIDE")
    elif action is not None and not action.is_editable:
        layout.operator("motion_editing.make_action_local", icon="LINKED")


def draw_note(layout: UILayout, context: Context, text: str) -> None:
    """A greyed remark, in as many lines as the sidebar's width asks for."""
    letters = max(12, int(context.region.width / (_LETTER * context.preferences.system.ui_scale)) - 4)
    column = layout.column(align=True)
    column.active = False
    column.scale_y = 0.8
    for line in lines_of(label_text(text), letters):
        column.label(text=line, translate=False)


def lines_of(text: str, letters: int) -> list[str]:
    """A text in lines that have room for so many letters; each of Japanese takes the room of two."""
    room = sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)
    return textwrap.wrap(text, max(1, letters * len(text) // max(1, room)))

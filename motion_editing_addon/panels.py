"""The sidebar tab "Motion" in the 3D View, the Dope Sheet and the Graph Editor."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from bpy.types import Panel

if TYPE_CHECKING:
    from bpy.types import Context, UILayout

# Width of a letter of Blender's font, on average, at a UI scale of 1.
_LETTER = 7.0

_EDITORS = {"VIEW_3D": "view3d", "DOPESHEET_EDITOR": "dopesheet", "GRAPH_EDITOR": "graph"}


def in_every_editor(content: type) -> tuple[type, ...]:
    """Panel classes that show the same content in each editor; `content` has bl_label and draw()."""
    word = content.__name__.removesuffix("Panel").lower()
    return tuple(
        type(
            f"MOTIONEDIT_PT_{word}_{editor}",
            (content, Panel),
            {
                "bl_space_type": space,
                "bl_region_type": "UI",
                "bl_category": "Motion",
                "bl_idname": f"MOTIONEDIT_PT_{word}_{editor}",
                "__doc__": content.__doc__,
            },
        )
        for space, editor in _EDITORS.items()
    )


def draw_note(layout: UILayout, context: Context, text: str) -> None:
    """A greyed remark, in as many lines as the sidebar's width asks for."""
    letters = max(12, int(context.region.width / (_LETTER * context.preferences.system.ui_scale)) - 4)
    column = layout.column(align=True)
    column.active = False
    column.scale_y = 0.8
    for line in textwrap.wrap(text, letters):
        column.label(text=line)

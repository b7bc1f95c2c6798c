"""The sidebar tab "Motion" in the 3D View, the Dope Sheet and the Graph Editor."""

from __future__ import annotations

from bpy.types import Panel

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

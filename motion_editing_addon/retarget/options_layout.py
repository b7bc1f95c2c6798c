"""How the options are laid out, in the panel and in the redo panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bpy.types import Object, UILayout

# Gap between groups of options, in heights of a button.
_GAP = 0.5


def draw_choices(layout: UILayout, choices: Any, source: Object | None, *, with_partner: bool) -> None:
    """The options, those alone that count together with the others."""
    for name in ("touch", "stands", "limbs") if with_partner else ("space", "structure", "stands", "limbs"):
        layout.prop(choices, name)
    layout.separator(factor=_GAP)
    _draw_proportions(layout, choices)
    layout.separator(factor=_GAP)
    layout.prop(choices, "keep_contacts")
    column = layout.column()
    column.active = choices.keep_contacts
    column.prop(choices, "lowering")
    column.prop(choices, "fade")
    if not with_partner and choices.structure == "SAME":
        layout.separator(factor=_GAP)
        _draw_carrying(layout, choices, source)


def _draw_proportions(layout: UILayout, choices: Any) -> None:
    layout.prop(choices, "way")
    if choices.way == "CHOSEN":
        layout.prop(choices, "way_scale")
    layout.prop(choices, "size")
    row = layout.row(heading="Size at End")
    row.prop(choices, "changes_size", text="")
    number = row.row()
    number.active = choices.changes_size
    number.prop(choices, "size_end", text="")


def _draw_carrying(layout: UILayout, choices: Any, source: Object | None) -> None:
    layout.prop(choices, "carry")
    if choices.carry == "NONE":
        return
    if choices.carry == "CHOSEN":
        for name in ("carry_first", "carry_second"):
            if source is not None:
                layout.prop_search(choices, name, source.data, "bones", icon="BONE_DATA")
            else:
                layout.prop(choices, name)
    layout.prop(choices, "carry_throughout")
    if not choices.carry_throughout:
        frames = layout.column(align=True)
        frames.prop(choices, "carry_start")
        frames.prop(choices, "carry_end")
    layout.prop(choices, "carry_scale")

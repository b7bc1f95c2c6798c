"""Panel "Edit Stack"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpy.types import UIList

from ...core.editing import options_of
from ..border.translation import counted_text, label_text
from ..document import scope
from ..document.stack.parameters import frames_now, group_of, keeps_touches, maker_of, offers_influence, operator_of
from ..interface.panels import draw_note, in_every_editor, side_by_side
from .comparison.compare_operators import draw_switches

if TYPE_CHECKING:
    from bpy.types import Context, PropertyGroup, UILayout


# Of a row with a number, the share that the name has.
_NAME_SHARE = 0.62
# Shown where keys are reduced.
_ERRORS = ("rotation_error", "location_error")


class MOTIONEDIT_UL_edits(UIList):
    """Edits, the newest last."""

    def draw_item(
        self,
        _context: Context,
        layout: UILayout,
        _data: Any,
        item: Any,
        _icon: int,
        _active_data: Any,
        _active_property: str,
        _index: int = 0,
        _flag: int = 0,
    ) -> None:
        """One row: the tool, the number that matters, and whether it is left out."""
        group, name = group_of(item), main_parameter(item)
        row = layout.split(factor=_NAME_SHARE, align=True) if name else layout.row(align=True)
        row.active = not item.is_muted
        icon: Any = "ERROR" if item.message else "GREASEPENCIL" if item.is_open else icon_of(item)
        row.label(text=label_text(item.name), icon=icon, translate=False)
        row = row.row(align=True)
        if item.bones or item.has_range:
            row.label(text="", icon="BONE_DATA" if item.bones else "PREVIEW_RANGE")
        if group is not None and name:
            row.prop(group, name, text="", emboss=False)
        if item.stays_last:
            row.label(text="", icon="PINNED")
        layout.prop(item, "is_muted", text="", icon="HIDE_ON" if item.is_muted else "HIDE_OFF", emboss=False)

    def filter_items(self, context: Context, data: PropertyGroup, name: str) -> tuple[list[int], list[int]]:
        """Those of the armature's slot."""
        handle = scope.slot_handle(scope.armatures(context)[0])
        return [self.bitflag_filter_item * (item.slot == handle) for item in getattr(data, name)], []


# By the room of the operator.
_ICONS = {
    "blending": "MOD_ARRAY",
    "constraints": "CONSTRAINT",
    "contacts": "SNAP_ON",
    "filters": "SMOOTHCURVE",
    "guided_warp": "TIME",
    "keys": "KEYFRAME",
    "layers": "RENDERLAYERS",
    "pose_tree": "OUTLINER",
    "retarget": "ARMATURE_DATA",
    "staggered": "POSE_HLT",
    "timeline": "SEQ_STRIP_META",
}


def icon_of(entry: PropertyGroup) -> str:
    """What kind of edit it is."""
    operator = operator_of(entry.tool) if entry.tool else None
    if operator is None:
        return "VIEW_PAN" if not entry.tool else "QUESTION"
    rooms = operator.__module__.partition("motion_editing_addon.")[2].split(".")
    return _ICONS.get(rooms[0], "MODIFIER")


def scope_text(entry: PropertyGroup) -> str:
    """The bones and frames that an edit is limited to; empty for all."""
    bones = [each for each in entry.bones.split("\n") if each]
    parts = [counted_text(len(bones), "bone")] if len(bones) > 1 else bones
    if entry.has_range:
        first, last = (f"{frame:.1f}".removesuffix(".0") for frame in frames_now(entry))
        parts.append(label_text("frames {first} to {last}", first=first, last=last))
    return ", ".join(parts)


def main_parameter(entry: PropertyGroup) -> str:
    """Name of the parameter that matters most: the first that the mouse sets, or the first number; empty if none is."""
    tool, group = _tool_of(entry), group_of(entry)
    if tool is None or group is None:
        return ""
    present = tool(**{name: getattr(group, name) for name in options_of(tool)})
    numbers = (name for name, option in options_of(tool).items() if option.kind in (int, float))
    return next((name for name in (*present.sliders, *numbers) if name not in present.unused), "")


def _tool_of(entry: PropertyGroup) -> Any:
    """The class of tools behind an entry; None if there is none."""
    return getattr(operator_of(entry.tool), "tool", None) if entry.tool else None


def shown_parameters(entry: PropertyGroup, group: PropertyGroup) -> list[str]:
    """Names of an entry's parameters as people see them: the tool's own first, without those that have no effect."""
    rna: Any = group.bl_rna
    names = [each.identifier for each in rna.properties if each.identifier not in ("rna_type", "name")]
    names = [name for name in names if not rna.properties[name].is_hidden]
    tool = _tool_of(entry)
    own = [name for name in options_of(tool) if name in names] if tool is not None else []
    hidden: set[str] = set() if getattr(group, "keying", "") == "REDUCED" else {*_ERRORS}
    if own:
        hidden |= tool(**{name: getattr(group, name) for name in own}).unused
    return [name for name in (*own, *(each for each in names if each not in own)) if name not in hidden]


class StackPanel:
    """All edits of the action, to be changed at any time."""

    bl_label = "Edit Stack"
    bl_order = 1
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature with an action."""
        chosen = scope.armatures(context)
        return bool(chosen) and scope.action_of(chosen[0]) is not None

    def draw(self, context: Context) -> None:
        """The list, and the parameters of the active edit."""
        layout = self.layout
        stack = scope.own_action(scope.armatures(context)[0]).motion_editing_stack
        if not len(stack.entries):
            draw_note(layout, context, "Every tool that you use is listed here, and stays editable")
            return
        row = layout.row()
        row.template_list("MOTIONEDIT_UL_edits", "", stack, "entries", stack, "active", rows=4)
        side = row.column(align=True)
        side.operator("motion_editing.remove_edit", text="", icon="REMOVE")
        side.separator()
        side.operator("motion_editing.reopen_edit", text="", icon="GREASEPENCIL")
        side.separator()
        side.operator("motion_editing.move_edit", text="", icon="TRIA_UP").direction = "UP"
        side.operator("motion_editing.move_edit", text="", icon="TRIA_DOWN").direction = "DOWN"
        if maker_of(scope.armatures(context)[0]) is not None:
            layout.operator("motion_editing.update_source", icon="FILE_REFRESH")
        if 0 <= stack.active < len(stack.entries):
            _draw_parameters(layout, context, stack.entries[stack.active])
        layout.label(text="Compare with Original")
        draw_switches(layout, context)
        row = side_by_side(layout, context)
        row.operator("motion_editing.save_recipe", icon="EXPORT")
        row.operator("motion_editing.bake_stack", icon="CHECKMARK")


def _draw_parameters(layout: UILayout, context: Context, entry: PropertyGroup) -> None:
    if entry.message:
        draw_note(layout, context, entry.message)
    limits = scope_text(entry)
    if limits:
        layout.label(text=limits, icon="BONE_DATA" if entry.bones else "PREVIEW_RANGE", translate=False)
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    column.active = not entry.is_muted
    if offers_influence(entry):
        column.prop(entry, "influence", slider=True)
    group = group_of(entry)
    for name in shown_parameters(entry, group) if group is not None else ():
        column.prop(group, name)
    column.prop(entry, "stays_last")
    if len(entry.time_map) > len("[]") or keeps_touches(entry):
        column.prop(entry, "second", icon="ARMATURE_DATA")
    if entry.result and not entry.is_muted:
        box = layout.box()
        box.label(text="Last Result")
        for line in entry.result.split("; "):
            draw_note(box, context, line)


_MENU = ("remove_edit", "reopen_edit", "update_source", "compare_original", "bake_stack", "save_recipe", "run_recipe")


def draw_menu(layout: UILayout) -> None:
    """Entries in the menu of all tools."""
    for name in (
        "remove_edit",
        "reopen_edit",
        "update_source",
        "compare_original",
        "bake_stack",
        "save_recipe",
        "run_recipe",
    ):
        layout.operator(f"motion_editing.{name}")


panels = in_every_editor(StackPanel)

"""Panel "Constraints" and its menu entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.types import UIList

from ..border.hidden_objects import is_deleted
from ..border.translation import label_text
from ..document import scope
from ..interface.panels import draw_note, in_every_editor
from .kinds import KINDS
from .misses import amount_text
from .settings import STIFFEST
from .stiffness import unusual_bones

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup, UILayout

_TARGET_ICONS = {"OBJECT": "OBJECT_DATA", "CURVE": "CURVE_DATA", "BONE": "BONE_DATA"}
_MOST_NAMED = 4


class MOTIONEDIT_UL_constraints(UIList):
    """Constraints with type, bone, frames, target and softness."""

    def draw_item(
        self, _context: Context, layout: UILayout, _data: Any, item: Any, _icon: int, _owner: Any, _name: str, *_: int
    ) -> None:
        """On or off, its type as an icon, its bone and frames; below these its target and softness if it has any."""
        lines = layout.column(align=True)
        first = lines.row(align=True)
        first.prop(item, "enabled", text="")
        first.label(text="", icon=KINDS[item.kind].icon)
        words = first.split(factor=0.5, align=True)
        words.active, words.alert = item.enabled, bool(item.missed) and item.enabled
        words.label(text=item.bone or "no bone", translate=not item.bone)
        words.label(text=f"{item.start:.0f}" if item.start == item.end else f"{item.start:.0f}-{item.end:.0f}")
        if words.alert:
            first.label(text="", icon="ERROR")
        if item.target_text or item.softness:
            _draw_second_line(lines, item)

    def filter_items(self, context: Context, data: PropertyGroup, name: str) -> tuple[list[int], list[int]]:
        """Those of the armature's slot, with the letters that are searched for in name or bone."""
        items, sought = getattr(data, name), self.filter_name.lower()
        armature = scope.armatures(context)[0]
        flags = [
            self.bitflag_filter_item * (item.belongs_to(armature) and sought in f"{item.name} {item.bone}".lower())
            for item in items
        ]
        return flags, []


def _draw_second_line(lines: UILayout, item: PropertyGroup) -> None:
    """Target and softness, under the words of the first line."""
    row = lines.row(align=True)
    row.active, row.scale_y = False, 0.8
    row.label(text="", icon="BLANK1")
    row.label(text="", icon=_TARGET_ICONS.get(item.target, "OBJECT_DATA") if item.target_text else "BLANK1")
    words = row.split(factor=0.5, align=True)
    words.label(text=item.target_text, translate=False)
    words.label(text=label_text("soft {softness}", softness=f"{item.softness:.2g}") if item.softness else "")


class ConstraintsPanel:
    """What has to hold, and joints that are dragged while it does."""

    bl_label = "Constraints"
    bl_order = 7
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature."""
        return bool(scope.armatures(context))

    def draw(self, context: Context) -> None:
        """Drag, list, the active constraint, solve, stiffness."""
        layout, reason = self.layout, scope.why_not(context)
        if reason:
            draw_note(layout, context, reason)
            return
        armature = scope.armatures(context)[0]
        settings = scope.own_action(armature).motion_editing_constraints
        if context.area.type == "VIEW_3D":
            layout.operator("motion_editing.drag_joint", icon="VIEW_PAN")
        _draw_list(layout, settings)
        active = dict(settings.of(armature)).get(settings.active)
        if active is not None:
            _draw_item(layout, armature, active)
        else:
            draw_note(layout, context, "Select bones in pose mode and add what they have to hold")
        layout.operator("motion_editing.solve_constraints", icon="CON_FOLLOWPATH")
        _draw_stiffness(layout, context, armature)


def _draw_list(layout: UILayout, settings: PropertyGroup) -> None:
    row = layout.row()
    row.template_list("MOTIONEDIT_UL_constraints", "", settings, "listed", settings, "active", rows=4)
    side = row.column(align=True)
    side.operator_menu_enum("motion_editing.add_constraint", "kind", text="", icon="ADD")
    side.operator("motion_editing.remove_constraint", text="", icon="REMOVE")
    side.operator("motion_editing.jump_to_constraint", text="", icon="TIME")
    layout.operator_menu_enum("motion_editing.add_footplants", "kind", text="Footplants from Contacts")


def _draw_item(layout: UILayout, armature: Object, item: PropertyGroup) -> None:
    column = layout.column(align=True)
    column.use_property_split, column.use_property_decorate = True, False
    column.prop(item, "name", text="Name")
    column.prop(item, "kind")
    column.prop_search(item, "bone", armature.pose, "bones")
    column.prop(item, "start")
    column.prop(item, "end")
    for name in KINDS[item.kind].shown:
        column.prop(item, name)
    if KINDS[item.kind].targets:
        _draw_target(column, armature, item)
    column.prop(item, "softness")
    if item.missed:
        missed = {"amount": amount_text(item.kind, item.missed), "frame": f"{item.missed_frame:g}"}
        column.label(text=label_text("Missed by {amount} at frame {frame}", **missed), icon="ERROR")


def _draw_target(column: UILayout, armature: Object, item: PropertyGroup) -> None:
    """What it is held to, then which one."""
    column.label(text="Target")
    choice = column.row(align=True)
    choice.use_property_split = False
    for identifier, text in KINDS[item.kind].targets.items():
        choice.prop_enum(item, "target", identifier, text=text)
    if item.target == "PLACE" and item.target_object is None:
        if KINDS[item.kind].place:
            column.prop(item, KINDS[item.kind].place)
        return
    own_bone = KINDS[item.kind].needs_target and item.target == "BONE"
    row = column.row()
    row.alert = item.target_object is not None and is_deleted(item.target_object)
    row.prop(item, "target_object", text="Armature" if item.target == "BONE" else "Object")
    rig = item.target_object or (armature if own_bone else None)
    if item.target == "BONE" and rig is not None and rig.pose is not None:
        column.prop_search(item, "target_bone", rig.pose, "bones", text="Bone")


def _draw_stiffness(layout: UILayout, context: Context, armature: Object) -> None:
    """The active bone's own, and who is not as usual."""
    column = layout.column(align=True)
    active = armature.data.bones.active
    if active is not None and armature.mode == "POSE" and active.name in armature.pose.bones:
        text = label_text("Stiffness of {bone}", bone=active.name)
        column.prop(armature.pose.bones[active.name], "motion_editing_stiffness", text=text)
    column.operator("motion_editing.set_stiffness")
    unusual = unusual_bones(armature)
    if unusual:
        named = ", ".join(_stiffness_text(bone) for bone in unusual[:_MOST_NAMED])
        if unusual[_MOST_NAMED:]:
            named = label_text("{names} and {count} more", names=named, count=len(unusual) - _MOST_NAMED)
        draw_note(column, context, named)


def _stiffness_text(bone: bpy.types.PoseBone) -> str:
    value = bone.motion_editing_stiffness
    return label_text("{bone} stays", bone=bone.name) if value >= STIFFEST else f"{bone.name} {value:.3g}"


class MOTIONEDIT_MT_constraints(bpy.types.Menu):
    """Constraints and edits that hold them."""

    bl_label = "Constraints"

    def draw(self, _context: Context) -> None:
        """All tools."""
        self.layout.operator("motion_editing.drag_joint")
        self.layout.operator("motion_editing.solve_constraints")
        self.layout.separator()
        self.layout.operator_menu_enum("motion_editing.add_constraint", "kind")
        for name in ("add_footplants", "remove_constraint", "jump_to_constraint", "set_stiffness"):
            self.layout.operator(f"motion_editing.{name}")


def draw_menu(layout: UILayout) -> None:
    """Entry in the menu of all tools."""
    layout.menu(MOTIONEDIT_MT_constraints.__name__)


panels = in_every_editor(ConstraintsPanel)

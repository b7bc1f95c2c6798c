"""Panel "Retarget" and its menu entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.types import UIList

from ..border.hidden_objects import is_deleted
from ..border.translation import label_text
from ..document import refusals, scope
from ..interface.panels import draw_note, in_every_editor
from .options_layout import draw_choices
from .report_layout import draw_report
from .settings import CHOSEN, keep_with_override, sources_for

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup, UILayout

# From this confidence on a pair needs no second look.
_SURE = 0.9
# Share of a row of the list that the bone takes together with its icon; the headings above keep to it.
_BONE_PART = 0.55
# Share of the sidebar's width that the list takes beside its buttons.
_LIST_PART = 0.85


class MOTIONEDIT_UL_retarget_pairs(UIList):
    """Bones of the target with the bones of the source that they follow."""

    def draw_item(
        self, _context: Context, layout: UILayout, _data: Any, item: Any, _icon: int, _owner: Any, _name: str, *_: int
    ) -> None:
        """One row: how sure the pair is, the bone, its partner."""
        row = layout.row(align=True)
        row.label(text="", icon=_icon_of(item))
        split = row.split(factor=0.5, align=True)
        split.active = bool(item.source)
        split.label(text=item.bone, translate=False)
        split.label(text=item.source or "none", translate=not item.source)

    def filter_items(self, _context: Context, data: Any, name: str) -> tuple[list[int], list[int]]:
        """Bones whose names, or partners, hold the text of the search; without partner only, if wanted."""
        shown = self.bitflag_filter_item
        text = self.filter_name.lower()
        flags = [
            shown
            if (not data.only_unmatched or not pair.source)
            and (text in pair.bone.lower() or text in pair.source.lower())
            else 0
            for pair in getattr(data, name)
        ]
        return flags, []


def _icon_of(pair: PropertyGroup) -> str:
    if pair.reason == CHOSEN:
        return "USER"
    if not pair.source:
        return "BLANK1"
    return "CHECKMARK" if pair.confidence >= _SURE else "QUESTION"


class RetargetPanel:
    """The motion of another character on this one."""

    bl_label = "Retarget"
    bl_order = 8
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature."""
        return bool(scope.armatures(context))

    def draw(self, context: Context) -> None:
        """Source, mapping, options, the button, what came of it."""
        layout, armature = self.layout, scope.armatures(context)[0]
        settings = armature.motion_editing_retarget
        keep_with_override(armature)
        column = layout.column()
        column.use_property_split, column.use_property_decorate = True, False
        column.prop(settings, "source", icon="ARMATURE_DATA")
        if settings.source is None:
            _draw_start(layout, context, armature)
            return
        reason = _why_no_source(settings.source, armature)
        if reason is not None:
            draw_note(layout, context, reason)
            return
        _draw_mapping(layout, context, settings)
        _draw_options(layout, settings)
        row = layout.row()
        row.scale_y = 1.3
        row.operator("motion_editing.retarget_motion", icon="ARMATURE_DATA")
        draw_report(layout, context, settings.report)


def _draw_start(layout: UILayout, context: Context, armature: Object) -> None:
    """As long as there is no source: what to do next."""
    name, plays = armature.name, scope.action_of(armature) is not None
    if sources_for(armature):
        text = "Choose the armature whose motion '{name}' is to get, as a new action"
        draw_note(layout, context, label_text(text, name=name))
        return
    text = "No other armature has an action that '{name}' could get: bring one into this file"
    draw_note(layout, context, label_text(text, name=name))
    column = layout.column(align=True)
    column.operator("motion_editing.import_bvh", icon="IMPORT")
    column.operator("motion_editing.load_sample_motion", icon="ARMATURE_DATA")
    if plays:
        text = "To give the motion of '{name}' to another armature, select that one"
        draw_note(layout, context, label_text(text, name=name))


def _why_no_source(source: Object, armature: Object) -> str | None:
    """Why the chosen source will not do, or None."""
    if source == armature:
        return label_text("'{name}' is source and target at once: choose another source", name=source.name)
    if is_deleted(source):
        return label_text("'{name}' was deleted: choose another source", name=source.name)
    if scope.action_of(source) is None:
        return refusals.why_no_action(source, cure="assign one, or choose another source")
    return None


def _draw_mapping(layout: UILayout, context: Context, settings: PropertyGroup) -> None:
    header, body = layout.panel("motion_editing_retarget_mapping", default_closed=False)
    counts = {"count": sum(bool(pair.source) for pair in settings.pairs), "all": len(settings.pairs)}
    header.label(text=label_text("Mapping: {count} of {all} Bones", **counts) if len(settings.pairs) else "Mapping")
    if body is None:
        return
    body.operator("motion_editing.propose_mapping", icon="VIEWZOOM")
    if not len(settings.pairs):
        draw_note(body, context, "Without a list, bones are paired by parts of the body and by names")
        body.operator("motion_editing.load_mapping", icon="FILE_FOLDER")
        return
    _draw_list(body, settings)
    if 0 <= settings.active < len(settings.pairs):
        _draw_pair(body, context, settings.pairs[settings.active])


def _draw_list(layout: UILayout, settings: PropertyGroup) -> None:
    """The pairs, and what can be done with them beside."""
    columns = layout.split(factor=_BONE_PART * _LIST_PART)
    columns.active = False
    columns.label(text=settings.id_data.name, icon="BLANK1", translate=False)
    columns.label(text=label_text("Follows {source}", source=settings.source.name))
    row = layout.row()
    row.template_list("MOTIONEDIT_UL_retarget_pairs", "", settings, "pairs", settings, "active", rows=6)
    side = row.column(align=True)
    side.prop(settings, "only_unmatched", text="", icon="FILTER")
    side.separator()
    side.operator("motion_editing.clear_mapping", text="", icon="X")
    side.operator("motion_editing.mirror_mapping", text="", icon="MOD_MIRROR")
    side.separator()
    side.operator("motion_editing.load_mapping", text="", icon="FILE_FOLDER")
    side.operator("motion_editing.save_mapping", text="", icon="FILE_TICK")


def _draw_pair(layout: UILayout, context: Context, pair: PropertyGroup) -> None:
    """The active pair: its partner can be changed."""
    column = layout.column()
    column.use_property_split, column.use_property_decorate = True, False
    column.prop(pair, "source", text=pair.bone, icon="BONE_DATA")
    draw_note(layout, context, _pair_text(pair))


def _pair_text(pair: PropertyGroup) -> str:
    if not pair.source:
        text = label_text("Without a partner it follows what it hangs on")
        return text + label_text("; chosen by hand") if pair.reason == CHOSEN else text
    if pair.reason == CHOSEN:
        return label_text("Chosen by hand")
    reason = label_text(pair.reason.capitalize())
    return label_text("{reason}, {share} sure", reason=reason, share=f"{pair.confidence:.0%}")


def _draw_options(layout: UILayout, settings: PropertyGroup) -> None:
    header, body = layout.panel("motion_editing_retarget_options", default_closed=True)
    header.label(text="Options")
    if body is None:
        return
    body.use_property_split, body.use_property_decorate = True, False
    body.prop(settings, "partner", icon="ARMATURE_DATA")
    draw_choices(body, settings, settings.source, with_partner=settings.partner is not None)


class MOTIONEDIT_MT_retarget(bpy.types.Menu):
    """The motion of another character on this one."""

    bl_label = "Retarget"

    def draw(self, _context: Context) -> None:
        """All tools."""
        self.layout.operator("motion_editing.retarget_motion")
        self.layout.separator()
        for name in (
            "propose_mapping",
            "set_pair",
            "clear_mapping",
            "mirror_mapping",
            "save_mapping",
            "load_mapping",
        ):
            self.layout.operator(f"motion_editing.{name}")


def draw_menu(layout: UILayout) -> None:
    """Entry in the menu of all tools."""
    layout.menu(MOTIONEDIT_MT_retarget.__name__)


panels = in_every_editor(RetargetPanel)

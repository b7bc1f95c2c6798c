"""Panel "Retarget" and its menu entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.types import UIList

from .. import scope
from ..panels import draw_note, in_every_editor

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup, UILayout

# From this confidence on a pair needs no second look.
_SURE = 0.9


class MOTIONEDIT_UL_retarget_pairs(UIList):
    """Bones of the target with the bones of the source that they follow."""

    def draw_item(
        self, _context, layout, _data, item, _icon, _active_data, _active_property, _index=0, _flag=0
    ) -> None:
        """One row: how sure the pair is, the bone, its partner."""
        split = layout.split(factor=0.55, align=True)
        split.active = bool(item.source)
        split.label(text=item.bone, icon=_icon_of(item))
        split.label(text=item.source or "none")

    def filter_items(self, _context, data, name) -> tuple[list[int], list[int]]:
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
    if not pair.source:
        return "BLANK1"
    if pair.reason == "chosen":
        return "USER"
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
        column = layout.column()
        column.use_property_split, column.use_property_decorate = True, False
        column.prop(settings, "source", icon="ARMATURE_DATA")
        if settings.source is None:
            note = "Choose the armature whose motion this one is to get. Both must be in this file"
            draw_note(layout, context, note)
            return
        action = scope.action_of(settings.source)
        if action is None:
            draw_note(layout, context, f"'{settings.source.name}' has no action: assign one, or choose another source")
            return
        _draw_mapping(layout, context, settings)
        _draw_options(layout, settings)
        row = layout.row()
        row.scale_y = 1.3
        row.operator("motion_editing.retarget_motion", icon="ARMATURE_DATA")
        _draw_report(layout, context, settings.report)


def _draw_mapping(layout: UILayout, context: Context, settings: PropertyGroup) -> None:
    header, body = layout.panel("motion_editing_retarget_mapping", default_closed=False)
    paired = sum(1 for pair in settings.pairs if pair.source)
    header.label(text=f"Mapping: {paired} of {len(settings.pairs)} Bones" if len(settings.pairs) else "Mapping")
    if body is None:
        return
    body.operator("motion_editing.propose_mapping", icon="VIEWZOOM")
    if not len(settings.pairs):
        draw_note(body, context, "Without a list, bones are paired by parts of the body and by names")
        body.operator("motion_editing.load_mapping", icon="FILE_FOLDER")
        return
    row = body.row()
    row.template_list("MOTIONEDIT_UL_retarget_pairs", "", settings, "pairs", settings, "active", rows=6)
    side = row.column(align=True)
    side.prop(settings, "only_unmatched", text="", icon="FILTER")
    side.separator()
    side.operator("motion_editing.clear_mapping", text="", icon="X")
    side.operator("motion_editing.mirror_mapping", text="", icon="MOD_MIRROR")
    side.separator()
    side.operator("motion_editing.load_mapping", text="", icon="FILE_FOLDER")
    side.operator("motion_editing.save_mapping", text="", icon="FILE_TICK")
    if 0 <= settings.active < len(settings.pairs):
        _draw_pair(body, context, settings, settings.pairs[settings.active])


def _draw_pair(layout: UILayout, context: Context, settings: PropertyGroup, pair: PropertyGroup) -> None:
    """The active pair: its partner can be changed."""
    column = layout.column()
    column.use_property_split, column.use_property_decorate = True, False
    column.prop_search(pair, "source", settings.source.data, "bones", text=pair.bone, icon="BONE_DATA")
    draw_note(layout, context, _pair_text(pair))


def _pair_text(pair: PropertyGroup) -> str:
    if not pair.source:
        return "Without a partner it follows what it hangs on"
    if pair.reason == "chosen":
        return "Chosen by hand"
    return f"{pair.reason.capitalize()}, {pair.confidence:.0%} sure"


def _draw_options(layout: UILayout, settings: PropertyGroup) -> None:
    header, body = layout.panel("motion_editing_retarget_options", default_closed=True)
    header.label(text="Options")
    if body is None:
        return
    body.use_property_split, body.use_property_decorate = True, False
    body.prop(settings, "partner", icon="ARMATURE_DATA")
    draw_choices(body, settings, settings.source, with_partner=settings.partner is not None)


def draw_choices(layout: UILayout, choices: object, source: Object | None, *, with_partner: bool) -> None:
    """The options, those alone that count together with the others."""
    if with_partner:
        layout.prop(choices, "touch")
    else:
        layout.prop(choices, "space")
        layout.prop(choices, "structure")
    layout.prop(choices, "stands")
    layout.prop(choices, "keep_contacts")
    for name in ("way", *(["way_scale"] if choices.way == "CHOSEN" else []), "lowering", "fade", "size", "size_end"):
        layout.prop(choices, name)
    if not with_partner and choices.structure == "SAME":
        _draw_carrying(layout, choices, source)


def _draw_carrying(layout: UILayout, choices: object, source: Object | None) -> None:
    column = layout.column(align=True)
    column.prop(choices, "carry")
    if choices.carry == "NONE":
        return
    if choices.carry == "CHOSEN":
        for name in ("carry_first", "carry_second"):
            if source is not None:
                column.prop_search(choices, name, source.data, "bones")
            else:
                column.prop(choices, name)
    for name in ("carry_start", "carry_end", "carry_scale"):
        column.prop(choices, name)


def _draw_report(layout: UILayout, context: Context, report: PropertyGroup) -> None:
    if not report.action:
        return
    header, body = layout.panel("motion_editing_retarget_report", default_closed=False)
    header.label(text="Last Result", icon="ERROR" if report.missed else "NONE")
    if body is None:
        return
    column = body.column(align=True)
    for name, value in _report_rows(report):
        row = column.split(factor=0.42)
        left = row.row()
        left.alignment = "RIGHT"
        left.label(text=name)
        row.label(text=value)
    for label, names in (
        ("Only in the source", report.unmatched_source),
        ("Only in the target", report.unmatched_target),
        ("Contacts that nothing can hold", report.lost_contacts),
        ("Cannot leave their place or size", report.stuck),
    ):
        if names:
            draw_note(body, context, f"{label}: {_shortened(names)}")


def _report_rows(report: PropertyGroup) -> list[tuple[str, str]]:
    """Names and values of the report."""
    rows = [("Action", report.action), ("Bones", f"{report.bones} over {report.frames} frames")]
    if report.leg_length > 0.0:
        for name, slide in (("Slide Before", report.slide_before), ("Slide", report.slide)):
            rows.append((name, f"{slide:.4f} ({slide / report.leg_length:.1%} leg)"))
    if report.lowered > 0.0:
        rows.append(("Root Lowered", f"{report.lowered:.3g}"))
    rows.append(("Not Reached", f"{report.missed}, {report.missed_text}" if report.missed else "Nothing"))
    return rows


def _shortened(names: str) -> str:
    """A list of names that fits a note."""
    listed = names.split(", ")
    return names if len(listed) <= 12 else f"{', '.join(listed[:12])} and {len(listed) - 12} more"


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


classes = (MOTIONEDIT_UL_retarget_pairs, MOTIONEDIT_MT_retarget, *in_every_editor(RetargetPanel))

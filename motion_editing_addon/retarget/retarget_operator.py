"""Retarget Motion: another armature's motion becomes a new action of this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import StringProperty
from bpy.types import Operator

from ...core.editing import options_of
from ...core.retarget import RetargetMotion
from ..border.translation import report_text
from ..document import scope
from ..interface.operators.operator import MotionEditOperator
from ..interface.operators.polls import NeedsArmature
from ..interface.shared_options import PARTNER
from . import retarget_run
from .options_layout import draw_choices
from .settings import chosen_source, sources_for

if TYPE_CHECKING:
    from bpy.types import Context, Event, Object, PropertyGroup, UILayout


def _found_sources(_operator: Operator, context: Context, _text: str) -> list[str]:
    """What the field of the source offers."""
    return sources_for(scope.armatures(context)[0])


def _found_partners(_operator: Operator, context: Context, _text: str) -> list[str]:
    """What the field of the partner offers: all other armatures."""
    target = scope.armatures(context)[0]
    return [thing.name for thing in bpy.data.objects if scope.is_armature(thing) and thing != target]


class MOTIONEDIT_OT_retarget_motion(NeedsArmature, MotionEditOperator, Operator):
    bl_idname = "motion_editing.retarget_motion"
    bl_label = "Retarget Motion"
    tool = RetargetMotion
    begins_stack = True

    source: StringProperty(
        name="Source",
        description="Armature to take the motion from; the panel's choice if empty",
        search=_found_sources,
    )
    source_action: StringProperty(
        name="Source Action", description="Action to take; the one that the source plays if empty"
    )
    target: StringProperty(
        name="Target",
        description="Armature that gets the motion; the active one if empty",
    )
    mapping_file: StringProperty(
        name="Mapping File",
        description="Saved mapping; the panel's list or a proposed one if empty",
        subtype="FILE_PATH",
    )
    action_name: StringProperty(name="Name", description="Name of the new action; automatic if empty")
    partner: StringProperty(**PARTNER, search=_found_partners)
    partner_source: StringProperty(
        name="Partner's Source",
        description="Source armature of the partner; the panel's choice if empty",
    )
    # There is nothing shared to ask about: the result is a new action.
    if_shared: StringProperty(options={"HIDDEN"})

    def changes_others(self, _context: Context) -> bool:
        """Nobody else has the new action."""
        return False

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Take what the panel shows; without a source ask for it first."""
        target = scope.armatures(context)[0]
        self._take_from_panel(target.motion_editing_retarget)
        if not (self.source or self.source_action or self.target):
            self.source = chosen_source(target)
        if not (self.source or self.source_action or self.target):
            return self._ask_for_source(context, target)
        return super().invoke(context, event)

    def _ask_for_source(self, context: Context, target: Object) -> set[str]:
        candidates = sources_for(target)
        if not candidates:
            self.report(
                {"ERROR"},
                report_text(
                    "No other armature has an action that '{target}' could get: import one,"
                    " or select the armature that is to get a motion",
                    target=target.name,
                ),
            )
            return {"CANCELLED"}
        if len(candidates) == 1:
            self.source = candidates[0]
        return context.window_manager.invoke_props_dialog(self, title=self.bl_label)

    def _take_from_panel(self, settings: PropertyGroup) -> None:
        """What the tool was not told is as in the panel; names from the last time do not count."""
        shown = {name: getattr(settings, name) for name in options_of(self.tool)}
        shown |= dict.fromkeys(
            ("source", "source_action", "target", "mapping_file", "action_name", "partner_source"), ""
        )
        shown["partner"] = settings.partner.name if settings.partner else ""
        for name, value in shown.items():
            if not self.properties.is_property_set(name):
                setattr(self, name, value)

    def run(self) -> retarget_run.RetargetRun:
        """On the target, and its partner."""
        return retarget_run.RetargetRun(self)

    def draw_own(self, layout: UILayout) -> None:
        """Source, place and options."""
        layout.prop(self, "source", icon="ARMATURE_DATA")
        layout.prop_search(self, "source_action", bpy.data, "actions")
        layout.prop(self, "partner", icon="ARMATURE_DATA")
        source = bpy.data.objects.get(self.source)
        draw_choices(layout, self, source, with_partner=bool(self.partner))

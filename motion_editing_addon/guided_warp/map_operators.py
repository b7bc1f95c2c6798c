"""Time maps on other objects and sequencer strips, and plain time edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy.types import Operator

from ...core.guided_warp import ReverseTime, ShiftTime, Synchronize
from ..border.translation import counted_text, report_text
from ..document import scope
from ..interface import strip
from ..interface.operators.operator import MotionEditOperator
from ..interface.operators.polls import NeedsClip
from ..interface.reports import guarded
from ..interface.shared_options import RANGE
from .following import others
from .warp import synchronize_run

if TYPE_CHECKING:
    from bpy.types import Context


class MOTIONEDIT_OT_apply_time_map(NeedsClip, Operator):
    """Retime other selected objects and strips with a saved time map"""

    bl_idname = "motion_editing.apply_time_map"
    bl_label = "Apply Time Map"
    bl_options = {"REGISTER", "UNDO"}

    map_name: StringProperty(name="Map", description="Name of the saved time map; the first one if empty")
    strips: BoolProperty(
        name="Sequencer Strips",
        description="Retime selected video and sound strips too",
        default=True,
    )

    def execute(self, context: Context) -> set[str]:
        """Retime everything that is selected but the active armature."""
        return guarded(self, lambda: others.apply(context, self.map_name, with_strips=self.strips))


class MOTIONEDIT_OT_keytimes_from_events(NeedsClip, Operator):
    """Match contacts or markers in time with those of another armature"""

    bl_idname = "motion_editing.keytimes_from_events"
    bl_label = "Match Events"
    bl_options = {"REGISTER", "UNDO"}

    source: StringProperty(name="Other", description="Name of the other armature; the other selected one if empty")
    kind: EnumProperty(
        name="Events",
        description="Events to match",
        items=(
            ("CONTACTS", "Footfalls", "Match footfalls of both characters"),
            (
                "MARKERS",
                "Markers",
                "Match markers or footfalls with markers of the other action or scene",
            ),
        ),
        default="CONTACTS",
    )

    def execute(self, context: Context) -> set[str]:
        """Set the keytimes; Warp Time then hits them."""

        def match() -> str:
            matched = others.match_events(context, self.source, self.kind)
            strip.redraw()
            return report_text("Matched {events}; use Warp Time to apply them", events=counted_text(matched, "event"))

        return guarded(self, match)


class MOTIONEDIT_OT_synchronize(MotionEditOperator, Operator):
    bl_idname = "motion_editing.synchronize"
    bl_label = "Synchronize"
    offers_keys = False
    offers_range = False
    tool = Synchronize

    range: EnumProperty(**RANGE, items=scope.RANGES, default="ACTION", options={"HIDDEN"})

    def run(self) -> synchronize_run.SynchronizeRun:
        """With another action."""
        return synchronize_run.SynchronizeRun(self)


class MOTIONEDIT_OT_reverse_time(MotionEditOperator, Operator):
    bl_idname = "motion_editing.reverse_time"
    bl_label = "Reverse Time"
    offers_keys = False
    any_object = True
    tool = ReverseTime


class MOTIONEDIT_OT_shift_time(MotionEditOperator, Operator):
    bl_idname = "motion_editing.shift_time"
    bl_label = "Shift Time"
    any_object = True
    tool = ShiftTime

"""Time maps on other objects and sequencer strips, and plain time edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import Operator

from ... import core
from ...core.errors import MotionEditError
from ...core.wording import counted
from ..document.motion_changes import change_of, retime, tell
from ..interface import strip
from ..interface.operators.operator import MotionEditOperator
from ..interface.operators.polls import NeedsClip
from ..interface.reports import guarded

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, UILayout

    from ...core.motion import Motion
    from ..border.action_io import Clip, WriteReport
    from ..border.steps import Steps
    from ..interface.operators.operator import Carry


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
        from . import others

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
        from . import others

        def match() -> str:
            matched = others.match_events(context, self.source, self.kind)
            strip.redraw()
            return f"Matched {counted(matched, 'event')}; use Warp Time to apply them"

        return guarded(self, match)


class MOTIONEDIT_OT_reverse_time(MotionEditOperator, Operator):
    """Play the motion backward"""

    bl_idname = "motion_editing.reverse_time"
    bl_label = "Reverse Time"
    verb = "Reversed"
    offers_keys = False
    any_object = True

    def plan(self, clip: Clip, joints: np.ndarray) -> Steps[Carry]:
        """Mirror time about the middle of the range."""

        yield 0.0
        start, end = (float(time) for time in clip.motion.times[[0, -1]])
        return lambda: retime(clip, core.motion.TimeMap.reverse(start, end), joints)


class MOTIONEDIT_OT_shift_time(MotionEditOperator, Operator):
    """Offset all keyframes in time"""

    bl_idname = "motion_editing.shift_time"
    bl_label = "Shift Time"
    verb = "Shifted"
    any_object = True

    offset: FloatProperty(
        name="Offset", description="Time offset in seconds; positive is later", default=0.25, unit="TIME_ABSOLUTE"
    )
    ends: EnumProperty(
        name="Ends",
        description="What is shown where the keys have moved away",
        items=(
            ("HOLD", "Hold", "Hold the first pose before the keys and the last one after them"),
            ("CYCLE", "Cycle", "Wrap around: what leaves at one end comes in at the other"),
        ),
        default="HOLD",
    )

    def plan(self, clip: Clip, joints: np.ndarray) -> Steps[Carry]:
        """Move the keys, or let baked ones come in again at the other end."""
        from ..border import action_io

        if self.ends == "HOLD":
            yield 0.0
            return lambda: retime(clip, core.motion.TimeMap.shift(self.offset), joints)
        if not any(action_io.baked_bones(clip).values()):
            raise MotionEditError("Cycle needs a key on every frame: use Convert Keys first, or Hold")
        after = core.motion.within_scope(
            clip.motion, self._around(clip.motion), joints, scalars=clip.scalars_of(joints)
        )
        planned = yield from action_io.plan_write(clip, after, self.key_options())
        return lambda: self._cycled(clip, joints, planned.carry_out)

    def _cycled(self, clip: Clip, joints: np.ndarray, write: Carry) -> WriteReport:
        """Write, and let what goes with the motion come in at the other end as well."""
        report = write()
        start, end = (float(time) for time in clip.motion.times[[0, -1]])
        if end > start:
            around = core.motion.TimeMap.shift(self.offset, start=start, end=end, ends=core.motion.Ends.CYCLE)
            once = around.compose(core.motion.TimeMap.identity(start, end, ends=core.motion.Ends.HOLD))
            tell(change_of(clip, joints, time_map=once))
        return report

    def _around(self, motion: Motion) -> Motion:
        """Show each frame the moment that lies the offset before it, round and round."""
        import numpy as np

        start, end = motion.times[[0, -1]]
        times = start + np.mod(motion.times - self.offset - start, max(end - start, 1e-9))
        return core.motion.with_times(motion.at(times), motion.times)

    def draw_own(self, layout: UILayout) -> None:
        """Offset and ends."""
        layout.prop(self, "offset")
        layout.prop(self, "ends")


classes = (
    MOTIONEDIT_OT_apply_time_map,
    MOTIONEDIT_OT_keytimes_from_events,
    MOTIONEDIT_OT_reverse_time,
    MOTIONEDIT_OT_shift_time,
)

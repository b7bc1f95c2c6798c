"""Spans of the time lane: what is protected, elastic or rhythmic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import FloatProperty, IntProperty
from bpy.types import Operator

from ...core.errors import MotionEditError
from ..border.translation import counted_text, report_text
from ..document import scope
from ..interface import strip
from ..interface.operators.polls import NeedsClip
from ..interface.reports import guarded
from ..interface.shared_options import END, START
from . import kept_spans, time_spans

if TYPE_CHECKING:
    from bpy.types import Context

# No frame of any scene.
_NOT_SET = -1.0e6


class _SpanOperator(NeedsClip):
    """Mixin of operators that change the spans of the active object."""

    bl_options = {"REGISTER", "UNDO"}
    any_object = True

    def change(self, context: Context) -> str:
        """Change the spans; what there is to report."""
        raise NotImplementedError

    def execute(self, context: Context) -> set[str]:
        """Change them and show it."""

        def change() -> str:
            text = self.change(context)
            strip.redraw()
            return text

        return guarded(self, change)


class MOTIONEDIT_OT_find_events(_SpanOperator, Operator):
    """Show flights, strikes, repetitions and idle time on the strip"""

    bl_idname = "motion_editing.find_events"
    bl_label = "Find Events"

    def change(self, context: Context) -> str:
        """List what is found."""
        counts = kept_spans.find(context)
        if not counts:
            raise MotionEditError("Nothing happens in this motion that stands out; Keep This protects any part of it")
        told = ", ".join(counted_text(count, name) for name, count in counts.items())
        return report_text("Found {events}", events=told)


class MOTIONEDIT_OT_toggle_span(_SpanOperator, Operator):
    """Protect a span or release it; tie repetitions or untie them"""

    bl_idname = "motion_editing.toggle_span"
    bl_label = "Toggle Span"

    span: IntProperty(name="Span", description="Number on the strip, 0 being the first", default=0, min=0)

    def change(self, context: Context) -> str:
        """Make it another kind."""
        return kept_spans.toggle(context, self.span)


class MOTIONEDIT_OT_keep_this(_SpanOperator, Operator):
    """Protect the length of the preview range, or of what is happening now"""

    bl_idname = "motion_editing.keep_this"
    bl_label = "Keep This"

    start: FloatProperty(**START, default=_NOT_SET)
    end: FloatProperty(**END, default=_NOT_SET)
    run_out: FloatProperty(
        name="Run-Out", description="Seconds after it that are protected too", default=0.25, min=0.0, soft_max=2.0
    )

    def change(self, context: Context) -> str:
        """Add a protected span."""
        given = None if _NOT_SET in (self.start, self.end) else (self.start, self.end)
        return kept_spans.keep(context, given, self.run_out)


class MOTIONEDIT_OT_clear_spans(_SpanOperator, Operator):
    """Forget all spans; events are found automatically again"""

    bl_idname = "motion_editing.clear_spans"
    bl_label = "Clear Spans"

    def change(self, context: Context) -> str:
        """Take them away."""
        time_spans.clear_spans(scope.armatures(context, any_object=True)[0])
        return ""

"""Timing taken from a reference or from music."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty, FloatProperty, StringProperty
from bpy.types import Operator

from ...document import scope
from ...interface.operators.operator import MotionEditOperator
from ...interface.shared_options import SOUND_STRIP
from ..features.feature_operators import TakesReference
from .time_operators import TimeEdit

if TYPE_CHECKING:
    from bpy.types import Context, Event, UILayout

    from ....core.motion import TimeMap
    from ..subject import Subject
    from ..windows.windows import Windows


class MOTIONEDIT_OT_align_windows(TakesReference, TimeEdit, MotionEditOperator, Operator):
    """Match the enabled windows to the timing of the operation window"""

    bl_idname = "motion_editing.align_windows"
    bl_label = "Align Windows"
    whole_body = True
    has_ease = False

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start from the panel's reference."""
        self.take_from_panel(context)
        return super().invoke(context, event)

    def time_map(self, subject: Subject, windows: Windows) -> TimeMap:
        """The composite of all targets."""
        from . import timing

        return timing.aligned(bpy.context, subject, windows, self.choice(), self.target, self.amount)

    def draw_timing(self, layout: UILayout) -> None:
        """Source and target."""
        self.draw_reference(layout)


class MOTIONEDIT_OT_snap_to_beats(TimeEdit, MotionEditOperator, Operator):
    """Move footfalls or the ends of windows to beats of a sound strip"""

    bl_idname = "motion_editing.snap_to_beats"
    bl_label = "Snap to Beats"
    has_ease = False

    events: EnumProperty(
        name="Events",
        description="Events to move to the beats",
        items=(
            ("CONTACTS", "Footfalls", "When feet touch the ground"),
            ("WINDOWS", "Windows", "Starts and ends of the operation window and enabled windows"),
        ),
    )
    farthest: FloatProperty(
        name="Farthest",
        description="Largest time in seconds that an event may be moved",
        default=0.3,
        min=0.01,
        soft_max=2.0,
    )
    sound_strip: StringProperty(**SOUND_STRIP)

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start from the panel's sound strip."""
        self.sound_strip = scope.action_of(scope.armatures(context)[0]).motion_editing_timeline.sound_strip
        return super().invoke(context, event)

    def windows(self, subject: Subject) -> Windows | None:
        """The windows, where they are asked for."""
        return super().windows(subject) if self.events == "WINDOWS" else None

    def time_map(self, subject: Subject, windows: Windows | None) -> TimeMap:
        """Every event on its beat."""
        from . import music, timing

        events = music.window_ends(windows) if windows is not None else music.footfalls(subject)
        beats = music.beats_in_samples(bpy.context, subject.clip, self.sound_strip)
        return timing.snapped(subject, events, beats, self.farthest)

    def draw_timing(self, layout: UILayout) -> None:
        """Events and sound."""
        layout.prop(self, "events")
        layout.prop(self, "farthest")
        layout.prop(self, "sound_strip")


classes = (MOTIONEDIT_OT_align_windows, MOTIONEDIT_OT_snap_to_beats)

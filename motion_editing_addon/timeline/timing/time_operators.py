"""Longer, shorter, earlier, later: in the operation window and in all that are ticked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, FloatProperty, IntProperty
from bpy.types import Operator

from ....core.errors import MotionEditError
from ...document import scope
from ...interface.operators.operator import MotionEditOperator
from ...interface.shared_options import BREAKDOWNS, CURRENT_FRAME, EASE, SOFTEN
from ..settings import has_window
from ..timeline_operator import NOT_SET, TimelineEdit

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Event, Object, UILayout

    from ....core.motion import TimeMap
    from ...border.action_io import Clip, WriteReport
    from ...border.steps import Steps
    from ...interface.operators.operator import Carry
    from ..subject import Subject
    from ..windows.windows import Windows


class TimeEdit(TimelineEdit):
    """Mixin of operators that give the windows another timing."""

    verb = "Retimed"
    offers_keys = False
    whole_body = False  # whatever is painted
    has_ease = True  # the speed changes within the ease; False where the timing is smooth by itself

    ease: FloatProperty(**EASE, default=0.25, min=0.0, max=0.5, subtype="FACTOR")
    soften: BoolProperty(**SOFTEN, default=True)
    breakdowns: BoolProperty(**BREAKDOWNS, default=True)

    def time_map(self, subject: Subject, windows: Windows) -> TimeMap:
        """The new timing."""
        raise NotImplementedError

    def windows(self, subject: Subject) -> Windows | None:
        """The windows that are set."""
        from ..windows.windows import windows_of

        return windows_of(subject.clip)

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start from the panel's ease."""
        self.ease = scope.action_of(scope.armatures(context)[0]).motion_editing_timeline.ease
        return super().invoke(context, event)

    def plan(self, clip: Clip, _joints: np.ndarray) -> Steps[Carry]:
        """Work out the map; keys and baked curves move through it."""
        from ..frames import scene_frames_told
        from ..subject import look_at
        from .time_change import Writing, plan_retiming

        subject = yield from look_at(bpy.context, clip)
        with scene_frames_told(clip):
            time_map = self.time_map(subject, self.windows(subject))
            writing = Writing(self.key_options(), self.breakdowns, self.soften)
            planned = yield from plan_retiming(subject, time_map, writing, whole_body=self.whole_body)
        self.warn_of_changed_windows(clip)
        return self.remembering(clip, planned)

    def remarks(self, reports: list[WriteReport]) -> str:
        """A motion that has grown beyond the scene's end would be cut off there; the scene is the user's."""
        scene = bpy.context.scene
        longer = any(0 < report.frames_before < report.frames for report in reports)
        if not longer or _last_frame(scope.armatures(bpy.context)[0]) < scene.frame_end + 0.5:
            return ""
        return f"; the scene ends at frame {scene.frame_end}"

    def sample(self, clip: Clip, scene_frame: float) -> float:
        """A scene frame as sample number."""
        from ..frames import samples_of

        return float(samples_of(clip, scope.from_scene(clip.armature, scene_frame)))

    def draw_own(self, layout: UILayout) -> None:
        """The tool's own values, then how keys are made."""
        self.draw_timing(layout)
        for name in ("ease",) * self.has_ease + ("soften", "breakdowns"):
            layout.prop(self, name)
        if self.breakdowns:
            layout.prop(self, "rotation_error")
            layout.prop(self, "location_error")

    def draw_timing(self, _layout: UILayout) -> None:
        """The tool's own values."""


def _last_frame(armature: Object) -> float:
    """Scene frame of the last key."""
    from ...border.action_io import key_ends

    return float(scope.to_scene(armature, key_ends(armature)[1:])[0])


class MOTIONEDIT_OT_stretch_windows(TimeEdit, MotionEditOperator, Operator):
    """Scale the duration of the operation window and all enabled windows"""

    bl_idname = "motion_editing.stretch_windows"
    bl_label = "Stretch Windows"

    factor: FloatProperty(
        name="Factor",
        description="New duration as a factor of the old one",
        default=1.2,
        min=0.01,
        soft_max=4.0,
        max=100.0,
    )
    end_frame: FloatProperty(
        name="End Frame",
        description="Scene frame at which the window ends, instead of the factor",
        default=NOT_SET,
        options={"SKIP_SAVE"},
    )
    window: IntProperty(
        name="Window", description="Window that End Frame refers to; -1 is the operation window", default=-1, min=-1
    )

    def time_map(self, subject: Subject, windows: Windows) -> TimeMap:
        """The composite of all windows."""
        from . import timing

        factor = self.factor
        if self.end_frame != NOT_SET:
            factor = timing.factor_to(windows, self.window, self.sample(subject.clip, self.end_frame))
            self.factor = factor  # held within its limits; a factor beyond them is refused
        return timing.stretched(subject, windows, factor, self.ease)

    def draw_timing(self, layout: UILayout) -> None:
        """The factor; once it follows from a frame, it is the frame that is changed."""
        if self.end_frame == NOT_SET:
            layout.prop(self, "factor")
        else:
            layout.prop(self, "end_frame")
            layout.prop(self, "window")


class MOTIONEDIT_OT_move_pose(TimeEdit, MotionEditOperator, Operator):
    """Retime a pose and its matches in all enabled windows"""

    bl_idname = "motion_editing.move_pose"
    bl_label = "Move Pose"

    frame: FloatProperty(**CURRENT_FRAME, default=NOT_SET)
    to_frame: FloatProperty(
        name="To Frame", description="New scene frame of the pose; 5 frames later if not set", default=NOT_SET
    )

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Take the current frame if none is given."""
        self.frame = float(context.scene.frame_current_final) if self.frame == NOT_SET else self.frame
        self.to_frame = self.frame + 5.0 if self.to_frame == NOT_SET else self.to_frame
        return super().invoke(context, event)

    def windows(self, subject: Subject) -> Windows | None:
        """The windows; poses can be moved without any."""
        from ..windows.windows import windows_of

        return windows_of(subject.clip) if has_window(subject.armature) else None

    def time_map(self, subject: Subject, windows: Windows | None) -> TimeMap:
        """The composite of all windows that the pose has its like in."""
        from . import timing

        if NOT_SET in (self.frame, self.to_frame):
            raise MotionEditError("Give the pose's frame and the new frame at which it is seen")
        sample, target = self.sample(subject.clip, self.frame), self.sample(subject.clip, self.to_frame)
        return timing.moved_pose(subject, windows, sample, target, self.ease)

    def draw_timing(self, layout: UILayout) -> None:
        """Both frames."""
        layout.prop(self, "frame")
        layout.prop(self, "to_frame")


classes = (MOTIONEDIT_OT_stretch_windows, MOTIONEDIT_OT_move_pose)

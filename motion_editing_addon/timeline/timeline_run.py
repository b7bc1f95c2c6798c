"""How edits of windows are made: painted bones, frames that people know in refusals, the window remembered anew."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import bpy
import numpy as np

from ..border import action_io
from ..border.action_io import WriteReport, key_ends
from ..border.translation import report_text
from ..document import pose_models, scope
from ..document.character.joint_positions import positions_of
from ..interface import strip
from ..interface.operators.take_run import TakeRun
from .features.painted_bones import refuse_lost
from .frames import scene_frames_told
from .timeline_take import TimelineTake
from .windows.carried_keys import carried_keys, edited_keys
from .windows.memory import remember_anew
from .windows.memory import remembered as arrays_of
from .windows.window_contents import changed_text, unchanged

if TYPE_CHECKING:
    from ...core.editing import Change
    from ..border.action_io import Clip, Plan
    from ..border.action_io.reduction.sparse_keys import Closely
    from ..border.steps import Steps
    from ..document.take.clip_take import ClipTake
    from ..document.take.tool_run import Carry
    from ..interface.operators.operator import MotionEditOperator


_ALL_REACHED = (
    "The edit has reached all enabled windows already, so nothing was carried; "
    "use Find Similar if they do not fit any more"
)


class TimelineRun(TakeRun):
    """One call of an operator that edits windows of the active armature."""

    def take_of(self, clip: Clip, _joints: np.ndarray) -> TimelineTake:
        """The painted bones are in scope, or all joints and the object."""
        refuse_lost(clip.armature)
        take = TimelineTake(clip)
        take.joints = take.painted if take.painted.any() else take.joints
        return take

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Say where ticked windows may no longer lie right."""
        with scene_frames_told(take.clip):
            planned = yield from super().plan(take)
        self.warn_of_changed(take.clip)
        return remembering(take.clip, planned)

    def warn_of_changed(self, clip: Clip) -> None:
        """Name the windows."""
        if text := changed_text(clip):
            self.operator.report({"WARNING"}, text)

    def remarks(self, reports: list[WriteReport]) -> str:
        """A motion that has grown beyond the scene's end would be cut off there; the scene is the user's."""
        last = bpy.context.scene.frame_end
        longer = any(0 < report.frames_before < report.frames for report in reports)
        if not longer or self._last_frame() < last + 0.5:
            return ""
        return report_text("; the scene ends at frame {frame}", frame=last)

    def _last_frame(self) -> float:
        """Scene frame of the last key."""
        armature = scope.armatures(bpy.context)[0]
        return float(scope.to_scene(armature, np.array(key_ends(armature)))[-1])


class PropagationRun(TimelineRun):
    """One call of Propagate Edit."""

    def __init__(self, operator: MotionEditOperator) -> None:
        """Nothing is compared yet."""
        super().__init__(operator)
        self._edited: action_io.EditedKeys | None = None

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """As new times of poses where a model knows these, few keys as keys, baked ones frame by frame."""
        windowed = cast(TimelineTake, take)
        self.operator.present_tool().targets(windowed)  # refuses if there never was one
        windowed.windows = unchanged(take.clip, windowed.windows)
        if not windowed.windows.ticked():
            self.operator.report({"WARNING"}, report_text(_ALL_REACHED))
            return WriteReport
        write = self._by_poses(windowed) if take.joints.all() else None
        if write is None:
            self._edited = edited_keys(windowed, self.operator.key_options())
            return (yield from super().plan(take))
        self.warn_of_changed(take.clip)
        return remembering(take.clip, write)

    def change(self, take: ClipTake) -> Change:
        """What is carried frame by frame."""
        change = super().change(take)
        return change if self._edited is None else replace(change, motion=self._edited.without(change.whole))

    def writing(self, take: ClipTake, planned: Plan, change: Change, *closely: Closely) -> Carry:
        """Write what is carried frame by frame, then keys."""
        write = super().writing(take, planned, change, *closely)
        if self._edited is None:
            return write
        keys = carried_keys(cast(TimelineTake, take), self._edited, self.operator.present_tool())
        return lambda: write().joined(keys.carry_out())

    def _by_poses(self, take: TimelineTake) -> Carry | None:
        tool, operation = self.operator.present_tool(), take.windows.operation
        span, targets, known = (operation.start, operation.end), tool.targets(take), arrays_of(take.clip.armature)
        write = pose_models.carried(take.clip, known, span, targets, amount=tool.amount, body=take.body)
        return None if write is None else lambda: write(self.operator.key_options())


def remembering(clip: Clip, carry_out: Carry) -> Carry:
    """The same edit, after which the window is remembered as it then is."""

    def edit_and_remember() -> WriteReport:
        report = carry_out()
        edited = scope.read_clip(bpy.context, clip.armature)
        remember_anew(edited)
        positions_of(bpy.context, edited)  # of a control rig, so that its icons stay
        strip.redraw()
        return report

    return edit_and_remember

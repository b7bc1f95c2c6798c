"""Windows, their ticks, and the bones that edits are limited to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Operator

from .... import core
from ....core.errors import MotionEditError
from ....core.timeline import NOT_SET
from ...border.translation import counted_text, report_text
from ...document import scope, watched_keys
from ...interface import strip
from ...interface.operators.long_work import LongWorkOperator
from ...interface.operators.polls import NeedsClip
from ...interface.shared_options import CHOSEN_BONE, ENABLED, END, FACE, START, STATE
from .. import frames, web
from .. import subject as subjects
from ..features import painted_bones
from ..settings import has_window
from ..timeline_operator import TimelineChoice
from . import memory, windows

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup

    from ....core.timeline import MatchWeb
    from ...border.action_io import Clip
    from ...border.steps import Steps
    from ..subject import Subject


class MOTIONEDIT_OT_find_similar(LongWorkOperator, NeedsClip, Operator):
    """Set an operation window and find all similar parts of the motion"""

    bl_idname = "motion_editing.find_similar"
    bl_label = "Find Similar"
    bl_options = {"REGISTER", "UNDO"}

    window: EnumProperty(
        name="Window",
        description="Part of the motion to search for",
        items=(
            ("FRAMES", "Frames", "From Start to End, or the present window if they are not set"),
            ("PREVIEW", "Preview Range", "The preview range"),
            ("KEYS", "Selected Keys", "From the first to the last selected key"),
            ("MARKERS", "Between Markers", "Between the first and the last selected marker"),
            ("REPEATED", "Most Repeated", "Part of the motion that is repeated most often"),
        ),
    )
    start: FloatProperty(**START, default=NOT_SET)
    end: FloatProperty(**END, default=NOT_SET)
    tick_up_to: FloatProperty(
        name="Enable Up To",
        description="Largest distance of enabled windows in body heights",
        default=0.09,
        min=0.0,
        soft_max=0.3,
        precision=3,
    )
    show_up_to: FloatProperty(
        name="Show Up To",
        description="Largest distance of listed windows in body heights",
        default=0.15,
        min=0.0,
        soft_max=0.5,
        precision=3,
    )
    face: BoolProperty(**FACE, default=False)

    def work(self, context: Context) -> Steps[None]:
        """Weave the web unless it is known, look the window up, remember its motion."""
        armature = scope.armatures(context)[0]
        subject = yield from subjects.subject_of(context, armature)
        asked = None if self.window == "REPEATED" else self._asked(context, subject.clip)
        fingerprint = watched_keys.fingerprint_now(armature)
        found_web = yield from web.web_of(subject, fingerprint)
        compared = self._compared(subject, found_web)
        start, end = asked or core.timeline.most_repeated_part(
            compared, rate=subject.motion.rate, ticked=self.tick_up_to
        )
        with frames.scene_frames_told(subject.clip):
            found = core.timeline.propagation_windows(
                compared, start, end, ticked=self.tick_up_to, shown=max(self.show_up_to, self.tick_up_to)
            )
        web.save(subject, found_web, fingerprint)
        windows.save_windows(subject.clip, start, end, found)
        memory.remember(subject.clip, fingerprint)
        strip.redraw()
        similar, ticked = counted_text(len(found), "similar window"), sum(each.ticked for each in found)
        self.report({"INFO"}, report_text("{windows}, {count} enabled", windows=similar, count=ticked))

    def _compared(self, subject: Subject, found_web: MatchWeb) -> MatchWeb:
        """The web, with the face if that is to count."""
        face = core.analysis.face_path(subject.motion, subject.body) if self.face else None
        return found_web if face is None else replace(found_web, face=face)

    def _asked(self, context: Context, clip: Clip) -> tuple[float, float]:
        """The window in samples, within the motion."""
        low, high = sorted(frames.samples_of(clip, self._frames(context, clip.armature)).tolist())
        last = len(clip.frames) - 1.0
        if high <= 0.0 or low >= last:
            return low, high  # refused by the search, with the frames there are
        return max(0.0, low), min(last, high)

    def _frames(self, context: Context, armature: Object) -> tuple[float, float]:
        if self.window != "FRAMES":
            first, last = scope.frame_range(context, armature, self.window)
            assert first is not None
            assert last is not None
            return first, last
        if NOT_SET not in (self.start, self.end):
            return scope.from_scene(armature, self.start), scope.from_scene(armature, self.end)
        settings = windows.settings_of(armature)
        if not has_window(armature):
            raise MotionEditError("Give the window's start and end: drag across the strip, or use the preview range")
        return settings.start, settings.end


class MOTIONEDIT_OT_show_icons(LongWorkOperator, NeedsClip, Operator):
    """Sample the poses of a constrained or driven rig to draw its icons"""

    bl_idname = "motion_editing.show_icons"
    bl_label = "Show Icons"
    bl_options = {"REGISTER"}

    def work(self, context: Context) -> Steps[None]:
        """Step through all frames of the active rig, and of the second one."""
        armature = scope.armatures(context)[0]
        second = scope.own_action(armature).motion_editing_timeline.second
        for each in (armature, second):
            if scope.action_of(each) is not None:
                yield from subjects.subject_of(context, each)
        strip.redraw()


class MOTIONEDIT_OT_clear_windows(TimelineChoice, Operator):
    """Clear all windows; the motion stays as it is"""

    bl_idname = "motion_editing.clear_windows"
    bl_label = "Clear Windows"

    def change(self, _context: Context, armature: Object, _settings: PropertyGroup) -> None:
        """No windows, nothing remembered."""
        windows.clear_windows(armature)
        memory.forget(armature)


class MOTIONEDIT_OT_tick_window(TimelineChoice, Operator):
    """Enable or disable a window for edits"""

    bl_idname = "motion_editing.tick_window"
    bl_label = "Enable Window"

    window: IntProperty(name="Window", description="Number in the list, from 0", min=0)
    state: EnumProperty(
        **STATE,
        items=(
            ("TOGGLE", "Toggle", "Enable if disabled, disable if enabled"),
            ("ON", "On", "Apply edits to the window"),
            ("OFF", "Off", "Leave the window out of edits"),
        ),
    )

    def change(self, _context: Context, _armature: Object, settings: PropertyGroup) -> None:
        """One tick."""
        if self.window >= len(settings.windows):
            raise MotionEditError(f"There is no window with number {self.window} among {len(settings.windows)}")
        item = settings.windows[self.window]
        item.ticked = not item.ticked if self.state == "TOGGLE" else self.state == "ON"


class MOTIONEDIT_OT_tick_all_windows(TimelineChoice, Operator):
    """Enable or disable all windows for edits"""

    bl_idname = "motion_editing.tick_all_windows"
    bl_label = "Enable All Windows"

    ticked: BoolProperty(**ENABLED, default=True)

    def change(self, _context: Context, _armature: Object, settings: PropertyGroup) -> str:
        """All ticks."""
        for item in settings.windows:
            item.ticked = self.ticked
        count = len(settings.windows) if self.ticked else 0
        return counted_text(count, "window enabled", "windows enabled")


class MOTIONEDIT_OT_paint_bones(TimelineChoice, Operator):
    """Limit timeline edits to the selected bones"""

    bl_idname = "motion_editing.paint_bones"
    bl_label = "Paint Bones"

    how: EnumProperty(
        name="Paint",
        description="How the selected bones change what is painted",
        items=(
            ("SET", "Set", "Paint only the selected bones"),
            ("ADD", "Add", "Paint the selected bones too"),
            ("REMOVE", "Remove", "Remove the selected bones from the painted ones"),
            ("TOGGLE", "Toggle", "Toggle the selected bones"),
            ("CLEAR", "Clear", "Paint no bones"),
        ),
    )
    bone: StringProperty(**CHOSEN_BONE)

    def change(self, _context: Context, armature: Object, _settings: PropertyGroup) -> str:
        """Other painted bones."""
        names = {self.bone} if self.bone else scope.picked_bones(armature)
        if self.bone and self.bone not in armature.pose.bones:
            raise MotionEditError(f"'{armature.name}' has no bone '{self.bone}'")
        if not names and self.how != "CLEAR":
            raise MotionEditError("Select bones in pose mode, or click bones of an icon on the strip")
        count = painted_bones.paint(armature, names, self.how)
        if not count:
            return report_text("No bone is painted: edits are about the whole body")
        return counted_text(count, "bone painted", "bones painted")


class MOTIONEDIT_OT_remember_window(TimelineChoice, Operator):
    """Store the operation window as the start of an edit to propagate"""

    bl_idname = "motion_editing.remember_window"
    bl_label = "Remember Window"

    def change(self, context: Context, armature: Object, _settings: PropertyGroup) -> str:
        """Compare with the present motion from now on."""
        memory.remember(scope.read_clip(context, armature))
        return "Edit the window with any tool, then use Propagate Edit"

"""Importing and exporting BVH files with their rate, names and rotations intact."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import Operator, OperatorFileListElement
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ... import core
from ...core.errors import MotionEditError
from ..border import new_armature
from ..border.translation import counted_text, report_text
from ..document import scope
from ..document.take.examination import STATED, rate_text
from ..document.take.reference_pose import remember
from ..interface.shared_options import FIT_SCENE, RANGE, SCALE, UP_AXIS

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...core.motion import Motion

_UP_AXES = (
    ("AUTO", "Automatic", "Detect the up axis from the figure"),
    ("Y", "Y Up", "Use the file's Y axis as up, as in most files"),
    ("Z", "Z Up", "Use the file's Z axis as up"),
)


class MOTIONEDIT_OT_import_bvh(ImportHelper, Operator):
    """Import motion capture with its source rate"""

    bl_idname = "motion_editing.import_bvh"
    bl_label = "Import BVH"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".bvh"
    filter_glob: StringProperty(default="*.bvh", options={"HIDDEN"})
    files: CollectionProperty(type=OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    up: EnumProperty(**UP_AXIS, items=_UP_AXES, default="AUTO")
    scale: FloatProperty(**SCALE, default=1.0, min=1e-4, soft_max=100.0)
    check_rate: BoolProperty(
        name="Check Rate",
        description="Correct a wrong frame rate of the file from falls under gravity",
        default=True,
    )
    fit_scene: BoolProperty(**FIT_SCENE, default=True)

    def execute(self, context: Context) -> set[str]:
        """Import every chosen file; a file that cannot be read is reported and does not stop the others."""
        names = [item.name for item in self.files if item.name]
        folder, file = (bpy.path.abspath(text) for text in (self.directory, self.filepath))
        paths = [Path(folder) / name for name in names] or [Path(file)]
        loaded = 0
        for path in paths:
            try:
                self._load(context, path)
                loaded += 1
            except MotionEditError as error:
                self.report({"ERROR"}, str(error))
        return {"FINISHED"} if loaded else {"CANCELLED"}

    def _load(self, context: Context, path: Path) -> None:
        file = core.files.read_bvh(path)
        as_filed = file.to_motion()
        motion = self._upright(as_filed)
        armature = new_armature.add_armature(context, motion, name=path.stem)
        settings = scope.own_action(armature).motion_editing
        # The same whichever axis is up, and there it is known where joints are.
        remember(armature, core.motion.leading_reference_frames(as_filed))
        warnings = [*file.warnings, *self._examine(motion, armature)]
        if self.fit_scene:
            context.scene.frame_end = max(context.scene.frame_end, len(motion))
        for warning in warnings:
            self.report({"WARNING"}, f"{path.name}: {warning.removeprefix(f'{path.name}: ')}")
        self.report({"INFO"}, f"{path.name}: {_read_text(len(motion), settings.source_rate, settings.skipped_frames)}")

    def _examine(self, motion: Motion, armature: Object) -> list[str]:
        """Set the rate; what is said about one that the motion speaks against."""
        settings = scope.own_action(armature).motion_editing
        settings.examined, settings.source_rate_reason, settings.stated_rate = True, STATED, motion.rate
        if not self.check_rate:
            return []
        body, places = core.body.find_body(motion.skeleton, motion=motion), motion.poses.positions
        guess = core.analysis.guess_source_rate(places[settings.skipped_frames :], body, stated=motion.rate)
        if not guess.contradicts or guess.rate is None:
            return []
        settings.source_rate, settings.source_rate_reason = guess.rate, guess.reason
        return [rate_text(guess.rate, guess.reason)]

    def _upright(self, motion: Motion) -> Motion:
        """The motion with its up axis along z, scaled as asked."""
        found = core.body.find_body(motion.skeleton, motion=motion).up if self.up == "AUTO" else None
        up = found or (core.body.Axis.PLUS_Z if self.up == "Z" else core.body.Axis.PLUS_Y)
        return core.body.from_file_axes(motion, up=up, scale=self.scale)


class MOTIONEDIT_OT_export_bvh(ExportHelper, Operator):
    """Export the active armature's motion with its source rate"""

    bl_idname = "motion_editing.export_bvh"
    bl_label = "Export BVH"

    filename_ext = ".bvh"
    filter_glob: StringProperty(default="*.bvh", options={"HIDDEN"})
    range: EnumProperty(**RANGE, items=scope.RANGES, default="ACTION")
    up: EnumProperty(
        **UP_AXIS,
        items=(
            ("Y", "Y Up", "Use Y as the file's up axis, as most programs expect"),
            ("Z", "Z Up", "Use Z as the file's up axis, as in Blender"),
        ),
        default="Y",
    )

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature with an action; a linked one will do."""
        armatures = scope.armatures(context)
        if not armatures or scope.action_of(armatures[0]) is None:
            cls.poll_message_set("Select an armature with an action")
            return False
        return True

    def execute(self, context: Context) -> set[str]:
        """Write the file."""
        try:
            clip = scope.read_clip(context, scope.armatures(context)[0], choice=self.range)
            content = core.body.to_file_axes(clip.motion, up=core.body.Axis(f"+{self.up}"))
            warnings = core.files.write_bvh(bpy.path.abspath(self.filepath), content)
        except MotionEditError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for warning in warnings or ():
            self.report({"WARNING"}, warning)
        frames = counted_text(len(clip.motion), "frame")
        self.report({"INFO"}, report_text("Wrote {frames} to {file}", frames=frames, file=self.filepath))
        return {"FINISHED"}


def _read_text(frames: int, rate: float, skipped: int) -> str:
    """How much was read, and how many reference frames of it tools leave out."""
    told = report_text("{frames} at {rate} a second", frames=counted_text(frames, "frame"), rate=f"{rate:g}")
    if not skipped:
        return told
    return told + report_text(", {skipped} left out", skipped=counted_text(skipped, "reference frame"))


def draw_import(self: bpy.types.Menu, _context: Context) -> None:
    """Entry in File > Import."""
    self.layout.operator(MOTIONEDIT_OT_import_bvh.bl_idname, text="Motion Capture with Source Rate (.bvh)")


def draw_export(self: bpy.types.Menu, _context: Context) -> None:
    """Entry in File > Export."""
    self.layout.operator(MOTIONEDIT_OT_export_bvh.bl_idname, text="Motion Capture with Source Rate (.bvh)")

"""Keytimes: moments of the motion and when they shall happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty
from bpy.types import Operator

from ... import core
from ...core.errors import MotionEditError
from ..border.lazy_modules import np
from ..document import scope
from ..interface import strip
from ..interface.operators.polls import NeedsClip
from ..interface.reports import guarded
from ..interface.shared_options import CURRENT_FRAME, KEYTIME_NUMBER, LOCKED, NEW_FRAME, RIPPLE
from . import keytimes

if TYPE_CHECKING:
    from bpy.types import Context

    from ...core.guided_warp import Keytimes


# No frame of any scene.
_NOT_SET = -1.0e6


class _KeytimeOperator(NeedsClip):
    """Mixin of operators that change the keytimes of the active armature."""

    bl_options = {"REGISTER", "UNDO"}
    any_object = True

    def changed(self, context: Context, keytimes: Keytimes) -> Keytimes:
        """The keytimes after the edit."""
        raise NotImplementedError

    def execute(self, context: Context) -> set[str]:
        """Change and keep them."""
        armature = scope.armatures(context, any_object=True)[0]

        def change() -> None:
            keytimes.save_keytimes(context, armature, self.changed(context, keytimes.keytimes_of(context, armature)))
            strip.redraw()

        return guarded(self, change)

    def seconds(self, context: Context, frame: float) -> float:
        """A scene frame as time of the action."""
        armature = scope.armatures(context, any_object=True)[0]
        return scope.from_scene(armature, frame) / scope.source_rate(context, armature)

    def scene_frames(self, context: Context, seconds: tuple[float, ...]) -> list[float]:
        """Times of the action as scene frames, to a hundredth."""
        armature = scope.armatures(context, any_object=True)[0]
        frames = scope.to_scene(armature, np.array(seconds) * scope.source_rate(context, armature))
        return [round(float(frame), 2) for frame in frames]


class MOTIONEDIT_OT_add_keytime(_KeytimeOperator, Operator):
    """Add a keytime at the current frame, to drag it on the strip"""

    bl_idname = "motion_editing.add_keytime"
    bl_label = "Add Keytime"

    frame: FloatProperty(**CURRENT_FRAME, default=_NOT_SET)

    def changed(self, context: Context, keytimes: Keytimes) -> Keytimes:
        """One keytime more."""
        frame = context.scene.frame_current_final if self.frame == _NOT_SET else self.frame
        try:
            return keytimes.add(self.seconds(context, frame))
        except core.guided_warp.OutsideMotionError as error:
            first, last = sorted(self.scene_frames(context, error.ends))
            text = f"A keytime goes between frame {first:g} and {last:g}, the ends of the motion, not to {frame:g}"
            raise MotionEditError(text) from error


class MOTIONEDIT_OT_remove_keytime(_KeytimeOperator, Operator):
    """Remove a keytime; the motion stays as it is"""

    bl_idname = "motion_editing.remove_keytime"
    bl_label = "Remove Keytime"

    keytime: IntProperty(**KEYTIME_NUMBER, default=1)

    def changed(self, _context: Context, keytimes: Keytimes) -> Keytimes:
        """One keytime less."""
        return keytimes.remove(self.keytime)


class MOTIONEDIT_OT_move_keytime(_KeytimeOperator, Operator):
    """Move a keytime to another frame"""

    bl_idname = "motion_editing.move_keytime"
    bl_label = "Move Keytime"

    keytime: IntProperty(**KEYTIME_NUMBER, default=1)
    frame: FloatProperty(**NEW_FRAME, default=1.0)
    ripple: BoolProperty(**RIPPLE, default=False)

    def changed(self, context: Context, keytimes: Keytimes) -> Keytimes:
        """The keytime moved."""
        return keytimes.move(self.keytime, self.seconds(context, self.frame), ripple=self.ripple)


class MOTIONEDIT_OT_lock_span(_KeytimeOperator, Operator):
    """Lock or unlock the length of the span after a keytime"""

    bl_idname = "motion_editing.lock_span"
    bl_label = "Lock Span"

    keytime: IntProperty(**KEYTIME_NUMBER, default=0)
    locked: BoolProperty(**LOCKED, default=True)

    def changed(self, _context: Context, keytimes: Keytimes) -> Keytimes:
        """The span locked or free."""
        return keytimes.lock(self.keytime, self.locked)


class MOTIONEDIT_OT_set_length(_KeytimeOperator, Operator):
    """Set the new length of the motion and share it among free spans"""

    bl_idname = "motion_editing.set_length"
    bl_label = "Set Length"

    value: FloatProperty(name="Length", description="New length of the motion", default=80.0, min=0.01)
    unit: EnumProperty(
        name="Unit",
        description="Unit of the length",
        items=(
            ("PERCENT", "Percent", "Percent of the present length"),
            ("FRAMES", "Frames", "Frames of the scene"),
            ("SECONDS", "Seconds", "Seconds at the source rate"),
        ),
        default="PERCENT",
    )

    def changed(self, context: Context, keytimes: Keytimes) -> Keytimes:
        """All keytimes spread over the new length."""
        present = float(keytimes.old[-1] - keytimes.old[0])
        rate = scope.source_rate(context, scope.armatures(context, any_object=True)[0])
        # A share of the length becomes a whole number of frames, so that the last key lies on one.
        share = max(1, round(self.value / 100.0 * present * rate)) / rate
        seconds = {"PERCENT": share, "FRAMES": self.value / rate, "SECONDS": self.value}
        return keytimes.with_length(seconds[self.unit])


class MOTIONEDIT_OT_clear_keytimes(NeedsClip, Operator):
    """Remove all keytimes; the motion stays as it is"""

    bl_idname = "motion_editing.clear_keytimes"
    bl_label = "Clear Keytimes"
    bl_options = {"REGISTER", "UNDO"}
    any_object = True

    def execute(self, context: Context) -> set[str]:
        """Take them away."""
        keytimes.clear_keytimes(scope.armatures(context, any_object=True)[0])
        strip.redraw()
        return {"FINISHED"}

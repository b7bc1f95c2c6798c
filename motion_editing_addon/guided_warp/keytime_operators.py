"""Keytimes: moments of the motion and when they shall happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty
from bpy.types import Operator

from .. import scope
from ..polls import NeedsClip
from ..reporting import guarded

if TYPE_CHECKING:
    from bpy.types import Context

    from ...core.keytimes import Keytimes


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
        from .. import strip
        from .keytimes import keytimes_of, save_keytimes

        armature = scope.armatures(context, any_object=True)[0]

        def change() -> None:
            save_keytimes(context, armature, self.changed(context, keytimes_of(context, armature)))
            strip.redraw()

        return guarded(self, change)

    def seconds(self, context: Context, frame: float) -> float:
        """A scene frame as time of the action."""
        armature = scope.armatures(context, any_object=True)[0]
        return scope.from_scene(armature, frame) / scope.source_rate(context, armature)

    def scene_frames(self, context: Context, seconds: tuple[float, ...]) -> list[float]:
        """Times of the action as scene frames, to a hundredth."""
        import numpy as np

        armature = scope.armatures(context, any_object=True)[0]
        frames = scope.to_scene(armature, np.array(seconds) * scope.source_rate(context, armature))
        return [round(float(frame), 2) for frame in frames]


class MOTIONEDIT_OT_add_keytime(_KeytimeOperator, Operator):
    """Hold the moment at the current frame: drag it on the strip to let it happen at another time."""

    bl_idname = "motion_editing.add_keytime"
    bl_label = "Add Keytime"

    frame: FloatProperty(name="Frame", description="Scene frame; the current one if not set", default=_NOT_SET)

    def changed(self, context: Context, keytimes: Keytimes) -> Keytimes:
        """One keytime more."""
        from ...core.errors import MotionEditError
        from ...core.keytimes import OutsideMotionError

        frame = context.scene.frame_current_final if self.frame == _NOT_SET else self.frame
        try:
            return keytimes.add(self.seconds(context, frame))
        except OutsideMotionError as error:
            first, last = sorted(self.scene_frames(context, error.ends))
            text = f"A keytime goes between frame {first:g} and {last:g}, the ends of the motion, not to {frame:g}"
            raise MotionEditError(text) from error


class MOTIONEDIT_OT_remove_keytime(_KeytimeOperator, Operator):
    """Let a moment go."""

    bl_idname = "motion_editing.remove_keytime"
    bl_label = "Remove Keytime"

    keytime: IntProperty(name="Keytime", description="Number on the strip, 0 being the start", default=1)

    def changed(self, _context: Context, keytimes: Keytimes) -> Keytimes:
        """One keytime less."""
        return keytimes.remove(self.keytime)


class MOTIONEDIT_OT_move_keytime(_KeytimeOperator, Operator):
    """Let a moment happen at another frame."""

    bl_idname = "motion_editing.move_keytime"
    bl_label = "Move Keytime"

    keytime: IntProperty(name="Keytime", description="Number on the strip, 0 being the start", default=1)
    frame: FloatProperty(name="Frame", description="New scene frame", default=1.0)
    ripple: BoolProperty(name="Ripple", description="What comes after it moves along", default=False)

    def changed(self, context: Context, keytimes: Keytimes) -> Keytimes:
        """The keytime moved."""
        return keytimes.move(self.keytime, self.seconds(context, self.frame), ripple=self.ripple)


class MOTIONEDIT_OT_lock_span(_KeytimeOperator, Operator):
    """Let the span after a keytime keep its length, or free it."""

    bl_idname = "motion_editing.lock_span"
    bl_label = "Lock Span"

    keytime: IntProperty(name="Keytime", description="Number of the keytime at its start", default=0)
    locked: BoolProperty(name="Locked", default=True)

    def changed(self, _context: Context, keytimes: Keytimes) -> Keytimes:
        """The span locked or free."""
        return keytimes.lock(self.keytime, self.locked)


class MOTIONEDIT_OT_set_length(_KeytimeOperator, Operator):
    """Set the new length of the motion; keytimes and free spans share the change."""

    bl_idname = "motion_editing.set_length"
    bl_label = "Set Length"

    value: FloatProperty(name="Length", default=80.0, min=0.01)
    unit: EnumProperty(
        name="Unit",
        items=(
            ("PERCENT", "Percent", "Of the present length"),
            ("FRAMES", "Frames", "Of the scene"),
            ("SECONDS", "Seconds", "At the source rate"),
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
    """Forget the keytimes; the motion stays as it is."""

    bl_idname = "motion_editing.clear_keytimes"
    bl_label = "Clear Keytimes"
    bl_options = {"REGISTER", "UNDO"}
    any_object = True

    def execute(self, context: Context) -> set[str]:
        """Take them away."""
        from .. import strip
        from .keytimes import clear_keytimes

        clear_keytimes(scope.armatures(context, any_object=True)[0])
        strip.redraw()
        return {"FINISHED"}


classes = (
    MOTIONEDIT_OT_add_keytime,
    MOTIONEDIT_OT_remove_keytime,
    MOTIONEDIT_OT_move_keytime,
    MOTIONEDIT_OT_lock_span,
    MOTIONEDIT_OT_set_length,
    MOTIONEDIT_OT_clear_keytimes,
)

"""Editing a pose with Blender's own tools: the rig shows it, is posed, and the motion takes it up.

While a pose is edited the armature plays an empty action: nothing overwrites what the animator
does, undo and auto-key work as ever, and keys that auto-key makes are no more than a record of
the pose. The real action waits in the armature's settings, so that a file saved in the middle
can be opened and finished.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty, IntProperty, PointerProperty
from bpy.types import Operator, PropertyGroup

from .. import handlers, scope
from ..registering import attaching
from ..reporting import guarded
from .operators import NeedsPoses

if TYPE_CHECKING:
    from bpy.types import Context, Object

_KINDS = (
    ("EXTREME", "Extreme Pose", "All joints at their extremes at once, as if the pose were not staggered"),
    ("TRUE", "True Pose", "What the motion shows at the time of the pose"),
)


class MOTIONEDIT_PG_posing(PropertyGroup):
    """The pose that is being edited on an armature object."""

    action: PointerProperty(type=bpy.types.Action)
    slot: IntProperty()
    pose: IntProperty(default=-1)
    kind: EnumProperty(items=_KINDS)


def is_posing(armature: Object | None) -> bool:
    """Whether a pose of the armature is being edited."""
    return armature is not None and armature.motion_editing_posing.action is not None


def pose_text(armature: Object) -> str:
    """What is being edited on the armature."""
    posing = armature.motion_editing_posing
    return f"Editing {'extreme' if posing.kind == 'EXTREME' else 'true'} pose {posing.pose + 1}"


def mode_text(armature: Object) -> str:
    """What is being edited, and how to end that."""
    return f"{pose_text(armature)}: pose the rig, then Apply Pose or Cancel in the sidebar"


class MOTIONEDIT_OT_edit_pose(NeedsPoses, Operator):
    """Show the pose on the rig, to be changed with Blender's own tools; then Apply Pose or Cancel."""

    bl_idname = "motion_editing.edit_staggered_pose"
    bl_label = "Edit Pose"
    bl_options = {"REGISTER", "UNDO"}

    kind: EnumProperty(name="Pose", items=_KINDS, default="EXTREME")
    pose: IntProperty(name="Number", description="Number in the list; the active pose if negative", default=-1)

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs poses, and an action that can be exchanged."""
        if is_posing(context.object):
            return "A pose is being edited already: apply or cancel it first"
        reason = super().why_not(context)
        if reason is None and context.object.animation_data.use_tweak_mode:
            return "Leave the NLA strip's tweak mode to edit poses"
        return reason

    def execute(self, context: Context) -> set[str]:
        """Show the pose and wait."""
        from . import posing_steps
        from .making import pose_of

        def start() -> str:
            return posing_steps.start(context, context.object, pose_of(context, self.pose), self.kind)

        return guarded(self, start)


class _WhilePosing:
    """Mixin of operators that end the editing of a pose."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs a pose that is being edited."""
        if not is_posing(context.object):
            cls.poll_message_set("No pose is being edited")
        return is_posing(context.object)


class MOTIONEDIT_OT_apply_pose(_WhilePosing, Operator):
    """Let the motion take up the pose as it is on the rig."""

    bl_idname = "motion_editing.apply_staggered_pose"
    bl_label = "Apply Pose"

    def execute(self, context: Context) -> set[str]:
        """Give the action back and change it."""
        from . import posing_steps

        return guarded(self, lambda: posing_steps.apply(context, context.object))


class MOTIONEDIT_OT_cancel_pose(_WhilePosing, Operator):
    """Leave the pose as it was."""

    bl_idname = "motion_editing.cancel_staggered_pose"
    bl_label = "Cancel Pose Edit"

    def execute(self, context: Context) -> set[str]:
        """Give the action back unchanged."""
        from . import posing_steps

        return guarded(self, lambda: posing_steps.end(context, context.object))


classes = (MOTIONEDIT_OT_edit_pose, MOTIONEDIT_OT_apply_pose, MOTIONEDIT_OT_cancel_pose)


_MODE = "staggered"


@bpy.app.handlers.persistent
def show_mode(_unused: object = None) -> None:
    """The viewport says so while a pose is edited, after loading and undo too."""
    from ..drawing import viewport

    armature = scope.armature_in_scene(is_posing)
    if armature is None:
        viewport.hide_mode(_MODE)
    else:
        viewport.show_mode(_MODE, mode_text(armature))


_HANDLERS = handlers.after_jumps(show_mode)
_attach, _detach = attaching(
    (MOTIONEDIT_PG_posing,), {(bpy.types.Object, "motion_editing_posing"): PointerProperty(type=MOTIONEDIT_PG_posing)}
)


def register() -> None:
    """Register the state and the handlers that follow it."""
    _attach()
    handlers.add(_HANDLERS)
    handlers.call_later(show_mode)


def unregister() -> None:
    """Take back what register() did."""
    handlers.call_off(show_mode)
    handlers.remove(_HANDLERS)
    _detach()

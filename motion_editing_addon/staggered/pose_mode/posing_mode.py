"""Editing a pose with Blender's own tools: the rig shows it, is posed, and the motion takes it up.

While a pose is edited the armature plays an empty action: nothing overwrites what the animator
does, undo and auto-key work as ever, and keys that auto-key makes are no more than a record of
the pose. The real action waits in the armature's settings. While a file is saved it is back in its
place, so that the file plays the same without this extension, and opened with it can be finished.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import Operator, PropertyGroup

from ...border.registration import attaching
from ...border.translation import report_text
from ...document import handlers, scope
from ...interface.drawing import viewport
from ...interface.operators.operator import MotionEditOperator, StackStep
from ...interface.reports import guarded
from ...interface.shared_options import POSE_NUMBER
from ..edits import pose_choice
from ..operators import NeedsPoses
from . import pose_change, posing_pause, posing_steps

if TYPE_CHECKING:
    from bpy.types import Context, Object

_KINDS = (
    ("EXTREME", "Extreme Pose", "All bones at their extremes, without overlap"),
    ("TRUE", "True Pose", "The pose as shown at its frame"),
)


_KIND: dict[str, Any] = {
    "name": "Pose",
    "description": "Which version of the pose to edit",
    "items": _KINDS,
    "default": "EXTREME",
}


class MOTIONEDIT_PG_posing(PropertyGroup):
    """The pose that is being edited on an armature object."""

    action: PointerProperty(type=bpy.types.Action)
    slot: IntProperty(description="Handle of the action's slot")
    pose: IntProperty(description="Number of the edited pose in the list", default=-1)
    kind: EnumProperty(description="Kind of the edited pose", items=_KINDS)
    is_paused: BoolProperty(description="Editing of the pose is paused")
    mode: StringProperty(description="Mode that the object was in before")


def is_posing(armature: Object | None) -> bool:
    """Whether a pose of the armature is being edited."""
    return armature is not None and armature.motion_editing_posing.action is not None


def pose_text(armature: Object) -> str:
    """What is being edited on the armature."""
    posing = armature.motion_editing_posing
    text = "Editing extreme pose {number}" if posing.kind == "EXTREME" else "Editing true pose {number}"
    return report_text(text, number=posing.pose + 1)


def mode_text(armature: Object) -> str:
    """What is being edited, and how to end that."""
    return pose_text(armature) + report_text(": pose the rig, then Apply Pose or Cancel in the sidebar")


class MOTIONEDIT_OT_edit_pose(NeedsPoses, Operator):
    """Show the pose on the rig to edit it with Blender's tools"""

    bl_idname = "motion_editing.edit_staggered_pose"
    bl_label = "Edit Pose"
    bl_options = {"REGISTER", "UNDO"}

    kind: EnumProperty(**_KIND)
    pose: IntProperty(name="Number", description="Number in the list, from 0; the active pose if negative", default=-1)

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs poses, and an action that can be exchanged."""
        if is_posing(scope.edited_object(context)):
            return "A pose is being edited already: apply or cancel it first"
        reason = super().why_not(context)
        if reason is None and scope.animation_of(scope.known_object(context)).use_tweak_mode:
            return "Leave the NLA strip's tweak mode to edit poses"
        return reason

    def execute(self, context: Context) -> set[str]:
        """Show the pose and wait."""

        def start() -> str:
            armature, pose = scope.known_object(context), pose_choice.active_pose(context, self.pose)
            return posing_steps.start(context, armature, pose, self.kind)

        return guarded(self, start)


class _WhilePosing:
    """Mixin of operators that end the editing of a pose."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs a pose that is being edited."""
        if not is_posing(scope.edited_object(context)):
            cls.poll_message_set("No pose is being edited")
        return is_posing(scope.edited_object(context))


class MOTIONEDIT_OT_apply_pose(_WhilePosing, Operator):
    """Apply the pose on the rig to the motion"""

    bl_idname = "motion_editing.apply_staggered_pose"
    bl_label = "Apply Pose"

    def execute(self, context: Context) -> set[str]:
        """Give the action back and change it."""
        return guarded(self, lambda: posing_steps.apply(context, scope.known_object(context)))


class MOTIONEDIT_OT_change_pose(StackStep, MotionEditOperator, Operator):
    """Change a pose of the motion by what was posed on the rig"""

    bl_idname = "motion_editing.change_staggered_pose"
    bl_label = "Edit Pose"

    pose: IntProperty(**POSE_NUMBER, default=-1, min=-1)
    kind: EnumProperty(**_KIND)
    change: StringProperty(
        name="Change", description="Channels of posed bones, before and after", options={"HIDDEN", "SKIP_SAVE"}
    )

    def run(self) -> pose_change.PoseChangeRun:
        """On the poses of the active armature."""
        return pose_change.PoseChangeRun(self)

    @staticmethod
    def reopen(context: Context, armature: Object, values: Any) -> None:
        """Show the pose on the rig as it was posed."""
        posing_steps.start(context, armature, values.pose, values.kind, change=values.change)


class MOTIONEDIT_OT_cancel_pose(_WhilePosing, Operator):
    """Discard the changes of the pose"""

    bl_idname = "motion_editing.cancel_staggered_pose"
    bl_label = "Cancel Pose Edit"

    def execute(self, context: Context) -> set[str]:
        """Give the action back unchanged."""
        return guarded(self, lambda: posing_steps.end(context, scope.known_object(context)))


_MODE = "staggered"
_GHOST = "pose before the edit of "


def ghost_name(armature: Object) -> str:
    """What the viewport calls the pose as it was."""
    return _GHOST + armature.name


@bpy.app.handlers.persistent
def show_mode(_unused: object = None) -> None:
    """The viewport says so while a pose is edited, after loading and undo too."""
    armature = scope.armature_in_scene(is_posing)
    if armature is None:
        viewport.hide_mode(_MODE)
    else:
        viewport.show_mode(_MODE, mode_text(armature))
    _hide_old_ghosts()


def _hide_old_ghosts() -> None:
    """Show no pose of armatures that are posed no more, or are gone with their file."""
    ghosts = [name for name in viewport.shown() if name.startswith(_GHOST)]
    if ghosts:
        posed = {ghost_name(each) for each in bpy.data.objects if scope.is_armature(each) and is_posing(each)}
        for name in filter(lambda each: each not in posed, ghosts):
            viewport.hide(name)


# What stood in for the actions of armatures, by their names, while a file is saved.
_stand_ins: dict[str, bpy.types.Action | None] = {}


@bpy.app.handlers.persistent
def pause_all(*_arguments: object) -> None:
    """Have all rigs play their own motion."""
    posed = [each for each in bpy.data.objects if scope.is_armature(each) and is_posing(each)]
    if posed:
        _stand_ins.update({each.name_full: posing_pause.pause(each) for each in posed if each.is_editable})


@bpy.app.handlers.persistent
def go_on_all(*_arguments: object) -> None:
    """Go on editing the poses that were being edited."""
    paused = [each for each in bpy.data.objects if scope.is_armature(each) and each.motion_editing_posing.is_paused]
    if paused:
        for armature in filter(posing_pause.can_go_on, paused):
            posing_pause.go_on(armature, _stand_ins.get(armature.name_full))
    _stand_ins.clear()
    show_mode()


@bpy.app.handlers.persistent
def wake(*_arguments: object) -> None:
    """Go on where somebody can; what renders or converts files without a window needs their motion."""
    _stand_ins.clear()
    if bpy.app.background:
        show_mode()
    else:
        go_on_all()


_HANDLERS = {
    **handlers.after_jumps(show_mode),
    "load_post": wake,
    "save_pre": pause_all,
    "save_post": go_on_all,
    "save_post_fail": go_on_all,
}
_attach, _detach = attaching(
    (MOTIONEDIT_PG_posing,), {(bpy.types.Object, "motion_editing_posing"): PointerProperty(type=MOTIONEDIT_PG_posing)}
)


def register() -> None:
    """Register the state and the handlers that follow it."""
    _attach()
    handlers.add(_HANDLERS)
    handlers.call_later(wake)


def unregister() -> None:
    """Take back what register() did."""
    handlers.call_off(wake)
    handlers.remove(_HANDLERS)
    pause_all()
    for action in filter(None, _stand_ins.values()):
        if not action.users:
            bpy.data.actions.remove(action)
    _stand_ins.clear()
    _detach()

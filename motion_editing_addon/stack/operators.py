"""Changing the stack."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.app.handlers import persistent
from bpy.props import EnumProperty, StringProperty
from bpy.types import Operator

from ...core.errors import MotionEditError
from ..border.lazy_modules import is_loaded
from ..border.saved_state import action_states
from ..border.translation import counted_text, report_text
from ..document import scope
from ..document.stack import bases, last_edit, parameters, replay, snapshots, sources
from ..interface.operators.operator import MotionEditOperator, StackStep
from ..interface.operators.polls import NeedsClip
from ..interface.reports import guarded
from . import follow_run, idle_work, live_edit

if TYPE_CHECKING:
    from bpy.types import Action, Context, Object, PropertyGroup


def follow(action: Action) -> None:
    """Work out the keys of an action anew; somebody has changed an entry of its stack.

    Of a number that is set in a panel, which may be dragged, the result is shown first.
    """
    if _is_number_of_button():
        live_edit.show(action, _users(action))
        return
    live_edit.finish()
    for armature in _users(action):
        replay.work_out(armature)


def _is_number_of_button() -> bool:
    """Whether a number of the stack changes by a button that is under the mouse."""
    found = None if bpy.app.background else bpy.context.property
    if not found or not found[1].startswith("motion_editing_stack."):
        return False
    value = found[0].path_resolve(found[1])
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@persistent
def write_first(*_arguments: object) -> None:
    """Keys that are shown are written before anything else happens."""
    if is_loaded(live_edit):
        live_edit.finish()


def work_later() -> None:
    """What can wait is done when there is time."""
    idle_work.do_later()


@persistent
def _let_go(*_arguments: object) -> None:
    """Undo or another file replaces all data."""
    if is_loaded(live_edit):
        live_edit.drop()


@persistent
def _catch_up(*_arguments: object) -> None:
    """Undo and redo may lead to values whose keys were not written yet."""
    find_parameters()
    for action in (each for each in bpy.data.actions if len(each.motion_editing_stack.entries) and each.is_editable):
        if any(entry.done != parameters.state_of(entry) for entry in action.motion_editing_stack.entries):
            for armature in _users(action):
                replay.work_out(armature)


def _users(action: Action) -> list[Object]:
    """One object for each slot of the action that is played."""
    found: dict[int, Object] = {}
    for thing in bpy.data.objects:
        if thing.is_editable and scope.action_of(thing) == action:
            found.setdefault(scope.slot_handle(thing), thing)
    return list(found.values())


@persistent
def find_parameters(*_arguments: object) -> None:
    """Parameters of all stacks of the file can be seen; without stacks nothing is loaded."""
    if any(len(action.motion_editing_stack.entries) for action in bpy.data.actions):
        parameters.ensure_all()


HANDLERS = {
    **dict.fromkeys(("load_post", "blend_import_post"), find_parameters),
    **dict.fromkeys(("undo_pre", "redo_pre", "load_pre"), _let_go),
    **dict.fromkeys(("undo_post", "redo_post"), _catch_up),
    **dict.fromkeys(("save_pre", "render_init"), write_first),
}


def forget() -> None:
    """Take back what was made for stacks."""
    _let_go()
    if is_loaded(idle_work):
        idle_work.call_off()
    snapshots.forget_all()
    parameters.forget()


def forget_edits(armature: Object, _original: Action) -> None:
    """The keys from before the first edit came back; what has made the action stays known."""
    stack, maker = scope.own_action(armature).motion_editing_stack, parameters.maker_of(armature)
    replay.tell_of_original(armature)
    bases.forget_others(armature)
    if maker is None or stack.base is None:
        stack.forget()
        return
    uid = maker.uid
    for number in reversed(range(len(stack.entries))):
        if stack.entries[number].uid != uid:
            stack.entries.remove(number)
    stack.active = 0
    last_edit.close(armature, action_states.take_state(armature))


class StackOperator(NeedsClip):
    """Mixin of operators that change the stack of the active armature's action."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs an entry."""
        reason = scope.why_not(context)
        if reason is None and not len(_stack(context).entries):
            return "No edits yet: the tools that you use are listed here"
        return reason

    def change(self, stack: PropertyGroup) -> None:
        """Change the list of entries."""
        raise NotImplementedError

    def execute(self, context: Context) -> set[str]:
        """Change the stack and work the keys out."""

        def change() -> None:
            write_first()
            action = scope.own_action(scope.armatures(context)[0])
            stack, users = action.motion_editing_stack, _users(action)
            # Before the list changes: afterwards it would not tell any more what the keys should be.
            if stack.base is None:
                raise MotionEditError(replay.NO_BASE)
            for each in users:
                if not last_edit.notice_hand(each):
                    raise MotionEditError(last_edit.why_unknown(each))
            self.change(stack)
            for each in users:
                replay.do_again(each)

        return guarded(self, change)


class MOTIONEDIT_OT_remove_edit(StackOperator, Operator):
    """Remove the active edit; those after it are done again without it"""

    bl_idname = "motion_editing.remove_edit"
    bl_label = "Remove Edit"

    def change(self, stack: PropertyGroup) -> None:
        """Take it off the list."""
        stack.entries.remove(min(stack.active, len(stack.entries) - 1))
        stack.active = max(0, min(stack.active, len(stack.entries) - 1))


class MOTIONEDIT_OT_move_edit(StackOperator, Operator):
    """Move the active edit up or down in the stack"""

    bl_idname = "motion_editing.move_edit"
    bl_label = "Move Edit"

    direction: EnumProperty(
        name="Direction",
        description="Direction to move in",
        items=(("UP", "Up", "Do it earlier"), ("DOWN", "Down", "Do it later")),
        default="UP",
    )

    def change(self, stack: PropertyGroup) -> None:
        """Exchange it with its neighbour."""
        place = stack.active + (-1 if self.direction == "UP" else 1)
        if 0 <= place < len(stack.entries):
            stack.entries.move(stack.active, place)
            stack.active = place


class MOTIONEDIT_OT_reopen_edit(StackOperator, Operator):
    """Take the active edit back to make it again with other marks or poses"""

    bl_idname = "motion_editing.reopen_edit"
    bl_label = "Reopen Edit"

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs a tool that is used again."""
        reason = super().why_not(context)
        entry = _active(context) if reason is None else None
        if entry is not None and (not entry.tool or parameters.maker_of(scope.armatures(context)[0]) == entry):
            return "This edit is not made with a tool that can be used again"
        return reason

    def execute(self, context: Context) -> set[str]:
        """Leave it out, and bring back what it was made with."""

        def reopen() -> str:
            write_first()
            armature, entry = scope.armatures(context)[0], _active(context)
            # Before something is noticed: a list that gets longer lies elsewhere.
            name, tool, uid = entry.name, parameters.operator_of(entry.tool), entry.uid
            if not last_edit.notice_hand(armature):
                raise MotionEditError(last_edit.why_unknown(armature))
            replay.reopen(armature, uid)
            begin = getattr(tool, "reopen", None)
            if begin is not None:
                begin(context, armature, parameters.group_of(_active(context)))
            return report_text("'{edit}' is open: use it again to take its place", edit=name)

        return guarded(self, reopen)


class MOTIONEDIT_OT_update_source(StackOperator, Operator):
    """Retarget the source's motion again and redo all later edits"""

    bl_idname = "motion_editing.update_source"
    bl_label = "Update from Source"

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs an action that was made from another motion."""
        reason = super().why_not(context)
        if reason is None and parameters.maker_of(scope.armatures(context)[0]) is None:
            return "This action was not made by Retarget Motion"
        return reason

    def change(self, _stack: PropertyGroup) -> None:
        """Make the first keys anew."""
        sources.update(scope.armatures(bpy.context)[0])


class MOTIONEDIT_OT_follow_timing(StackStep, MotionEditOperator, Operator):
    """Give the motion the timing of another character"""

    bl_idname = "motion_editing.follow_timing"
    bl_label = "Follow Timing"
    any_object = True

    leader: StringProperty(description="Edit of the other character that is followed", options={"HIDDEN"})
    time_map: StringProperty(description="Frames after and before, as that edit has them", options={"HIDDEN"})

    def run(self) -> follow_run.FollowRun:
        """On the active object."""
        return follow_run.FollowRun(self)


class MOTIONEDIT_OT_bake_stack(StackOperator, Operator):
    """Keep the keys as they are and forget the edits"""

    bl_idname = "motion_editing.bake_stack"
    bl_label = "Bake Stack"

    def execute(self, context: Context) -> set[str]:
        """Forget entries and base."""
        stack = _stack(context)
        count = len(stack.entries)
        bases.forget_others(scope.armatures(context)[0])
        stack.forget()
        self.report({"INFO"}, report_text("Baked {edits}", edits=counted_text(count, "edit")))
        return {"FINISHED"}


def _active(context: Context) -> PropertyGroup:
    stack = _stack(context)
    entry: PropertyGroup = stack.entries[max(0, min(stack.active, len(stack.entries) - 1))]
    return entry


def _stack(context: Context) -> PropertyGroup:
    stack: PropertyGroup = scope.own_action(scope.armatures(context)[0]).motion_editing_stack
    return stack

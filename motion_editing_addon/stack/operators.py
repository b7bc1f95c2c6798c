"""Changing the stack."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.app.handlers import persistent
from bpy.props import EnumProperty
from bpy.types import Operator

from ...core.errors import MotionEditError
from ..border.translation import counted_text, report_text
from ..document import scope
from ..document.stack import parameters, replay, snapshots
from ..interface.operators.polls import NeedsClip
from ..interface.reports import guarded

if TYPE_CHECKING:
    from bpy.types import Action, Context, Object, PropertyGroup


def follow(action: Action) -> None:
    """Work out the keys of an action anew; somebody has changed an entry of its stack."""
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
def _on_load(*_arguments: object) -> None:
    parameters.ensure_all()


HANDLERS = {"load_post": _on_load}


def forget() -> None:
    """Take back what was made for stacks."""
    snapshots.forget_all()
    parameters.forget()


def forget_edits(armature: Object, _original: Action) -> None:
    """The keys from before the first edit came back."""
    scope.own_action(armature).motion_editing_stack.forget()


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
            action = scope.own_action(scope.armatures(context)[0])
            stack, users = action.motion_editing_stack, _users(action)
            # Before the list changes: afterwards it would not tell any more what the keys should be.
            if stack.base is None or not all(replay.notice_hand(each) for each in users):
                raise MotionEditError(replay.NO_BASE if stack.base is None else replay.TWEAKING)
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


class MOTIONEDIT_OT_bake_stack(StackOperator, Operator):
    """Keep the keys as they are and forget the edits"""

    bl_idname = "motion_editing.bake_stack"
    bl_label = "Bake Stack"

    def execute(self, context: Context) -> set[str]:
        """Forget entries and base."""
        stack = _stack(context)
        count = len(stack.entries)
        stack.forget()
        self.report({"INFO"}, report_text("Baked {edits}", edits=counted_text(count, "edit")))
        return {"FINISHED"}


def _stack(context: Context) -> PropertyGroup:
    stack: PropertyGroup = scope.own_action(scope.armatures(context)[0]).motion_editing_stack
    return stack

"""Looking at the original, or at the motion without an edit, without losing anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import EnumProperty
from bpy.types import Operator

from ....core.errors import MotionEditError
from ...border import armature as rig
from ...border.lazy_modules import is_loaded
from ...document import scope
from ...interface.operators.long_work import LongWorkOperator
from ...interface.operators.polls import NeedsClip
from ...interface.operators.running_tools import RunningTool
from ...interface.panels import draw_note
from . import comparison

if TYPE_CHECKING:
    from bpy.types import Context, Event, KeyMap, KeyMapItem, UILayout

    from ...border.steps import Steps

_MODES = (
    ("GHOST", "Ghost", "Show the original as a ghost beside the edited motion"),
    ("ORIGINAL", "Original", "Show the original instead of the edited motion"),
    ("OFF", "Off", "Show only the edited motion"),
)


_AGAINST = (
    ("BEFORE", "All Edits", "Compare with the motion from before all edits"),
    ("WITHOUT", "Active Edit", "Compare with the motion without the active edit of the stack"),
)


class Compares(NeedsClip):
    """Mixin of operators that compare a motion with another state of it."""

    against: EnumProperty(name="Of", description="Which edits are compared", items=_AGAINST, default="BEFORE")

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs an action that was edited before."""
        reason = scope.why_not(context)
        settings = scope.own_action(scope.armatures(context)[0]) if reason is None else None
        if settings is not None and settings.motion_editing.original is None and not settings.motion_editing_stack.base:
            return "This action has not been edited by Motion Editing: its original is what you see"
        return reason


class MOTIONEDIT_OT_compare_original(Compares, LongWorkOperator, Operator):
    """Show the motion from before the first edit, or hide it again"""

    bl_idname = "motion_editing.compare_original"
    bl_label = "Compare with Original"

    mode: EnumProperty(name="Show", description="How the original is shown", items=_MODES, default="ORIGINAL")

    def work(self, context: Context) -> Steps[None]:
        """Switch it on, or off if it is on already; a control rig has to play its original first."""
        armature = scope.armatures(context)[0]
        if self.mode in (comparison.OFF, comparison.mode_of(armature)):
            comparison.stop()
            return
        if self.mode == comparison.GHOST and rig.why_sampled(armature):
            yield from comparison.sample_original(context, armature)
        comparison.start(context, armature, self.mode, self.against)


class MOTIONEDIT_OT_compare_hold(Compares, RunningTool, Operator):
    """Show the motion without the edits while the key is held"""

    bl_idname = "motion_editing.compare_hold"
    bl_label = "Hold to Compare"

    # Without types here: Blender evaluates a class's annotations and would look for their names.
    _key = None
    _before = None

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs a window, and an action that was edited before."""
        return "The key is held in a window" if bpy.app.background else super().why_not(context)

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Show the other state until the key is released."""
        armature = scope.armatures(context)[0]
        self._key, self._before = event.type, comparison.mode_of(armature)
        try:
            comparison.start(context, armature, comparison.ORIGINAL, self.against)
        except MotionEditError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.hold(context)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def answer(self, _context: Context, event: Event) -> set[str]:
        """Everything else goes on meanwhile: playback, other frames, the view."""
        return {"FINISHED"} if event.type == self._key and event.value == "RELEASE" else {"PASS_THROUGH"}

    def leave(self, context: Context) -> None:
        """Show what was shown before."""
        comparison.stop()
        if self._before not in (None, comparison.OFF):
            comparison.start(context, scope.armatures(context)[0], self._before, self.against)


def draw_switches(layout: UILayout, context: Context) -> None:
    """Buttons, pressed while they are on, and the numbers of what is compared."""
    armature = scope.armatures(context)[0]
    shown = comparison.mode_of(armature) if is_loaded(comparison) else "OFF"
    row = layout.row(align=True)
    buttons: tuple[tuple[str, Any], ...] = (("GHOST", "GHOST_ENABLED"), ("ORIGINAL", "UV_SYNC_SELECT"))
    for mode, icon in buttons:
        label = next(name for identifier, name, _text in _MODES if identifier == mode)
        row.operator(MOTIONEDIT_OT_compare_original.bl_idname, text=label, icon=icon, depress=shown == mode).mode = mode
    alone = row.operator(MOTIONEDIT_OT_compare_original.bl_idname, text="", icon="SOLO_ON")
    alone.mode, alone.against = "GHOST", "WITHOUT"
    for line in comparison.numbers_of(armature).split("; ") if shown != "OFF" else ():
        draw_note(layout, context, line)


_added: list[tuple[KeyMap, KeyMapItem]] = []
# Where the key is heard: in the viewport, whatever mode an armature is in.
_KEYMAPS = ("Pose", "Object Mode")


def add_keys() -> None:
    """Bind the key that is held to compare."""
    settings: Any = bpy.context.window_manager.keyconfigs.addon
    for name in _KEYMAPS if settings is not None else ():  # there are none without a window
        keymap = settings.keymaps.new(name=name)
        item = keymap.keymap_items.new(MOTIONEDIT_OT_compare_hold.bl_idname, "Y", "PRESS")
        _added.append((keymap, item))


def remove_keys() -> None:
    """Take the key back."""
    while _added:
        keymap, item = _added.pop()
        keymap.keymap_items.remove(item)

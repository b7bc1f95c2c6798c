"""Editing a layer with Blender's own tools: while the mode is on, poses and keys go into the layer.

The armature goes on playing its action, so that frames can be changed and the result is seen. A pose
goes in with Key Layer, or by itself where Blender keys it: keys that appear in the action are taken
out of it again and into the layer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.types import Operator

from ...document import handlers, scope
from ...interface.drawing import viewport
from ...interface.operators.polls import NeedsClip
from ...interface.reports import guarded
from ..layer_operator import LayerOperator, is_editing
from . import editing_steps

if TYPE_CHECKING:
    from bpy.types import Context, Depsgraph, Object, Scene

_MODE = "layers"


class MOTIONEDIT_OT_edit_layer(LayerOperator, Operator):
    """Edit the layer: pose the rig and key it, then apply or cancel"""

    bl_idname = "motion_editing.edit_layer"
    bl_label = "Edit Layer"
    while_editing = False

    def execute(self, context: Context) -> set[str]:
        """Switch the mode on."""

        def start() -> str:
            armature = scope.armatures(context)[0]
            return editing_steps.start(context, armature, self.layer_name(armature))

        return guarded(self, start)


class _WhileEditing(NeedsClip):
    """Mixin of operators that end the editing of a layer."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs a layer that is being edited."""
        return None if is_editing(scope.edited_object(context)) else "No layer is being edited"


class MOTIONEDIT_OT_apply_layer_edit(_WhileEditing, Operator):
    """Apply the keys and the present pose to the layer"""

    bl_idname = "motion_editing.apply_layer_edit"
    bl_label = "Apply Layer Edit"

    def execute(self, context: Context) -> set[str]:
        """Take up what is left and end."""
        return guarded(self, lambda: editing_steps.apply(context, scope.known_object(context)))


class MOTIONEDIT_OT_cancel_layer_edit(_WhileEditing, Operator):
    """Discard the changes of the layer"""

    bl_idname = "motion_editing.cancel_layer_edit"
    bl_label = "Cancel Layer Edit"

    def execute(self, context: Context) -> set[str]:
        """Bring the layers back and end."""
        return guarded(self, lambda: editing_steps.cancel(context, scope.known_object(context)))


# Seconds between two looks at whether the animation still plays.
_AFTER_PLAYING = 0.3


def show_mode() -> None:
    """The viewport says so while a layer is edited."""
    armature = edited_armature()
    if armature is None:
        viewport.hide_mode(_MODE)
    else:
        name = armature.motion_editing_layer_edit.layer
        text = f"Editing layer '{name}': pose the rig and press Key Layer, then Apply or Cancel in the sidebar"
        viewport.show_mode(_MODE, text)


def edited_armature() -> Object | None:
    """The armature of which a layer is being edited."""
    return scope.armature_in_scene(is_editing)


def take_up_keys() -> float | None:
    """Take keys that Blender has set into the layer that is being edited; without an undo step of its own.

    The step that Blender made for its keys stands for both: one undo takes both back, and a redo
    brings the keys, which are taken up again. To be called later than Blender's handlers: keys must not
    be changed in the middle of its work. Gives seconds after which to ask again.
    """
    if any(window.screen.is_animation_playing for window in bpy.context.window_manager.windows):
        return _AFTER_PLAYING
    armature = edited_armature()
    if armature is not None and armature.mode == "POSE" and scope.action_of(armature) is not None:
        editing_steps.take_up_keys(bpy.context, armature)
    return None


@bpy.app.handlers.persistent
def _on_update(_scene: Scene, depsgraph: Depsgraph) -> None:
    if depsgraph.id_type_updated("ACTION") and edited_armature() is not None:
        handlers.call_later(take_up_keys)


@bpy.app.handlers.persistent
def _on_jump(*_arguments: object) -> None:
    """Undo, redo or another file."""
    show_mode()
    if edited_armature() is not None:
        handlers.call_later(take_up_keys)


_HANDLERS = {"depsgraph_update_post": _on_update, **handlers.after_jumps(_on_jump)}


def register() -> None:
    """Follow Blender's keys while a layer is edited."""
    handlers.add(_HANDLERS)
    handlers.call_later(show_mode)


def unregister() -> None:
    """Take back what register() did."""
    handlers.remove(_HANDLERS)
    handlers.call_off(take_up_keys)
    handlers.call_off(show_mode)

"""What the operators of layers have in common: which layer, which frame, and a report with numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import FloatProperty, StringProperty

from ..document import scope
from ..interface.operators.polls import NeedsClip
from ..interface.reports import guarded
from ..interface.shared_options import CURRENT_FRAME, LAYER_NAME
from . import layer_writer
from .layer_list import active_name, settings_of

if TYPE_CHECKING:
    from bpy.types import Context, Object


def is_editing(armature: Object | None) -> bool:
    """Whether a layer of the armature takes up poses and keys."""
    return armature is not None and bool(armature.motion_editing_layer_edit.layer)


def why_no_layers(context: Context, *, while_editing: bool = True) -> str | None:
    """Why nothing can be done to layers, or None; cheap enough for every redraw."""
    reason = scope.why_not(context)
    if reason is None and not scope.own_action(scope.known_object(context)).motion_editing_layers.layers:
        return "There are no layers yet: use Add Layer"
    if reason is None and not while_editing and is_editing(scope.edited_object(context)):
        return "A layer is being edited: apply or cancel that first"
    return reason


class LayerOperator(NeedsClip):
    """Mixin of operators that change a layer. A tool implements `run`, which gives the report's first words."""

    bl_options = {"REGISTER", "UNDO"}
    while_editing = True

    layer: StringProperty(**LAYER_NAME, options={"SKIP_SAVE"})

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs an action with layers."""
        return why_no_layers(context, while_editing=cls.while_editing)

    def run(self, context: Context, armature: Object, name: str) -> str:
        """Change the layer of that name."""
        raise NotImplementedError

    def execute(self, context: Context) -> set[str]:
        """Change the layer and tell in numbers what that did to the motion."""

        def change() -> str:
            armature = scope.armatures(context)[0]
            measured = layer_writer.Measured(context, armature)
            return self.run(context, armature, self.layer_name(armature)) + measured.text()

        return guarded(self, change)

    def layer_name(self, armature: Object) -> str:
        """Name of the layer to change."""
        return self.layer or active_name(settings_of(armature))


class AtFrame:
    """Mixin of operators that change a layer at one frame."""

    frame: FloatProperty(**CURRENT_FRAME, options={"SKIP_SAVE"})

    def action_frame(self, context: Context, armature: Object) -> float:
        """The frame as one of the action."""
        if not self.properties.is_property_set("frame"):
            return scope.action_frame(context, armature)
        return scope.from_scene(armature, self.frame)

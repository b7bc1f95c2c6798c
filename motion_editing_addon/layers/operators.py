"""Layers made, put in order, keyed and limited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import Operator

from ...core.errors import DamagedDataError
from ..border.translation import counted_text, report_text
from ..document import scope
from ..interface.operators.polls import NeedsClip
from ..interface.reports import guarded
from ..interface.shared_options import RANGE
from . import changes, layer_keys, layer_writer
from .layer_operator import AtFrame, LayerOperator, is_editing

if TYPE_CHECKING:
    from bpy.types import Context, Object


class MOTIONEDIT_OT_add_layer(NeedsClip, Operator):
    """Add a layer on top for changes that can be muted or removed"""

    bl_idname = "motion_editing.add_layer"
    bl_label = "Add Layer"
    bl_options = {"REGISTER", "UNDO"}

    name: StringProperty(name="Name", description="Name of the layer", default="Layer")
    reach: FloatProperty(
        name="Reach",
        description="Seconds around the current frame over which changes ease in and out",
        default=0.5,
        min=0.0,
        soft_max=3.0,
        unit="TIME_ABSOLUTE",
    )
    whole: BoolProperty(
        name="Whole Action", description="Apply changes to the whole action without easing", default=False
    )

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs an action, and no layer that is being edited."""
        if is_editing(scope.edited_object(context)):
            return "A layer is being edited: apply or cancel that first"
        return super().why_not(context)

    def execute(self, context: Context) -> set[str]:
        """Make it at the current frame."""
        reach = None if self.whole else self.reach
        return guarded(self, lambda: changes.add(context, scope.armatures(context)[0], self.name, reach))


class MOTIONEDIT_OT_remove_layer(LayerOperator, Operator):
    """Remove the layer and its changes"""

    bl_idname = "motion_editing.remove_layer"
    bl_label = "Remove Layer"
    while_editing = False

    def run(self, context: Context, armature: Object, name: str) -> str:
        """Show the others only."""
        try:
            layer_writer.change(context, armature, lambda stack: stack.without(name))
        except DamagedDataError:
            layer_writer.end(armature)
            return "Removed all layers, which were damaged; the keys stay as they are"
        return f"Removed layer '{name}'"


class MOTIONEDIT_OT_duplicate_layer(LayerOperator, Operator):
    """Duplicate the layer and put the copy above it"""

    bl_idname = "motion_editing.duplicate_layer"
    bl_label = "Duplicate Layer"
    while_editing = False

    def run(self, context: Context, armature: Object, name: str) -> str:
        """Add the copy."""
        return changes.duplicate(context, armature, name)


class MOTIONEDIT_OT_move_layer(LayerOperator, Operator):
    """Move the layer up or down in the list"""

    bl_idname = "motion_editing.move_layer"
    bl_label = "Move Layer"

    direction: EnumProperty(
        name="Direction",
        description="Direction to move in",
        items=(("UP", "Up", "Move above the next layer"), ("DOWN", "Down", "Move below the previous layer")),
    )

    def run(self, context: Context, armature: Object, name: str) -> str:
        """Change the order."""
        return changes.move(context, armature, name, 1 if self.direction == "UP" else -1)


class MOTIONEDIT_OT_key_layer(AtFrame, LayerOperator, Operator):
    """Key the present pose of the rig in the layer"""

    bl_idname = "motion_editing.key_layer"
    bl_label = "Key Layer"

    def run(self, context: Context, armature: Object, name: str) -> str:
        """Take the pose up."""
        return layer_keys.key_pose(context, armature, name, self.action_frame(context, armature))


class MOTIONEDIT_OT_key_layer_neutral(AtFrame, LayerOperator, Operator):
    """Key no change in the layer, to show the motion below"""

    bl_idname = "motion_editing.key_layer_neutral"
    bl_label = "Key Neutral"

    def run(self, context: Context, armature: Object, name: str) -> str:
        """Key nothing."""
        return layer_keys.key_neutral(context, armature, name, self.action_frame(context, armature))


class MOTIONEDIT_OT_unkey_layer(AtFrame, LayerOperator, Operator):
    """Delete the layer's key at the current frame"""

    bl_idname = "motion_editing.unkey_layer"
    bl_label = "Delete Layer Key"

    def run(self, context: Context, armature: Object, name: str) -> str:
        """Take the key out."""
        return layer_keys.unkey(context, armature, name, self.action_frame(context, armature))


class MOTIONEDIT_OT_key_layer_influence(AtFrame, LayerOperator, Operator):
    """Key or unkey the layer's influence at the current frame"""

    bl_idname = "motion_editing.key_layer_influence"
    bl_label = "Key Layer Influence"

    value: FloatProperty(
        name="Value",
        description="Influence at the frame; the present one if not set",
        soft_min=0.0,
        soft_max=1.0,
        subtype="FACTOR",
        options={"SKIP_SAVE"},
    )
    remove: BoolProperty(name="Remove", description="Delete the key", options={"SKIP_SAVE"})

    def run(self, context: Context, armature: Object, name: str) -> str:
        """Set or remove the key."""
        value = self.value if self.properties.is_property_set("value") else None
        frame = self.action_frame(context, armature)
        return changes.key_influence(context, armature, name, frame, value, remove=self.remove)


class MOTIONEDIT_OT_limit_layer(LayerOperator, Operator):
    """Limit the layer to the selected bones"""

    bl_idname = "motion_editing.limit_layer"
    bl_label = "Limit to Selected Bones"

    def run(self, context: Context, armature: Object, name: str) -> str:
        """Leave the other bones out."""
        return changes.limit(context, armature, name)


class MOTIONEDIT_OT_layer_scope(LayerOperator, Operator):
    """Set the start and end of the layer to a range of frames"""

    bl_idname = "motion_editing.layer_scope"
    bl_label = "Set Layer Scope"

    range: EnumProperty(**RANGE, items=scope.RANGES)

    def run(self, context: Context, armature: Object, name: str) -> str:
        """Set start and end."""
        return changes.set_scope(context, armature, name, self.range)


class MOTIONEDIT_OT_rebuild_layers(LayerOperator, Operator):
    """Update the layers from the keys now instead of at their next use"""

    bl_idname = "motion_editing.rebuild_layers"
    bl_label = "Rebuild Layers"
    while_editing = False

    def run(self, context: Context, armature: Object, _name: str) -> str:
        """Work out the keys below the layers anew."""
        return changes.rebuild(context, armature)


class MOTIONEDIT_OT_keys_to_layer(LayerOperator, Operator):
    """Move keys that were changed outside layers into the active layer"""

    bl_idname = "motion_editing.keys_to_layer"
    bl_label = "Keys to Layer"

    def run(self, context: Context, armature: Object, name: str) -> str:
        """Key the layer at every frame where keys were changed."""
        count = layer_keys.take_up(context, armature, name)
        return report_text("Took up {frames} into layer '{layer}'", frames=counted_text(count, "frame"), layer=name)

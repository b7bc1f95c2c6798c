"""Layers merged, copied to other armatures, mirrored, moved and stretched in time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import Operator

from ...core.errors import MotionEditError
from ...core.layers import RetimeLayer
from ..document import scope
from ..interface.operators.operator import MotionEditOperator, StackStep
from ..interface.shared_options import RANGE
from . import changes, layer_run, session
from .layer_operator import LayerOperator, why_no_layers

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpy.types import Context, Object


class MOTIONEDIT_OT_merge_layer(LayerOperator, Operator):
    """Merge the layer with the one below, or with the keys"""

    bl_idname = "motion_editing.merge_layer"
    bl_label = "Merge Layer Down"
    while_editing = False

    def run(self, context: Context, armature: Object, name: str) -> str:
        """Merge it; the motion stays."""
        return changes.merge_down(context, armature, name)


class MOTIONEDIT_OT_merge_all_layers(LayerOperator, Operator):
    """Merge all visible layers into plain keys"""

    bl_idname = "motion_editing.merge_all_layers"
    bl_label = "Merge All Layers"
    while_editing = False

    def run(self, context: Context, armature: Object, _name: str) -> str:
        """Take the layers away and leave the keys as they are."""
        return changes.merge_all(context, armature)


class MOTIONEDIT_OT_copy_layer(LayerOperator, Operator):
    """Copy the layer to another armature, matching bones by name"""

    bl_idname = "motion_editing.copy_layer"
    bl_label = "Copy Layer to Armature"

    target: StringProperty(name="Armature", description="Armature to copy to; another selected one if empty")

    def invoke(self, context: Context, _event: object) -> set[str]:
        """Ask for the armature where no other one is selected."""
        if self._target(context) is None:
            return context.window_manager.invoke_props_dialog(self)
        return self.execute(context)

    def draw(self, _context: Context) -> None:
        """The armature to choose."""
        self.layout.use_property_split = True
        self.layout.prop_search(self, "target", bpy.data, "objects")

    def run(self, context: Context, armature: Object, name: str) -> str:
        """Copy it."""
        target = self._target(context)
        action = scope.action_of(target)
        if target is None or target == armature or action is None:
            raise MotionEditError("Select a second armature that has an action, or name it")
        if not action.is_editable:
            raise MotionEditError(f"Action '{action.name}' is linked: make it local first")
        return changes.copy_to(context, armature, name, target)

    def _target(self, context: Context) -> Object | None:
        if self.target:
            return context.scene.objects.get(self.target)
        chosen = [*scope.selected_objects(context), *scope.armatures(context)]
        return next((each for each in chosen if scope.is_armature(each) and each != scope.edited_object(context)), None)


class MOTIONEDIT_OT_mirror_layer(LayerOperator, Operator):
    """Swap left and right in the layer"""

    bl_idname = "motion_editing.mirror_layer"
    bl_label = "Mirror Layer"

    copy: BoolProperty(name="As Copy", description="Keep the layer and add the mirrored one on top", default=False)

    def run(self, context: Context, armature: Object, name: str) -> str:
        """Mirror it about the rest pose."""
        return changes.mirror(context, armature, name, copy=self.copy)


class MOTIONEDIT_OT_retime_layer(MotionEditOperator, Operator):
    bl_idname = "motion_editing.retime_layer"
    bl_label = "Retime Layer"
    bl_options = {"REGISTER", "UNDO", "BLOCKING", "GRAB_CURSOR_X"}
    tool = RetimeLayer
    notes_itself = True

    range: EnumProperty(**RANGE, items=scope.RANGES, options={"HIDDEN"})
    keying: StringProperty(options={"HIDDEN"})
    rotation_error: FloatProperty(options={"HIDDEN"})
    location_error: FloatProperty(options={"HIDDEN"})
    if_shared: StringProperty(options={"HIDDEN"})

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs an action with layers."""
        return why_no_layers(context)

    def run(self) -> layer_run.LayerRun:
        """On one layer."""
        return layer_run.LayerRun(self)

    def chosen(self, context: Context) -> list[Object]:
        """The object to edit."""
        return scope.armatures(context)[:1]

    def draw(self, _context: Context) -> None:
        """The layer, and both numbers."""
        self.layout.use_property_split = True
        self.draw_own(self.layout)


class MOTIONEDIT_OT_set_layers(StackStep, MotionEditOperator, Operator):
    """Put layers over the motion"""

    bl_idname = "motion_editing.set_layers"
    bl_label = "Layers"
    notes_itself = True

    layers: StringProperty(name="Layers", description="All layers, lowest first", options={"HIDDEN", "SKIP_SAVE"})

    def run(self) -> layer_run.LayersRun:
        """On the active armature."""
        return layer_run.LayersRun(self)

    @staticmethod
    def moved(values: dict[str, Any], moved: Callable[[Any], Any]) -> dict[str, Any]:
        """Values for a motion whose moments are at other frames."""
        return values | {"layers": session.moved_text(values["layers"], moved)}

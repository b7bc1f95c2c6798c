"""Embed Action: a motion becomes a path in a node's space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Operator

from ...border.translation import counted_text, report_text
from ...interface.operators.long_work import LongWorkOperator, deferred
from ...interface.shared_options import CHOSEN_BONE, FIRST, LAST, OTHER_ACTION, TARGET_COUNT
from .. import live, model, paths
from .tree_operator import NodeOperator

if TYPE_CHECKING:
    from bpy.types import Context, Event

    from ...border.steps import Steps


class MOTIONEDIT_OT_embed_action(LongWorkOperator, NodeOperator, Operator):
    """Lay out an action's motion as a path in the node's space"""

    bl_idname = "motion_editing.embed_action"
    bl_label = "Embed Action"

    action: StringProperty(**OTHER_ACTION)
    layout_of: EnumProperty(
        name="Layout",
        description="How the path is laid out",
        items=(
            ("VARIANCE_2D", "Plane", "Place poses that differ most farthest apart, in a plane"),
            ("VARIANCE_3D", "Space", "Place poses that differ most farthest apart, in space"),
            ("JOINT", "Path of a Bone", "Use the path of a bone through the scene"),
        ),
        default="VARIANCE_3D",
    )
    bone: StringProperty(**CHOSEN_BONE)
    size: FloatProperty(name="Size", description="Size of the path in units of the space", default=2.0, min=0.01)
    count: IntProperty(**TARGET_COUNT, default=32, min=1, soft_max=200)
    use_range: BoolProperty(name="Part", description="Use only the frames below", default=False)
    first: IntProperty(**FIRST, default=1)
    last: IntProperty(**LAST, default=250)

    asked: BoolProperty(default=False, options={"HIDDEN", "SKIP_SAVE"})

    _in_dialog = False

    def work(self, context: Context) -> Steps[None]:
        """Embed it; the tree changes at the end."""
        owner = model.known_owner(context)
        self.refuse(owner)
        active = context.active_pose_bone
        path = yield from paths.embed_action(
            context,
            owner,
            self.chosen_node(owner).number,
            self.action,
            span=(float(self.first), float(self.last)) if self.use_range else (None, None),
            layout=self.layout_of,
            size=self.size,
            bone=self.bone or (active.name if active is not None else ""),
            count=self.count,
        )
        live.changed(owner)
        frames = counted_text(path.frames, "frame")
        self.report({"INFO"}, report_text("'{path}' is a path of {frames}", path=path.name, frames=frames))

    def draw(self, _context: Context) -> None:
        """Only what the layout needs."""
        layout = self.layout
        layout.use_property_split = True
        layout.prop_search(self, "action", bpy.data, "actions")
        layout.prop(self, "layout_of")
        layout.prop(self, "bone" if self.layout_of == "JOINT" else "size")
        layout.prop(self, "count")
        layout.prop(self, "use_range")
        if self.use_range:
            layout.prop(self, "first")
            layout.prop(self, "last")

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Ask, with the character's own action to begin with."""
        if self.asked:
            return super().invoke(context, event)
        data = model.known_owner(context).animation_data
        if not self.action and data is not None and data.action is not None:
            self.action = data.action.name
        self._in_dialog = True
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context: Context) -> set[str]:
        """Do it at once; confirmed in the dialog, do it with progress, which a dialog itself cannot show."""
        if not self._in_dialog:
            return super().execute(context)
        self._in_dialog = False
        with deferred(lambda: None):
            bpy.ops.motion_editing.embed_action("INVOKE_DEFAULT", **{**self.as_keywords(), "asked": True})
        return {"CANCELLED"}  # this one has changed nothing

"""Panel "Staggered Poses": the list of poses and everything that can be done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpy.types import UIList

from ..document import scope
from ..interface.panels import draw_note, in_every_editor, is_narrow, side_by_side
from .lane import list_icons
from .pose_mode.posing_mode import is_posing, pose_text

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup, UILayout

# Edits of values and of timing, in rows.
_SHAPE = (("exaggerate_pose",), ("ease_pose", "set_tangents"), ("detail_strength",))
_TIMING = (("succession",), ("random_stagger", "scale_stagger"), ("unstagger", "restagger"))


class MOTIONEDIT_UL_poses(UIList):
    """Poses with their frame, priority and spread."""

    def draw_item(
        self,
        context: Context,
        layout: UILayout,
        _data: Any,
        item: Any,
        _icon: int,
        _owner: Any,
        _name: str,
        index: int = 0,
        *_more: int,
    ) -> None:
        """Number, frame, a bar that shows the priority, spread, pin."""
        split = layout.split(factor=0.2, align=True)
        number = split.row(align=True)
        number.prop(item, "selected", text="", emboss=False, icon="CHECKBOX_HLT" if item.selected else "CHECKBOX_DEHLT")
        number.label(text=f"{index + 1}", icon_value=list_icons.icon_of(context, scope.armatures(context)[0], index))
        row = split.row(align=True)
        # Blender takes clicks on a bar for itself: with the frame on it, a click on that would not pick the pose.
        row.label(text=f"{item.frame:.0f}")
        bar = row.row(align=True)
        bar.ui_units_x = 2.0
        bar.progress(factor=item.priority, type="BAR")
        if not is_narrow(context):
            spread = row.row()
            spread.alignment = "RIGHT"
            spread.active = item.spread > 0.0
            spread.label(text=f"{item.spread:.1f} f")
        icon = "PINNED" if item.pinned else "UNPINNED"
        pin = row.operator("motion_editing.pin_pose", text="", icon=icon, emboss=False)
        pin.pose, pin.state = index, not item.pinned


class StaggeredPanel:
    """Edit extreme poses and the timing among body parts."""

    bl_label = "Staggered Poses"
    bl_order = 2

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature."""
        return bool(scope.armatures(context))

    def draw(self, context: Context) -> None:
        """What can be done now: make poses, edit them, or finish editing one."""
        armature = scope.armatures(context)[0]
        if is_posing(armature):
            _draw_posing(self.layout, context, armature)
            return
        action = scope.action_of(armature)
        settings = action.motion_editing_staggered if action else None
        if settings is None or not settings.poses:
            _draw_start(self.layout, context)
            if action is not None:
                _draw_overlap(self.layout, context)
            return
        _draw_list(self.layout, settings)
        _draw_pose_tools(self.layout, context)
        _draw_edits(self.layout, context, settings)
        _draw_overlap(self.layout, context)


def _draw_start(layout: UILayout, context: Context) -> None:
    column = layout.column(align=True)
    column.scale_y = 1.3
    column.operator("motion_editing.extract_poses", icon="ARMATURE_DATA")
    column.operator("motion_editing.poses_from_keys", icon="KEYFRAME")
    column.operator("motion_editing.key_staggered_pose", icon="ADD")
    draw_note(
        layout,
        context,
        "Extract Poses for captured motion, Poses from Keys for hand-keyed motion, Key Pose to start from scratch",
    )


def _draw_list(layout: UILayout, settings: PropertyGroup) -> None:
    layout.prop(settings, "share", slider=True)
    row = layout.row()
    row.template_list("MOTIONEDIT_UL_poses", "", settings, "poses", settings, "active", rows=5)
    side = row.column(align=True)
    side.operator("motion_editing.insert_staggered_pose", text="", icon="ADD")
    side.operator("motion_editing.key_staggered_pose", text="", icon="KEY_HLT")
    side.operator("motion_editing.delete_staggered_pose", text="", icon="REMOVE")
    side.separator()
    side.operator("motion_editing.remove_poses", text="", icon="TRASH")


def _draw_pose_tools(layout: UILayout, context: Context) -> None:
    row = side_by_side(layout, context)
    row.operator("motion_editing.edit_staggered_pose", text="Edit Extreme").kind = "EXTREME"
    row.operator("motion_editing.edit_staggered_pose", text="Edit True").kind = "TRUE"


def _draw_edits(layout: UILayout, context: Context, settings: PropertyGroup) -> None:
    """Edits of all poses at once, or of those that are selected."""
    layout.prop(settings, "all_poses")
    for title, rows in (("Shape", _SHAPE), ("Timing", _TIMING)):
        layout.label(text=title)
        column = layout.column(align=True)
        for names in rows:
            row = side_by_side(column, context)
            for name in names:
                row.operator(f"motion_editing.{name}").all_poses = settings.all_poses
    row = side_by_side(column, context)
    row.operator("motion_editing.copy_stagger")
    row.operator("motion_editing.retime_pose", text="Retime to Playhead")


def _draw_overlap(layout: UILayout, context: Context) -> None:
    """What needs no poses: selected bones in a row."""
    layout.label(text="Selected Bones in a Row")
    layout.operator("motion_editing.overlap")


def _draw_posing(layout: UILayout, context: Context, armature: Object) -> None:
    layout.label(text=pose_text(armature), icon="POSE_HLT")
    draw_note(layout, context, "Pose the rig with Blender's own tools")
    column = layout.column(align=True)
    column.scale_y = 1.3
    column.operator("motion_editing.apply_staggered_pose", icon="CHECKMARK")
    column.operator("motion_editing.cancel_staggered_pose", icon="X")


def draw_menu(layout: UILayout) -> None:
    """Entries in the menu of all tools."""
    for name in (
        "extract_poses",
        "poses_from_keys",
        "cull_poses",
        "key_staggered_pose",
        "insert_staggered_pose",
        "delete_staggered_pose",
        "edit_staggered_pose",
        "apply_staggered_pose",
        "cancel_staggered_pose",
        "exaggerate_pose",
        "ease_pose",
        "set_tangents",
        "detail_strength",
        "succession",
        "random_stagger",
        "scale_stagger",
        "unstagger",
        "restagger",
        "copy_stagger",
        "retime_pose",
        "overlap",
        "remove_poses",
    ):
        layout.operator(f"motion_editing.{name}")


panels = in_every_editor(StaggeredPanel)

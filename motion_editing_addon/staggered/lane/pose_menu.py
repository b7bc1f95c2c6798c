"""What a right click on a pose in the strip offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ...border.compatibility import select
from ...document import scope
from ...document.scene import pose_mode
from ..edits import pose_choice

if TYPE_CHECKING:
    from bpy.types import Context

    from .strip_drag import Part

POSE = (
    ("edit_extreme", "Edit Extreme"),
    ("edit_true", "Edit True"),
    ("exaggerate_pose", "Exaggerate Pose"),
    ("ease_pose", "Ease Pose"),
    ("scale_stagger", "Scale Stagger"),
    ("unstagger", "Un-stagger"),
    ("restagger", "Re-stagger"),
    ("copy_stagger", "Copy Stagger to All"),
    ("retime_pose", "Retime to Playhead"),
    ("pin_pose", "Pin or Unpin"),
    ("delete_staggered_pose", "Delete Pose"),
)
BONE = (
    ("on_time", "Put Bone on the Pose"),
    ("select_bone", "Select Bone"),
    *POSE,
)
SHAPE_KEY = (
    ("on_time", "Put Shape Key on the Pose"),
    *POSE,
)


def choose(context: Context, identifier: str, pose: int, part: Part) -> None:
    """Do what an entry says to a pose, and to all poses that are selected with it."""
    action: Any = scope.action_of(scope.edited_object(context))
    settings, tools = action.motion_editing_staggered, bpy.ops.motion_editing
    if pose not in pose_choice.selected(context):
        pose_choice.pick(context, pose)
    if identifier == "on_time":
        frame = _scene_frame(context, pose)
        tools.retime_pose(pose=pose, frame=frame, bone=part.bone, shape_key=part.shape_key)
    elif identifier == "select_bone":
        _select(context, part.bone)
    elif identifier.startswith("edit_"):
        tools.edit_staggered_pose("INVOKE_DEFAULT", kind=identifier.removeprefix("edit_").upper(), pose=pose)
    elif identifier == "pin_pose":
        tools.pin_pose(pose=pose, state=not settings.poses[pose].pinned)
    elif identifier in ("copy_stagger", "delete_staggered_pose"):
        getattr(tools, identifier)("INVOKE_DEFAULT")
    else:
        getattr(tools, identifier)("INVOKE_DEFAULT", all_poses=False)


def _scene_frame(context: Context, pose: int) -> float:
    armature: Any = scope.edited_object(context)
    frame = armature.animation_data.action.motion_editing_staggered.poses[pose].frame
    return float(scope.to_scene(armature, np.array([frame]))[0])


def _select(context: Context, bone: str) -> None:
    """Select a bone alone, in pose mode."""
    armature: Any = scope.edited_object(context)
    if not bone:
        return
    if armature.mode != "POSE":
        pose_mode.enter(context, armature)
    for each in armature.pose.bones:
        select(each, each.name == bone)
    armature.data.bones.active = armature.data.bones[bone]

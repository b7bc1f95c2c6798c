"""What the panel shows of the poses: a list kept with the action, and the culling slider."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, PointerProperty
from bpy.types import PropertyGroup

from ..border.registration import attaching
from ..interface.shared_options import ALL_POSES, POSES_SHOWN
from . import pose_list

if TYPE_CHECKING:
    from bpy.types import Context


def _go_to_pose(self: MOTIONEDIT_PG_staggered, context: Context) -> None:
    pose_list.go_to_active(context, self)


def _cull(self: MOTIONEDIT_PG_staggered, context: Context) -> None:
    pose_list.cull(context, self)


class MOTIONEDIT_PG_pose(PropertyGroup):
    """A row of the list of poses."""

    frame: FloatProperty(name="Pose Frame", description="Frame of the pose")
    priority: FloatProperty(name="Priority", description="Importance of the pose, from 0 to 1")
    spread: FloatProperty(name="Spread", description="Frames between the first and the last bone of the pose")
    pinned: BoolProperty(name="Pinned", description="Keep the pose shown when poses are culled")
    selected: BoolProperty(name="Selected", description="Edit the pose together with the other selected ones")


class MOTIONEDIT_PG_staggered(PropertyGroup):
    """Staggered poses as the panel shows them."""

    poses: CollectionProperty(type=MOTIONEDIT_PG_pose)
    active: IntProperty(name="Pose", description="Active pose of the list", update=_go_to_pose)
    holds_all_keys: BoolProperty(description="The poses shown are all keys that there are")
    share: FloatProperty(**POSES_SHOWN, default=1.0, min=0.0, max=1.0, subtype="FACTOR", update=_cull)
    all_poses: BoolProperty(**ALL_POSES, default=True)


classes = (MOTIONEDIT_PG_pose, MOTIONEDIT_PG_staggered)

register, unregister = attaching(
    classes, {(bpy.types.Action, "motion_editing_staggered"): PointerProperty(type=MOTIONEDIT_PG_staggered)}
)

"""What the panel shows of the poses: a list kept with the action, and the culling slider."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, PointerProperty
from bpy.types import PropertyGroup

from ..registering import attaching

if TYPE_CHECKING:
    from bpy.types import Context


def _go_to_pose(self: MOTIONEDIT_PG_staggered, context: Context) -> None:
    from . import pose_list

    pose_list.go_to_active(context, self)


def _cull(self: MOTIONEDIT_PG_staggered, context: Context) -> None:
    from . import pose_list

    pose_list.cull(context, self)


class MOTIONEDIT_PG_pose(PropertyGroup):
    """A row of the list of poses."""

    frame: FloatProperty(name="Frame")
    priority: FloatProperty(name="Priority", description="How much the pose tells about the motion, 0 to 1")
    spread: FloatProperty(name="Spread", description="Frames between its earliest and its latest joint")
    pinned: BoolProperty(name="Pinned", description="Culling keeps this pose")


class MOTIONEDIT_PG_staggered(PropertyGroup):
    """Staggered poses as the panel shows them."""

    poses: CollectionProperty(type=MOTIONEDIT_PG_pose)
    active: IntProperty(name="Pose", description="The pose to edit", update=_go_to_pose)
    holds_all_keys: BoolProperty(description="The poses shown are all keys that there are")
    share: FloatProperty(
        name="Poses Shown",
        description="Part of the poses, the most telling ones first, that is shown for editing",
        default=1.0,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        update=_cull,
    )
    all_poses: BoolProperty(
        name="All Poses", description="The tools below change all poses, not only the active one", default=False
    )


classes = (MOTIONEDIT_PG_pose, MOTIONEDIT_PG_staggered)

register, unregister = attaching(
    classes, {(bpy.types.Action, "motion_editing_staggered"): PointerProperty(type=MOTIONEDIT_PG_staggered)}
)

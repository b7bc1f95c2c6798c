"""What Blend & Loop keeps with the scene: choices that several tools share."""

from __future__ import annotations

import bpy
from bpy.props import PointerProperty
from bpy.types import PropertyGroup

from ...core.blending import BlendAction
from ...core.root_motion import FollowCurve
from ..border.registration import attaching
from ..border.tool_properties import pointer_of


class MOTIONEDIT_PG_blend_loop(PropertyGroup):
    """The other motion, and the curve to follow."""

    action: pointer_of(BlendAction, "action")
    armature: pointer_of(BlendAction, "armature")
    curve: pointer_of(FollowCurve, "curve")


register, unregister = attaching(
    (MOTIONEDIT_PG_blend_loop,),
    {(bpy.types.Scene, "motion_editing_blend_loop"): PointerProperty(type=MOTIONEDIT_PG_blend_loop)},
)

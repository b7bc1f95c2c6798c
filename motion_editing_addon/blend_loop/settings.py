"""What Blend & Loop keeps with the scene: choices that several tools share."""

from __future__ import annotations

import bpy
from bpy.props import PointerProperty
from bpy.types import PropertyGroup

from ..registering import attaching


def _is_armature(_settings: PropertyGroup, thing: bpy.types.Object) -> bool:
    return thing.type == "ARMATURE"


def _is_curve(_settings: PropertyGroup, thing: bpy.types.Object) -> bool:
    return thing.type == "CURVE"


class MOTIONEDIT_PG_blend_loop(PropertyGroup):
    """The other motion, and the curve to follow."""

    action: PointerProperty(
        name="Action", description="The other motion, for blends and transitions", type=bpy.types.Action
    )
    armature: PointerProperty(
        name="Armature",
        description="Take the other motion from what this armature plays, instead of from an action",
        type=bpy.types.Object,
        poll=_is_armature,
    )
    curve: PointerProperty(
        name="Curve", description="The way that Follow Curve leads along", type=bpy.types.Object, poll=_is_curve
    )


register, unregister = attaching(
    (MOTIONEDIT_PG_blend_loop,),
    {(bpy.types.Scene, "motion_editing_blend_loop"): PointerProperty(type=MOTIONEDIT_PG_blend_loop)},
)

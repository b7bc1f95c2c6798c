"""What Blend & Loop keeps with the scene: choices that several tools share."""

from __future__ import annotations

import bpy
from bpy.props import PointerProperty
from bpy.types import PropertyGroup

from ..border.registration import attaching
from ..interface.shared_options import FOLLOWED_CURVE, OTHER_ACTION, OTHER_ARMATURE


def _is_armature(_settings: PropertyGroup, thing: bpy.types.Object) -> bool:
    return thing.type == "ARMATURE"


def _is_curve(_settings: PropertyGroup, thing: bpy.types.Object) -> bool:
    return thing.type == "CURVE"


class MOTIONEDIT_PG_blend_loop(PropertyGroup):
    """The other motion, and the curve to follow."""

    action: PointerProperty(**OTHER_ACTION, type=bpy.types.Action)
    armature: PointerProperty(**OTHER_ARMATURE, type=bpy.types.Object, poll=_is_armature)
    curve: PointerProperty(**FOLLOWED_CURVE, type=bpy.types.Object, poll=_is_curve)


register, unregister = attaching(
    (MOTIONEDIT_PG_blend_loop,),
    {(bpy.types.Scene, "motion_editing_blend_loop"): PointerProperty(type=MOTIONEDIT_PG_blend_loop)},
)

"""Keytimes and the choices of the Time panel, saved with the action."""

from __future__ import annotations

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import PropertyGroup

from ..border.compatibility import notice_deletions
from ..border.registration import attaching
from ..interface import strip
from ..interface.shared_options import FREE_LENGTH, LOCKED, REFERENCE, REFERENCE_ACTION, RIPPLE

REFERENCES = (
    ("SELF", "This Action", "Keep the motion's own dynamics"),
    (
        "RANGE",
        "Range of This Action",
        "Use the dynamics of some frames of this action",
    ),
    ("ACTION", "Another Action", "Use the dynamics of another action of a similar armature"),
)

# What the panel's settings and the operator say alike.
INFLUENCE = {
    "name": "Influence",
    "description": "Preservation of the dynamics; 0 warps evenly between keytimes",
    "default": 1.0,
    "min": 0.0,
    "max": 1.0,
    "subtype": "FACTOR",
}
SMOOTHNESS = {
    "name": "Smoothness",
    "description": "Seconds over which speed changes are smoothed",
    "default": 0.1,
    "min": 0.0,
    "soft_max": 1.0,
}
SPEED_LIMIT = {
    "name": "Speed Limit",
    "description": "Maximum playback speed factor",
    "default": 4,
    "min": 2,
    "soft_max": 12,
}
REFERENCE_START = {"name": "Start", "description": "First frame of the reference", "default": 1}
REFERENCE_END = {"name": "End", "description": "Last frame of the reference", "default": 50}
KEEP_UNLIKE = {
    "name": "Keep Unlike Motion",
    "description": "Keep the timing of motion without a match in the reference",
    "default": True,
}


def _redraw(_self: object, _context: object) -> None:
    strip.redraw()


def _pointed(self: PropertyGroup, context: object) -> None:
    notice_deletions(self)
    _redraw(self, context)


class MOTIONEDIT_PG_keytime(PropertyGroup):
    """A moment of the motion and when it shall happen, in frames of the action."""

    old: FloatProperty(name="Old Frame", description="Frame of the keytime in the motion before the warp")
    new: FloatProperty(name="New Frame", description="Frame of the keytime after the warp", precision=1)
    locked: BoolProperty(**LOCKED)
    speed: FloatProperty(
        name="Speed",
        description="Playback speed at the keytime; 1 is as before, 0 is automatic",
        default=0.0,
        min=0.0,
        soft_max=4.0,
        update=_redraw,
    )


class MOTIONEDIT_PG_time(PropertyGroup):
    """Timing that is being worked out, and how the warp is guided."""

    keytimes: CollectionProperty(type=MOTIONEDIT_PG_keytime)
    active: IntProperty(name="Keytime", description="Active keytime of the list", default=-1)
    ripple: BoolProperty(**RIPPLE, default=False)
    influence: FloatProperty(**INFLUENCE, update=_redraw)
    smoothness: FloatProperty(**SMOOTHNESS, update=_redraw)
    speed_limit: IntProperty(**SPEED_LIMIT, update=_redraw)
    reference: EnumProperty(**REFERENCE, items=REFERENCES, default="SELF", update=_redraw)
    reference_action: PointerProperty(**REFERENCE_ACTION, type=bpy.types.Action, update=_pointed)
    reference_start: IntProperty(**REFERENCE_START, update=_redraw)
    reference_end: IntProperty(**REFERENCE_END, update=_redraw)
    free_length: BoolProperty(**FREE_LENGTH, default=False, update=_redraw)
    keep_unlike: BoolProperty(**KEEP_UNLIKE, update=_redraw)
    map_name: StringProperty(name="Name", description="Name to save the time map under", default="Warp")


classes = (MOTIONEDIT_PG_keytime, MOTIONEDIT_PG_time)

register, unregister = attaching(
    classes, {(bpy.types.Action, "motion_editing_time"): PointerProperty(type=MOTIONEDIT_PG_time)}
)

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

from ..registering import attaching

REFERENCES = (
    ("SELF", "This Action", "Keep the motion's own dynamics"),
    (
        "RANGE",
        "Range of This Action",
        "Take the dynamics from some frames of this action, such as a span warped by hand",
    ),
    ("ACTION", "Another Action", "Take the dynamics from another action on the same or a like armature"),
)

# What the panel's settings and the operator say alike.
INFLUENCE = {
    "name": "Influence",
    "description": "0 warps evenly between keytimes, 1 follows the dynamics of the reference: jumps stay jumps",
    "default": 1.0,
    "min": 0.0,
    "max": 1.0,
    "subtype": "FACTOR",
}
SMOOTHNESS = {
    "name": "Smoothness",
    "description": "Seconds over which the change of speed is evened out",
    "default": 0.1,
    "min": 0.0,
    "soft_max": 1.0,
}
SPEED_LIMIT = {
    "name": "Speed Limit",
    "description": "Time may run at most so many times as fast as before",
    "default": 4,
    "min": 2,
    "soft_max": 12,
}
REFERENCE_START = {"name": "Start", "description": "First frame of the reference", "default": 1}
REFERENCE_END = {"name": "End", "description": "Last frame of the reference", "default": 50}
KEEP_UNLIKE = {
    "name": "Keep Unlike Motion",
    "description": "What is like nothing in the reference range keeps its timing",
    "default": True,
}


def _redraw(_self: object, _context: object) -> None:
    from .. import strip

    strip.redraw()


class MOTIONEDIT_PG_keytime(PropertyGroup):
    """A moment of the motion and when it shall happen, in frames of the action."""

    old: FloatProperty(name="Old Frame")
    new: FloatProperty(name="New Frame", precision=1)
    locked: BoolProperty(name="Locked", description="The span to the next keytime keeps its length")
    speed: FloatProperty(
        name="Speed",
        description="How fast time runs at this moment, 1 being as before; 0 leaves it to the warp",
        default=0.0,
        min=0.0,
        soft_max=4.0,
        update=_redraw,
    )


class MOTIONEDIT_PG_time(PropertyGroup):
    """Timing that is being worked out, and how the warp is guided."""

    keytimes: CollectionProperty(type=MOTIONEDIT_PG_keytime)
    active: IntProperty(name="Keytime", default=-1)
    ripple: BoolProperty(
        name="Ripple", description="What comes after a dragged keytime moves along; otherwise it stays", default=False
    )
    influence: FloatProperty(**INFLUENCE, update=_redraw)
    smoothness: FloatProperty(**SMOOTHNESS, update=_redraw)
    speed_limit: IntProperty(**SPEED_LIMIT, update=_redraw)
    reference: EnumProperty(name="Reference", items=REFERENCES, default="SELF", update=_redraw)
    reference_action: PointerProperty(name="Action", type=bpy.types.Action, update=_redraw)
    reference_start: IntProperty(**REFERENCE_START, update=_redraw)
    reference_end: IntProperty(**REFERENCE_END, update=_redraw)
    free_length: BoolProperty(
        name="Free Length",
        description="Let the reference decide how long the motion becomes",
        default=False,
        update=_redraw,
    )
    keep_unlike: BoolProperty(**KEEP_UNLIKE, update=_redraw)
    map_name: StringProperty(name="Name", description="Name under which a time map is kept", default="Warp")


classes = (MOTIONEDIT_PG_keytime, MOTIONEDIT_PG_time)

register, unregister = attaching(
    classes, {(bpy.types.Action, "motion_editing_time"): PointerProperty(type=MOTIONEDIT_PG_time)}
)

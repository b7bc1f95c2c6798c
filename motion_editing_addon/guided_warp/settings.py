"""Keytimes and the choices of the Time panel, saved with the action."""

from __future__ import annotations

from typing import Any

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

from ...core.guided_warp import WarpTime
from ..border.compatibility import notice_deletions
from ..border.registration import attaching
from ..border.tool_properties import setting_of, values_in
from ..interface import strip
from ..interface.shared_options import END, LOCKED, REFERENCE_ACTION, RIPPLE, START


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


class MOTIONEDIT_PG_time_span(PropertyGroup):
    """A stretch of the motion, in frames of the action, and how it takes a new length; its name is what happens."""

    start: FloatProperty(**START)
    end: FloatProperty(**END)
    kind: EnumProperty(
        name="Handling",
        description="How the span takes a new length",
        items=(
            ("PROTECTED", "Protected", "Keep its length as long as elastic time is left"),
            ("ELASTIC", "Elastic", "Shorten or extend it where it moves least"),
            ("RHYTHMIC", "Rhythmic", "Retime all its repetitions alike"),
        ),
        update=_redraw,
    )
    beats: StringProperty(description="Frames at which repetitions begin")
    run_out: FloatProperty(description="Frames on each side that are kept too where possible")
    is_firm: BoolProperty(description="Gives way last of all", default=True)


class MOTIONEDIT_PG_time(PropertyGroup):
    """Timing that is being worked out, and how the warp is guided."""

    keytimes: CollectionProperty(type=MOTIONEDIT_PG_keytime)
    spans: CollectionProperty(type=MOTIONEDIT_PG_time_span)
    has_spans: BoolProperty(description="Spans are as listed; otherwise they are found by themselves")
    matched_to: StringProperty(description="Object whose events the keytimes were matched to")
    active: IntProperty(name="Keytime", description="Active keytime of the list", default=-1)
    ripple: BoolProperty(**RIPPLE, default=False)
    influence: setting_of(WarpTime, "influence", update=_redraw)
    smoothness: setting_of(WarpTime, "smoothness", update=_redraw)
    speed_limit: setting_of(WarpTime, "speed_limit", update=_redraw)
    reference: setting_of(WarpTime, "reference", update=_redraw)
    reference_action: PointerProperty(**REFERENCE_ACTION, type=bpy.types.Action, update=_pointed)
    reference_start: setting_of(WarpTime, "reference_start", update=_redraw)
    reference_end: setting_of(WarpTime, "reference_end", update=_redraw)
    free_length: setting_of(WarpTime, "free_length", update=_redraw)
    reverse: setting_of(WarpTime, "reverse", update=_redraw)
    keep_unlike: setting_of(WarpTime, "keep_unlike", update=_redraw)
    plot_height: IntProperty(
        name="Plot Height",
        description="Height of the speed plot on the strip",
        default=72,
        min=30,
        max=400,
        update=_redraw,
    )
    map_name: StringProperty(name="Name", description="Name to save the time map under", default="Warp")


def guide_in(settings: PropertyGroup) -> dict[str, Any]:
    """Options of Warp Time as the panel has them; without a reference there is no length to choose."""
    # Keytimes and spans are lists here, and texts where an edit keeps them.
    guide = {name: value for name, value in values_in(settings, WarpTime).items() if name not in ("keytimes", "spans")}
    return guide | {"free_length": guide["free_length"] and guide["reference"] != "SELF"}


classes = (MOTIONEDIT_PG_keytime, MOTIONEDIT_PG_time_span, MOTIONEDIT_PG_time)

register, unregister = attaching(
    classes, {(bpy.types.Action, "motion_editing_time"): PointerProperty(type=MOTIONEDIT_PG_time)}
)

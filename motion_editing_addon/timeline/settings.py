"""The pose timeline's windows and choices, saved with the action."""

from __future__ import annotations

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import Object, PropertyGroup

from ...core.timeline import SnapToBeats, TransferMean
from ..border.compatibility import notice_deletions
from ..border.registration import attaching
from ..border.tool_properties import setting_of
from ..document import scope
from ..interface import strip
from ..interface.shared_options import BONE, ENABLED, END, REFERENCE_ACTION, REFERENCE_OBJECT, START

VIEWS = (
    ("VARIANCE", "Widest", "Show icons from the side where the bones spread most"),
    ("VELOCITY", "Direction of Motion", "Show icons from the side, across the direction of motion"),
)
# Frames at which a window's correspondence with the operation window is kept: as many as a vector can have.
SAMPLES = 32


def _redraw(_self: object, _context: object) -> None:
    strip.redraw()


def _is_armature(_self: object, thing: Object) -> bool:
    return thing.type == "ARMATURE"


class MOTIONEDIT_PG_window(PropertyGroup):
    """A part of the motion that is like the operation window; frames are those of the action."""

    start: FloatProperty(**START, precision=1)
    end: FloatProperty(**END, precision=1)
    distance: FloatProperty(name="Window Distance", description="Distance from the operation window in body heights")
    similarity: FloatProperty(
        name="Similarity", description="Similarity to the operation window; 1 is the same motion", min=0.0, max=1.0
    )
    ticked: BoolProperty(**ENABLED, default=True, update=_redraw)
    operation_frames: FloatVectorProperty(
        description="Frames of the operation window that match this window", size=SAMPLES
    )
    own_frames: FloatVectorProperty(description="Frames of this window that match the operation window", size=SAMPLES)
    content: StringProperty(description="Fingerprint of the motion inside, to notice changes", options={"HIDDEN"})


class MOTIONEDIT_PG_painted(PropertyGroup):
    """A bone that edits are limited to; its name is the bone's."""


class MOTIONEDIT_PG_collision(PropertyGroup):
    """A time in which a bone touches one of the second character; frames are those of the action."""

    start: FloatProperty(**START, precision=1)
    end: FloatProperty(**END, precision=1)
    bone: StringProperty(**BONE)
    other: StringProperty(name="Other Bone", description="Name of the other character's bone")


class MOTIONEDIT_PG_timeline(PropertyGroup):
    """Windows, painting, reference and second character of the pose timeline."""

    icons: IntProperty(
        name="Icons",
        description="Number of pose icons on the strip; 0 hides the lane",
        default=24,
        min=0,
        soft_max=60,
        max=500,
        update=_redraw,
    )
    view: EnumProperty(name="View", description="Side from which icons are shown", items=VIEWS, update=_redraw)
    has_window: BoolProperty(description="An operation window is set", default=False)
    slot: IntProperty(description="Handle of the action's slot", options={"HIDDEN"})
    start: FloatProperty(**START, precision=1)
    end: FloatProperty(**END, precision=1)
    windows: CollectionProperty(type=MOTIONEDIT_PG_window)
    active: IntProperty(name="Window", description="Active propagation window of the list")
    painted: CollectionProperty(type=MOTIONEDIT_PG_painted)
    reference: setting_of(TransferMean, "reference")
    reference_action: PointerProperty(**REFERENCE_ACTION, type=bpy.types.Action, update=notice_deletions)
    reference_object: PointerProperty(**REFERENCE_OBJECT, type=Object, poll=_is_armature)
    reference_start: setting_of(TransferMean, "reference_start", precision=1)
    reference_end: setting_of(TransferMean, "reference_end", precision=1)
    second: PointerProperty(
        name="Second Character",
        description="Second armature to find collisions with and to show icons of",
        type=Object,
        poll=_is_armature,
        update=_redraw,
    )
    collisions: CollectionProperty(type=MOTIONEDIT_PG_collision)
    collisions_of: StringProperty(
        description="Fingerprint of the motions whose collisions were found",
        options={"HIDDEN"},
    )
    collision_margin: FloatProperty(description="Margin of the collisions that were found", options={"HIDDEN"})
    sound_strip: setting_of(SnapToBeats, "sound_strip", update=_redraw)
    ease: setting_of(TransferMean, "ease")


classes = (MOTIONEDIT_PG_window, MOTIONEDIT_PG_painted, MOTIONEDIT_PG_collision, MOTIONEDIT_PG_timeline)


def has_window(armature: Object) -> bool:
    """Whether an operation window is set in the armature's own slot of its action; other slots are other motions."""
    settings = scope.own_action(armature).motion_editing_timeline
    return settings.has_window and settings.slot in (0, scope.animation_of(armature).action_slot_handle)


register, unregister = attaching(
    classes, {(bpy.types.Action, "motion_editing_timeline"): PointerProperty(type=MOTIONEDIT_PG_timeline)}
)

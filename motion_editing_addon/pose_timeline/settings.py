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

from ..registering import attaching

VIEWS = (
    ("VARIANCE", "Widest", "Icons are seen from the side on which the joints spread most: easy to paint"),
    ("VELOCITY", "Way of Motion", "Icons are seen from the side on which the motion runs across: shows where it leads"),
)
REFERENCES = (
    ("WINDOW", "Operation Window", "Take features from the blue window"),
    ("ACTION", "Another Action", "Take features from frames of another action"),
    ("OBJECT", "Another Character", "Take features from frames of another armature's action"),
)
# Frames at which a window's correspondence with the operation window is kept: as many as a vector can have.
SAMPLES = 32


def _redraw(_self: object, _context: object) -> None:
    from .. import strip

    strip.redraw()


def _is_armature(_self: object, thing: Object) -> bool:
    return thing.type == "ARMATURE"


class MOTIONEDIT_PG_window(PropertyGroup):
    """A part of the motion that is like the operation window; frames are those of the action."""

    start: FloatProperty(name="Start", description="First action frame", precision=1)
    end: FloatProperty(name="End", description="Last action frame", precision=1)
    distance: FloatProperty(name="Distance", description="How far the joints are apart, in body heights")
    similarity: FloatProperty(name="Similarity", description="1 is the same motion", min=0.0, max=1.0)
    ticked: BoolProperty(name="Ticked", description="Edits are carried to this window", default=True, update=_redraw)
    operation_frames: FloatVectorProperty(size=SAMPLES)
    own_frames: FloatVectorProperty(size=SAMPLES)
    content: StringProperty(description="Tells whether the motion inside is still what it was", options={"HIDDEN"})


class MOTIONEDIT_PG_painted(PropertyGroup):
    """A bone that edits are limited to; its name is the bone's."""


class MOTIONEDIT_PG_collision(PropertyGroup):
    """A time in which a bone touches one of the second character; frames are those of the action."""

    start: FloatProperty(name="Start", precision=1)
    end: FloatProperty(name="End", precision=1)
    bone: StringProperty(name="Bone")
    other: StringProperty(name="Other Bone")


class MOTIONEDIT_PG_timeline(PropertyGroup):
    """Windows, painting, reference and second character of the pose timeline."""

    icons: IntProperty(
        name="Icons",
        description="Pose icons on the strip, the most telling poses first; 0 hides the lane",
        default=24,
        min=0,
        soft_max=60,
        max=500,
        update=_redraw,
    )
    view: EnumProperty(name="View", description="Side from which icons are seen", items=VIEWS, update=_redraw)
    has_window: BoolProperty(description="An operation window is set", default=False)
    slot: IntProperty(description="Handle of the action's slot that the windows are of; 0 for any", options={"HIDDEN"})
    start: FloatProperty(name="Start", description="First action frame of the operation window", precision=1)
    end: FloatProperty(name="End", description="Last action frame of the operation window", precision=1)
    windows: CollectionProperty(type=MOTIONEDIT_PG_window)
    active: IntProperty(name="Window", description="The propagation window that is chosen in the list")
    painted: CollectionProperty(type=MOTIONEDIT_PG_painted)
    reference: EnumProperty(name="Reference", description="Where features are taken from", items=REFERENCES)
    reference_action: PointerProperty(name="Action", type=bpy.types.Action)
    reference_object: PointerProperty(name="Character", type=Object, poll=_is_armature)
    reference_start: FloatProperty(
        name="From", description="First frame of the reference, in frames of its action", default=1.0, precision=1
    )
    reference_end: FloatProperty(
        name="To", description="Last frame of the reference, in frames of its action", default=50.0, precision=1
    )
    second: PointerProperty(
        name="Second Character",
        description="Armature whose touches are found and whose icons are shown above",
        type=Object,
        poll=_is_armature,
        update=_redraw,
    )
    collisions: CollectionProperty(type=MOTIONEDIT_PG_collision)
    collisions_of: StringProperty(
        description="Tells whether both motions are still those whose collisions were found; empty before",
        options={"HIDDEN"},
    )
    collision_margin: FloatProperty(description="Margin with which they were found", options={"HIDDEN"})
    sound_strip: StringProperty(
        name="Sound",
        description="Name of the sequencer's sound strip whose beats count; the first one if empty",
        update=_redraw,
    )
    ease: FloatProperty(
        name="Ease",
        description="Part of a window at each of its ends over which an edit comes in and goes out",
        default=0.25,
        min=0.0,
        max=0.5,
        subtype="FACTOR",
    )


classes = (MOTIONEDIT_PG_window, MOTIONEDIT_PG_painted, MOTIONEDIT_PG_collision, MOTIONEDIT_PG_timeline)


def has_window(armature: Object) -> bool:
    """Whether an operation window is set in the armature's own slot of its action; other slots are other motions."""
    data = armature.animation_data
    settings = data.action.motion_editing_timeline
    return settings.has_window and settings.slot in (0, data.action_slot_handle)


register, unregister = attaching(
    classes, {(bpy.types.Action, "motion_editing_timeline"): PointerProperty(type=MOTIONEDIT_PG_timeline)}
)

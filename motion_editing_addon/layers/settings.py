"""What the panel shows of the layers: a list kept with the action, and the layer that is being edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

from ..border.key_options import AUTOMATIC, KEY_CHOICES
from ..border.registration import attaching
from ..interface.shared_options import END, KEYING, LAYER_NAME, START
from . import row_edits

if TYPE_CHECKING:
    from bpy.types import Context


def _edited(row: MOTIONEDIT_PG_layer, context: Context) -> None:
    row_edits.edited(context, row)


def _rekey(settings: MOTIONEDIT_PG_layers, context: Context) -> None:
    row_edits.rekey(context, settings)


def _influence(row: MOTIONEDIT_PG_layer) -> float:
    return row_edits.influence_now(row)


def _set_influence(row: MOTIONEDIT_PG_layer, value: float) -> None:
    row_edits.set_influence(row, value)


class MOTIONEDIT_PG_layer_influence(PropertyGroup):
    """How much of a layer counts at a frame."""

    frame: FloatProperty(name="Key Frame", description="Frame of the key")
    value: FloatProperty(name="Influence", description="Influence at the frame")


class MOTIONEDIT_PG_layer(PropertyGroup):
    """A layer as a row of the list."""

    name: StringProperty(name="Name", description="Name of the layer", update=_edited)
    known_as: StringProperty(description="Name of the layer in the saved data")
    influence: FloatProperty(
        name="Influence",
        description="Strength of the layer; if keyed, sets a key at the current frame",
        min=-10.0,
        max=10.0,
        soft_min=0.0,
        soft_max=1.0,
        subtype="FACTOR",
        get=_influence,
        set=_set_influence,
        options=set(),
    )
    influence_keys: CollectionProperty(type=MOTIONEDIT_PG_layer_influence)
    muted: BoolProperty(name="Mute", description="Mute the layer", update=_edited, options=set())
    solo: BoolProperty(
        name="Solo", description="Show only this layer and other solo ones", update=_edited, options=set()
    )
    start: FloatProperty(**START, precision=1, step=100, update=_edited)
    end: FloatProperty(**END, precision=1, step=100, update=_edited)
    ease_in: FloatProperty(
        name="Ease In",
        description="Frames over which the layer eases in",
        min=0.0,
        precision=1,
        step=100,
        update=_edited,
    )
    ease_out: FloatProperty(
        name="Ease Out",
        description="Frames over which the layer eases out",
        min=0.0,
        precision=1,
        step=100,
        update=_edited,
    )
    bones: IntProperty(name="Changed Bones", description="Number of bones that the layer changes")
    key_frames: StringProperty(name="Keys", description="Frames at which the layer has keys")


class MOTIONEDIT_PG_layers(PropertyGroup):
    """Layers of an action as the panel shows them, the topmost first."""

    layers: CollectionProperty(type=MOTIONEDIT_PG_layer)
    active: IntProperty(name="Layer", description="Active layer of the list")
    keying: EnumProperty(**KEYING, items=KEY_CHOICES, default=AUTOMATIC, update=_rekey, options=set())
    problem: StringProperty(description="Why the last change in the list failed")


class MOTIONEDIT_PG_layer_edit(PropertyGroup):
    """The layer of an armature that takes up poses and keys while it is edited."""

    layer: StringProperty(**LAYER_NAME)


classes = (
    MOTIONEDIT_PG_layer_influence,
    MOTIONEDIT_PG_layer,
    MOTIONEDIT_PG_layers,
    MOTIONEDIT_PG_layer_edit,
)

register, unregister = attaching(
    classes,
    {
        (bpy.types.Action, "motion_editing_layers"): PointerProperty(type=MOTIONEDIT_PG_layers),
        (bpy.types.Object, "motion_editing_layer_edit"): PointerProperty(type=MOTIONEDIT_PG_layer_edit),
    },
)

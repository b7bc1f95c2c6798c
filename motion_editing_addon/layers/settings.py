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

from ..key_options import AUTOMATIC, KEY_CHOICES
from ..registering import attaching

if TYPE_CHECKING:
    from bpy.types import Context

# Of the model saved with the action.
NAME = "layers"


def _edited(row: MOTIONEDIT_PG_layer, context: Context) -> None:
    from . import row_edits

    row_edits.edited(context, row)


def _rekey(settings: MOTIONEDIT_PG_layers, context: Context) -> None:
    from . import row_edits

    row_edits.rekey(context, settings)


def _influence(row: MOTIONEDIT_PG_layer) -> float:
    from . import row_edits

    return row_edits.influence_now(row)


def _set_influence(row: MOTIONEDIT_PG_layer, value: float) -> None:
    from . import row_edits

    row_edits.set_influence(row, value)


class MOTIONEDIT_PG_layer_influence(PropertyGroup):
    """How much of a layer counts at a frame."""

    frame: FloatProperty(name="Frame")
    value: FloatProperty(name="Influence")


class MOTIONEDIT_PG_layer(PropertyGroup):
    """A layer as a row of the list."""

    name: StringProperty(name="Name", description="What the layer is called", update=_edited)
    known_as: StringProperty(description="Its name in the saved layers, until the new one is taken up")
    influence: FloatProperty(
        name="Influence",
        description="How much of the layer counts. If it is keyed, this sets the key at the current frame",
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
    muted: BoolProperty(name="Mute", description="Leave the layer out", update=_edited, options=set())
    solo: BoolProperty(
        name="Solo", description="See this layer and other solo ones only", update=_edited, options=set()
    )
    start: FloatProperty(
        name="Start", description="First frame of the layer's scope", precision=1, step=100, update=_edited
    )
    end: FloatProperty(name="End", description="Last frame of the layer's scope", precision=1, step=100, update=_edited)
    ease_in: FloatProperty(
        name="Ease In",
        description="Frames over which the layer sets in",
        min=0.0,
        precision=1,
        step=100,
        update=_edited,
    )
    ease_out: FloatProperty(
        name="Ease Out",
        description="Frames over which the layer dies away",
        min=0.0,
        precision=1,
        step=100,
        update=_edited,
    )
    bones: IntProperty(name="Bones", description="Number of bones that the layer changes")
    key_frames: StringProperty(name="Keys", description="Frames at which the layer has keys")


class MOTIONEDIT_PG_layers(PropertyGroup):
    """Layers of an action as the panel shows them, the topmost first."""

    layers: CollectionProperty(type=MOTIONEDIT_PG_layer)
    active: IntProperty(name="Layer", description="The layer to edit")
    keying: EnumProperty(
        name="Keys",
        description="How the result of all layers becomes keys",
        items=KEY_CHOICES,
        default=AUTOMATIC,
        update=_rekey,
        options=set(),
    )
    problem: StringProperty(description="Why the last change in the list was not taken up")


class MOTIONEDIT_PG_layer_edit(PropertyGroup):
    """The layer of an armature that takes up poses and keys while it is edited."""

    layer: StringProperty(name="Layer")


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

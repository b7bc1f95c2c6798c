"""The list of flaws that were found in an action, as the panel shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup

from ..border.lazy_modules import np
from ..border.registration import attaching
from ..document import scope
from ..interface.shared_options import FIRST, LAST

if TYPE_CHECKING:
    from bpy.types import Context


class MOTIONEDIT_PG_flaw(PropertyGroup):
    """A fault of the capture in one bone."""

    kind: StringProperty(name="Flaw Type", description="Type of the flaw")
    bone: StringProperty(name="Flawed Bone", description="Name of the bone; empty for the object")
    channel: StringProperty(name="Channel", description="Rotation, location or scale")
    first: FloatProperty(**FIRST)
    last: FloatProperty(**LAST)
    size: FloatProperty(name="Error", description="Largest error, in radians of rotations or units otherwise")
    ticked: BoolProperty(name="Repair", description="Include the flaw in Repair Enabled", default=True)


def _jump(flaws: MOTIONEDIT_PG_flaws, context: Context) -> None:
    """A row was clicked: show where it is."""
    armature = scope.edited_object(context)
    if armature is None or scope.action_of(armature) != flaws.id_data or not 0 <= flaws.active < len(flaws.found):
        return
    frame = scope.to_scene(armature, np.array([flaws.found[flaws.active].first]))[0]
    context.scene.frame_set(round(float(frame)))


class MOTIONEDIT_PG_flaws(PropertyGroup):
    """Flaws of an action."""

    found: CollectionProperty(type=MOTIONEDIT_PG_flaw)
    searched: BoolProperty(description="Flaws were searched for", default=False)
    tolerance: FloatProperty(description="Depth below the floor that is allowed, in body heights", default=0.01)
    active: IntProperty(name="Flaw", description="Active flaw of the list; click to go to its frame", update=_jump)


classes = (MOTIONEDIT_PG_flaw, MOTIONEDIT_PG_flaws)

register, unregister = attaching(
    classes, {(bpy.types.Action, "motion_editing_flaws"): PointerProperty(type=MOTIONEDIT_PG_flaws)}
)

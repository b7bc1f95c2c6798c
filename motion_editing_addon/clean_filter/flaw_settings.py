"""The list of flaws that were found in an action, as the panel shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup

from .. import scope
from ..registering import attaching

if TYPE_CHECKING:
    from bpy.types import Context


class MOTIONEDIT_PG_flaw(PropertyGroup):
    """A fault of the capture in one bone."""

    kind: StringProperty(name="Kind", description="What is wrong")
    bone: StringProperty(name="Bone", description="Where; empty for the object itself")
    channel: StringProperty(name="Channel", description="Rotation, location or scale")
    first: FloatProperty(name="First", description="First action frame that is wrong")
    last: FloatProperty(name="Last", description="Last action frame that is wrong")
    size: FloatProperty(name="Size", description="How far off it is at most: radians of rotations, units otherwise")
    ticked: BoolProperty(name="Repair", description="Repair it with Repair Ticked", default=True)


def _jump(flaws: MOTIONEDIT_PG_flaws, context: Context) -> None:
    """A row was clicked: show where it is."""
    armature = context.object
    if scope.action_of(armature) != flaws.id_data or not 0 <= flaws.active < len(flaws.found):
        return
    frame = scope.to_scene(armature, [flaws.found[flaws.active].first])[0]
    context.scene.frame_set(round(float(frame)))


class MOTIONEDIT_PG_flaws(PropertyGroup):
    """Flaws of an action."""

    found: CollectionProperty(type=MOTIONEDIT_PG_flaw)
    searched: BoolProperty(description="Flaws were looked for", default=False)
    fingerprint: StringProperty(description="Of the keys in which they were found")
    tolerance: FloatProperty(description="Body heights by which feet may be too low", default=0.01)
    active: IntProperty(name="Flaw", description="Click to go to its frame", update=_jump)


classes = (MOTIONEDIT_PG_flaw, MOTIONEDIT_PG_flaws)

register, unregister = attaching(
    classes, {(bpy.types.Action, "motion_editing_flaws"): PointerProperty(type=MOTIONEDIT_PG_flaws)}
)

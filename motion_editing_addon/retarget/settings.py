"""What retargeting keeps with the target: its source, and which bones correspond."""

from __future__ import annotations

import bpy
from bpy.props import CollectionProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup

# Raise it when the meaning of saved data changes, and convert older data where it is read.
VERSION = 1


def _is_other_armature(settings: PropertyGroup, thing: bpy.types.Object) -> bool:
    return thing.type == "ARMATURE" and thing != settings.id_data


class MOTIONEDIT_PG_retarget_pair(PropertyGroup):
    """A bone of the target and the bone of the source that it follows."""

    bone: StringProperty(name="Bone", description="Bone of this armature")
    source: StringProperty(name="Source Bone", description="Bone of the source that it follows; empty for none")
    confidence: FloatProperty(name="Confidence", description="How sure the proposal is", min=0.0, max=1.0)
    reason: StringProperty(name="Reason", description="How the pair was found")


class MOTIONEDIT_PG_retarget(PropertyGroup):
    """Where an armature takes motions from."""

    version: IntProperty(default=VERSION)
    source: PointerProperty(
        name="Source",
        description="The armature that the motion is taken from",
        type=bpy.types.Object,
        poll=_is_other_armature,
    )
    pairs: CollectionProperty(type=MOTIONEDIT_PG_retarget_pair)
    active: IntProperty(name="Pair", description="The pair that is shown below the list")


classes = (MOTIONEDIT_PG_retarget_pair, MOTIONEDIT_PG_retarget)


def register() -> None:
    """Attach the settings to objects."""
    for cls in classes:
        bpy.utils.register_class(cls)
    bpy.types.Object.motion_editing_retarget = PointerProperty(type=MOTIONEDIT_PG_retarget)


def unregister() -> None:
    """Detach them; what they hold stays in the files."""
    del bpy.types.Object.motion_editing_retarget
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)

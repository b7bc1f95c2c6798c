"""Contact spans as the panel lists them; the list is what is saved with the action."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup


class MOTIONEDIT_PG_contact(PropertyGroup):
    """A span of frames in which a bone stands still."""

    bone: StringProperty(name="Bone", description="The bone in contact")
    start: FloatProperty(name="Start", description="First action frame of the contact", precision=1)
    end: FloatProperty(name="End", description="Last action frame of the contact", precision=1)


class MOTIONEDIT_PG_contacts(PropertyGroup):
    """Contacts of an action."""

    known: BoolProperty(description="Contacts were looked for or marked", default=False)
    spans: CollectionProperty(type=MOTIONEDIT_PG_contact)
    active: IntProperty(name="Contact")


classes = (MOTIONEDIT_PG_contact, MOTIONEDIT_PG_contacts)


def register() -> None:
    """Attach the contacts to actions."""
    for cls in classes:
        bpy.utils.register_class(cls)
    bpy.types.Action.motion_editing_contacts = PointerProperty(type=MOTIONEDIT_PG_contacts)


def unregister() -> None:
    """Detach them again."""
    del bpy.types.Action.motion_editing_contacts
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)

"""Contact spans as the panel lists them; the list is what is saved with the action."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup

from ..border.registration import attaching
from ..document import scope
from ..interface.shared_options import BONE, END, START

if TYPE_CHECKING:
    from bpy.types import Context, Object


def _push_end(item: PropertyGroup, _context: Context) -> None:
    """A start dragged past the end takes the end along."""
    if item.end <= item.start:
        item.end = item.start + 1.0


def _push_start(item: PropertyGroup, _context: Context) -> None:
    """An end dragged before the start takes the start along."""
    if item.end <= item.start:
        item.start = item.end - 1.0


class MOTIONEDIT_PG_contact(PropertyGroup):
    """A span of frames in which a bone stands still."""

    bone: StringProperty(**BONE)
    start: FloatProperty(**START, precision=0, update=_push_end)
    end: FloatProperty(**END, precision=0, update=_push_start)
    # Zero of lists that were saved before slots counted: those are about every slot.
    slot: IntProperty(description="Handle of the action's slot")

    def belongs_to(self, armature: Object) -> bool:
        """Whether it is about the armature's slot of the action."""
        return self.slot in (0, scope.slot_handle(armature))


class MOTIONEDIT_PG_contacts_slot(PropertyGroup):
    """A slot of the action whose contacts are known; its name is the slot's handle."""


class MOTIONEDIT_PG_contacts(PropertyGroup):
    """Contacts of an action."""

    known: BoolProperty(description="Contacts were searched for or marked", default=False)
    # None in lists that were saved before slots counted: those are about every slot.
    known_slots: CollectionProperty(type=MOTIONEDIT_PG_contacts_slot)
    spans: CollectionProperty(type=MOTIONEDIT_PG_contact)
    active: IntProperty(name="Contact", description="Active contact of the list")
    followed: BoolProperty(description="Contacts were retimed or mirrored with the motion", default=False)

    def is_known(self, armature: Object) -> bool:
        """Whether contacts of the armature's slot were looked for or marked."""
        handle = str(scope.slot_handle(armature))
        return self.known and (not len(self.known_slots) or handle in self.known_slots)

    def of(self, armature: Object) -> list[tuple[int, PropertyGroup]]:
        """The contacts of the armature's slot, with their numbers in the list."""
        return [(number, item) for number, item in enumerate(self.spans) if item.belongs_to(armature)]

    def new(self, armature: Object, bone: str, start: float, end: float) -> PropertyGroup:
        """Add a contact of the armature's slot, and make it the active one."""
        self.mark_known(armature)
        item = self.spans.add()
        item.bone, item.slot = bone, scope.slot_handle(armature)
        item.start, item.end = start, end
        self.active = len(self.spans) - 1
        return item

    def mark_known(self, armature: Object) -> None:
        """Note that the list tells all contacts of the armature's slot."""
        handle = str(scope.slot_handle(armature))
        if handle not in self.known_slots and (len(self.known_slots) or not self.known):
            self.known_slots.add().name = handle
        self.known = True

    def clear(self, armature: Object) -> None:
        """Drop the contacts of the armature's slot."""
        for number, _item in reversed(self.of(armature)):
            self.spans.remove(number)

    def forget(self, armature: Object) -> None:
        """Drop them, and know nothing about the armature's slot."""
        self.clear(armature)
        place = self.known_slots.find(str(scope.slot_handle(armature)))
        if place >= 0:
            self.known_slots.remove(place)
        self.known = len(self.known_slots) > 0


classes = (MOTIONEDIT_PG_contact, MOTIONEDIT_PG_contacts_slot, MOTIONEDIT_PG_contacts)

register, unregister = attaching(
    classes, {(bpy.types.Action, "motion_editing_contacts"): PointerProperty(type=MOTIONEDIT_PG_contacts)}
)

"""Contacts on the strip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..document import scope
from ..interface import strip
from ..interface.drawing import theme

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bpy.types import Context, Object, PropertyGroup

    from ..interface.drawing.theme import Colour

NAME = "contacts"
_SECONDS = 0.25
_EDITS = (("split_contact", "Split at Current Frame"), ("join_contacts", "Join with Next"))


class ContactsOnStrip(strip.ListedSpans):
    """Feeds a lane of spans with the contacts of the active armature's action."""

    least = 1.0  # a bone stands still from one frame to the next at least

    def settings(self, armature: Object) -> PropertyGroup:
        """The contacts of its action."""
        return scope.own_action(armature).motion_editing_contacts

    def items(self, armature: Object) -> Iterable[tuple[int, PropertyGroup]]:
        """Those of its slot."""
        found: Iterable[tuple[int, PropertyGroup]] = self.settings(armature).of(armature)
        return found

    def colours(self, context: Context) -> dict[str, Colour]:
        """The colour that contacts have everywhere."""
        return {"": theme.bone_colour(context, theme.CONTACT_SET)}

    def look(self, _item: PropertyGroup) -> tuple[str, str, str, bool, bool]:
        """All look alike."""
        return "", "Contact", "Contact", True, False

    def menu(self, context: Context, number: int) -> tuple[tuple[str, str], ...]:
        """Splitting and joining, too."""
        entries = super().menu(context, number)
        return (*_EDITS, *entries) if scope.own_action(scope.known_object(context)).is_editable else entries

    def choose(self, context: Context, identifier: str, number: int) -> None:
        """Split or join it, or what is offered for all spans."""
        if identifier in dict(_EDITS):
            getattr(bpy.ops.motion_editing, identifier)(contact=number)
        else:
            super().choose(context, identifier, number)

    def add(self, context: Context, row: str, frame: float) -> None:
        """Mark a contact."""
        armature = scope.known_object(context)
        span = frame, frame + max(1.0, round(_SECONDS * scope.scene_rate(context)))
        self.settings(armature).new(armature, row, *sorted(scope.from_scene(armature, each) for each in span))

    def remove(self, _context: Context, number: int) -> None:
        """It is no contact."""
        bpy.ops.motion_editing.remove_contact(contact=number)


def add() -> None:
    """Show contacts on the strip."""
    strip.add_lane(strip.SpanLane(NAME, "Contacts", "Contact", ContactsOnStrip(), order=24))


def remove() -> None:
    """Show them no more."""
    strip.remove_lane(NAME)

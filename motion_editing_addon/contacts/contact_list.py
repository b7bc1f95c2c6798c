"""Contacts of the list, found by number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.errors import MotionEditError
from ..document import scope

if TYPE_CHECKING:
    from bpy.types import Object


def contact_number(armature: Object, wanted: int) -> int:
    """The number of a contact of the armature's slot; of the active one if it is negative.

    Raises:
        MotionEditError: There is none with this number.
    """
    settings = scope.own_action(armature).motion_editing_contacts
    number = settings.active if wanted < 0 else wanted
    listed = dict(settings.of(armature))
    if number not in listed:
        raise MotionEditError(f"There is no contact with number {number} among {len(listed)}")
    return number

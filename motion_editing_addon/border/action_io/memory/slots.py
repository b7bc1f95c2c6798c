"""The slots that an object and what is animated along with it play, in one action or in several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..curves.channels import bags_of, further_owners

if TYPE_CHECKING:
    from bpy.types import ID, Action, ActionChannelbag, FCurve, Object


class Slot(NamedTuple):
    """Where curves belong.

    Attributes:
        owner: Name of what is animated along with an object; empty for the object itself.
        handle: Of the action's slot.
    """

    owner: str
    handle: int


# Slot, path and component of a curve.
Place = tuple[Slot, str, int]
# Path and component; with the name of the owner in front if that is not the object itself.
Identity = tuple[str, int]


def slots_of(thing: Object) -> dict[Slot, Action]:
    """The slots that an object and what is animated along with it play, each once, with their actions."""
    found: dict[tuple[Action, int], Slot] = {}
    for owner in (thing, *further_owners(thing)):
        data = owner.animation_data
        if data is not None and data.action is not None and data.action_slot is not None:
            name = "" if owner == thing else owner.name_full
            found.setdefault((data.action, data.action_slot_handle), Slot(name, data.action_slot_handle))
    return {slot: action for (action, _handle), slot in found.items()}


def owner_of(thing: Object, slot: Slot) -> ID:
    """What plays a slot."""
    return next(owner for owner in (thing, *further_owners(thing)) if slot.owner in ("", owner.name_full))


def bags_by_slot(slots: Mapping[Slot, Action]) -> dict[Slot, ActionChannelbag]:
    """The curves that actions have for slots."""
    return {slot: bag for slot, action in slots.items() for bag in bags_of(action) if bag.slot_handle == slot.handle}


def curves_by_place(slots: Mapping[Slot, Action]) -> dict[Place, FCurve]:
    """The same by their places."""
    return {
        (slot, curve.data_path, curve.array_index): curve
        for slot, bag in bags_by_slot(slots).items()
        for curve in bag.fcurves
    }


def identity_of(place: Place) -> Identity:
    """What tells a curve of an object from others, also in another session."""
    slot, path, index = place
    return (f"{slot.owner}: {path}" if slot.owner else path), index


def place_of(name: str, index: int, slots: Iterable[Slot]) -> Place | None:
    """The place that is meant by an identity; None if there is no such slot any more."""
    chosen: Any = None
    for slot in slots:
        if name.startswith(f"{slot.owner}: ") if slot.owner else chosen is None:
            chosen = slot
    return None if chosen is None else (chosen, name.removeprefix(f"{chosen.owner}: "), index)

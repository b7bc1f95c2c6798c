"""Where keys begin and end. An action's own range may be a manual one, and covers its other slots as well."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .channels import bags_of, channelbag, channels_of, further_owners, stand_ins
from .keys import key_count

if TYPE_CHECKING:
    from bpy.types import FCurve, Object


def key_ends(thing: Object) -> tuple[float, float] | None:
    """Action frames of the first and the last key of all that is read with an object; None if there is none."""
    stand_in: Any = channelbag(thing) if stand_ins else None
    deferred = stand_in.draft.deferred if hasattr(stand_in, "draft") else None
    return ends_of_curves(channels_of(thing).curves.values()) if deferred is None else deferred.key_ends


def key_ends_elsewhere(thing: Object) -> tuple[float, float] | None:
    """The same of all other curves in the object's action: those of other objects' slots, and of nothing at all."""
    data, own = thing.animation_data, set()
    action = data.action if data is not None else None
    for owner in (thing, *further_owners(thing)):
        bag = channelbag(owner)
        own |= {bag.slot_handle} if bag is not None and bag.id_data == action else set()
    bags = bags_of(action) if action is not None else ()
    return ends_of_curves(curve for bag in bags if bag.slot_handle not in own for curve in bag.fcurves)


def ends_of_curves(curves: Iterable[FCurve]) -> tuple[float, float] | None:
    """Frames of the first and the last key of some curves; None if there is none."""
    ranges = [curve.range()[:] for curve in curves if key_count(curve)]
    return (min(first for first, _ in ranges), max(last for _, last in ranges)) if ranges else None

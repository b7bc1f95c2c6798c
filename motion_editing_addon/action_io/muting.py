"""Curves muted for a while, and the very same ones set free again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from .channels import TRANSFORMS, Property, bone_of_path, channelbag, further_owners

if TYPE_CHECKING:
    from bpy.types import Action, FCurve, Object


class MutedCurve(NamedTuple):
    """Where a muted curve is; slots are told by their handle, which never changes."""

    action: Action
    slot: int
    path: str
    index: int


def mute_curves(thing: Object, bones: set[str], scalars: set[str]) -> list[MutedCurve]:
    """Mute the transforms of some bones and some scalars; gives those that were not muted before.

    Args:
        thing: The animated object; what is animated along with it counts too.
        bones: Names.
        scalars: Names as a motion read from the object has them.
    """
    muted = []
    for owner in (thing, *further_owners(thing)):
        bag = channelbag(owner)
        for curve in bag.fcurves if bag else ():
            if not curve.mute and _is_meant(owner, curve, bones, scalars):
                curve.mute = True
                muted.append(MutedCurve(bag.id_data, bag.slot_handle, curve.data_path, curve.array_index))
    return muted


def _is_meant(owner: object, curve: FCurve, bones: set[str], scalars: set[str]) -> bool:
    bone = bone_of_path(curve.data_path)
    if bone is not None and curve.data_path.rpartition(".")[2] in TRANSFORMS:
        return bone in bones
    path = curve.data_path if not curve.array_index else f"{curve.data_path}[{curve.array_index}]"
    return Property(owner, path).name in scalars  # type: ignore[arg-type]


def unmute_curves(muted: Iterable[MutedCurve]) -> int:
    """Set curves free again; gives how many of them are still there."""
    return _switch(muted, mute=False)


@contextmanager
def unmuted(muted: Iterable[MutedCurve]) -> Iterator[None]:
    """Set curves free while they are read."""
    freed = list(muted)
    _switch(freed, mute=False)
    try:
        yield
    finally:
        _switch(freed, mute=True)


def _switch(muted: Iterable[MutedCurve], *, mute: bool) -> int:
    known: dict[tuple[str, int], dict[tuple[str, int], FCurve]] = {}
    count = 0
    for action, slot, path, index in muted:
        if action is None:  # it was deleted
            continue
        if (action.name_full, slot) not in known:
            known[action.name_full, slot] = _curves(action, slot)
        curve = known[action.name_full, slot].get((path, index))
        if curve is not None:
            curve.mute = mute
            count += 1
    return count


def _curves(action: Action, slot: int) -> dict[tuple[str, int], FCurve]:
    bags = (bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags)
    own = next((bag.fcurves for bag in bags if bag.slot_handle == slot), ())
    return {(curve.data_path, curve.array_index): curve for curve in own}

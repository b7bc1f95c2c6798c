"""Curves muted for a while, and the very same ones set free again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .channels import TRANSFORMS, Property, bags_of, bone_of_path, channelbag, further_owners

if TYPE_CHECKING:
    from bpy.types import Action, FCurve, Object


@dataclass(frozen=True, slots=True)
class MutedCurve:
    """Where a muted curve is; slots are told by their handle, which never changes."""

    action: Action
    slot: int
    path: str
    index: int


def curves_to_mute(
    thing: Object, bones: set[str], scalars: set[str], *, ours: Collection[MutedCurve] = ()
) -> list[MutedCurve]:
    """Curves of the transforms of some bones, and of some scalars; not those that the user has muted.

    Args:
        thing: The animated object; what is animated along with it counts too.
        bones: Names.
        scalars: Names as a motion read from the object has them.
        ours: Curves that are muted, but not by the user.
    """
    found = []
    for owner in (thing, *further_owners(thing)):
        bag = channelbag(owner)
        if bag is None:
            continue
        for curve in bag.fcurves:
            where = MutedCurve(bag.id_data, bag.slot_handle, curve.data_path, curve.array_index)
            if (not curve.mute or where in ours) and _is_meant(owner, curve, bones, scalars):
                found.append(where)
    return found


def _is_meant(owner: object, curve: FCurve, bones: set[str], scalars: set[str]) -> bool:
    bone = bone_of_path(curve.data_path)
    if bone is not None and curve.data_path.rpartition(".")[2] in TRANSFORMS:
        return bone in bones
    path = curve.data_path if not curve.array_index else f"{curve.data_path}[{curve.array_index}]"
    return Property(owner, path).name in scalars  # type: ignore[arg-type]


def mute_curves(curves: Iterable[MutedCurve]) -> None:
    """Mute curves; those that are gone are passed over."""
    for _where, curve in _there(curves):
        if curve is not None and not curve.mute:  # every change costs an evaluation
            curve.mute = True


def unmute_curves(muted: Iterable[MutedCurve], *, others: Iterable[MutedCurve] = ()) -> None:
    """Set curves free again.

    A curve whose bone was renamed has another path since: it is taken to be the first muted one
    of the same channel that nobody speaks of, as curves keep their order.

    Args:
        muted: To be set free.
        others: That were muted too, and stay so.
    """
    muted = list(muted)
    known = {*muted, *others}
    for where, curve in _there(muted):
        found = curve if curve is not None else _renamed(where, known)
        if found is not None:
            found.mute = False


def _renamed(where: MutedCurve, known: set[MutedCurve]) -> FCurve | None:
    for (path, index), curve in _curves(where.action, where.slot).items():
        same_channel = index == where.index and path.rpartition(".")[2] == where.path.rpartition(".")[2]
        if same_channel and curve.mute and MutedCurve(where.action, where.slot, path, index) not in known:
            return curve
    return None


@contextmanager
def unmuted(muted: Iterable[MutedCurve]) -> Iterator[None]:
    """Set curves free while they are read."""
    freed = list(muted)
    unmute_curves(freed)
    try:
        yield
    finally:
        mute_curves(freed)


def _there(curves: Iterable[MutedCurve]) -> Iterator[tuple[MutedCurve, FCurve | None]]:
    """Each with its curve, or None; nothing for actions that are gone."""
    known: dict[tuple[str, int], dict[tuple[str, int], FCurve]] = {}
    for where in curves:
        if where.action is None:
            continue
        bag = where.action.name_full, where.slot
        if bag not in known:
            known[bag] = _curves(where.action, where.slot)
        yield where, known[bag].get((where.path, where.index))


def _curves(action: Action, slot: int) -> dict[tuple[str, int], FCurve]:
    own = next((bag.fcurves for bag in bags_of(action) if bag.slot_handle == slot), ())
    return {(curve.data_path, curve.array_index): curve for curve in own}

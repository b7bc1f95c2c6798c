"""Curves of driven channels are muted while a tree is live, or they would win at the next change of frames.

Every live tree claims the curves that work against it, and every action remembers which of its
curves are muted for that: several trees may share an action, and a character may be gone before it
could give its curves back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..action_io.muting import MutedCurve, curves_to_mute, mute_curves, unmute_curves
from . import model

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bpy.types import Action, Object


def claim(owner: Object) -> None:
    """Mute what the tree drives now.

    Raises:
        MotionEditError: The tree cannot be evaluated; nothing is muted for it then.
    """
    from .evaluation import driven

    ours = {curve for action in bpy.data.actions for curve in muted_in(action)}
    model.tree_of(owner).muted.clear()
    try:
        _note(model.tree_of(owner).muted, curves_to_mute(owner, *driven(owner), ours=ours))
    finally:
        settle()


def release(owner: Object) -> None:
    """Set free what no other live tree drives."""
    model.tree_of(owner).muted.clear()
    settle()


def settle() -> None:
    """Mute the curves that trees claim, and set free all others that were muted for trees."""
    trees = [model.tree_of(thing) for thing in bpy.data.objects if model.has_tree(thing)]
    claimed: dict[Action, set[MutedCurve]] = {}
    for curve in (_curve(item.action, item) for tree in trees for item in tree.muted):
        claimed.setdefault(curve.action, set()).add(curve)
    for action in bpy.data.actions:
        _settle(action, claimed.get(action, set()))


def _settle(action: Action, claimed: set[MutedCurve]) -> None:
    muted = set(muted_in(action))
    mute_curves(claimed)
    if muted == claimed:
        return
    unmute_curves(sorted(muted - claimed, key=_order), others=claimed)
    action.motion_editing_muted.clear()
    _note(action.motion_editing_muted, claimed)


def muted_in(action: Action) -> list[MutedCurve]:
    """Curves of an action that are muted for live trees."""
    return [_curve(action, item) for item in action.motion_editing_muted]


def _curve(action: Action, item: object) -> MutedCurve:
    return MutedCurve(action, item.slot, item.path, item.index)


def _order(curve: MutedCurve) -> tuple[str, int]:
    return curve.path, curve.index


def _note(items: bpy.types.bpy_prop_collection, curves: Iterable[MutedCurve]) -> None:
    for curve in curves:
        item = items.add()
        item.action, item.slot, item.path, item.index = curve

"""Curves of driven channels are muted while a tree is live, or they would win at the next change of frames.

Every live tree claims the curves that work against it, and every action remembers which of its
curves are muted for that: several trees may share an action, and a character may be gone before it
could give its curves back. Claims name what is animated, not the action: a copy of the character
speaks of its own action then, whatever Blender does about pointers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy

from ..border.action_io.curves.channels import further_owners
from ..border.action_io.curves.mutes import MutedCurve, curves_to_mute, mute_curves, unmute_curves
from . import model
from .solution.evaluation import driven

if TYPE_CHECKING:
    from bpy.types import ID, Action, Object


def claim(owner: Object) -> None:
    """Mute what the tree drives now.

    Raises:
        MotionEditError: The tree cannot be evaluated; nothing is muted for it then.
    """
    ours = {curve for action in bpy.data.actions for curve in muted_in(action)}
    model.tree_of(owner).muted.clear()
    try:
        things = {_action_of(thing): name for name, thing in _animated(owner).items()}
        for curve in curves_to_mute(owner, *driven(owner), ours=ours):
            _note(model.tree_of(owner).muted, curve).thing = things[curve.action]
    finally:
        settle()


def release(owner: Object) -> None:
    """Set free what no other live tree drives."""
    model.tree_of(owner).muted.clear()
    settle()


def settle() -> None:
    """Mute the curves that trees claim, and set free all others that were muted for trees."""
    claimed: dict[Action, set[MutedCurve]] = {}
    for owner in filter(model.has_tree, bpy.data.objects):
        for curve in _claims(owner):
            claimed.setdefault(curve.action, set()).add(curve)
    for action in bpy.data.actions:
        _settle(action, claimed.get(action, set()))


def _claims(owner: Object) -> Iterator[MutedCurve]:
    """Curves that a live tree claims, of what its owner plays now."""
    tree = model.tree_of(owner)
    if not tree.live or not len(tree.muted):
        return
    actions = {name: _action_of(thing) for name, thing in _animated(owner).items()}
    for item in tree.muted:
        action = actions.get(item.thing)
        if action is not None:
            yield MutedCurve(action, item.slot, item.path, item.index)


def _animated(owner: Object) -> dict[str, ID]:
    """What is animated with a character, by name; the object itself, which may be renamed, has none."""
    return {"": owner, **{thing.name: thing for thing in further_owners(owner)}}


def _action_of(thing: ID) -> Action | None:
    return thing.animation_data.action if thing.animation_data is not None else None


def _settle(action: Action, claimed: set[MutedCurve]) -> None:
    muted = set(muted_in(action))
    mute_curves(claimed)
    if muted == claimed and not _points_to_actions(action):
        return
    unmute_curves(sorted(muted - claimed, key=_order), others=claimed)
    action.motion_editing_muted.clear()
    for curve in claimed:
        _note(action.motion_editing_muted, curve)


def _points_to_actions(action: Action) -> bool:
    """Whether an action speaks of its muted curves as files of the first versions do."""
    return any(item.action is not None for item in action.motion_editing_muted)


def muted_in(action: Action) -> list[MutedCurve]:
    """Curves of an action that are muted for live trees."""
    return [MutedCurve(action, item.slot, item.path, item.index) for item in action.motion_editing_muted]


def _order(curve: MutedCurve) -> tuple[str, int]:
    return curve.path, curve.index


def _note(items: Any, curve: MutedCurve) -> bpy.types.PropertyGroup:
    item = items.add()
    item.slot, item.path, item.index = curve.slot, curve.path, curve.index
    return item

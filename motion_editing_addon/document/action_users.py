"""Who else uses an action, and keeping it safe: copies for one user, the original keys, NLA warnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty

from ...core.errors import MotionEditError
from ..border import action_io
from ..border.action_io.memory import draft
from . import scope
from .settings import preferences
from .transaction import edit

if TYPE_CHECKING:
    from bpy.types import ID, Action, Context, Object


def is_shared(armature: Object) -> bool:
    """Whether other objects play the same animation."""
    data = armature.animation_data
    return bool(data and data.action_slot and len(data.action_slot.users()) > 1 and not data.use_tweak_mode)


@contextmanager
def own_actions(armatures: list[Object]) -> Iterator[None]:
    """Give armatures that share their action a copy; taken back if what follows does not come to its end."""
    separated = [(armature, scope.own_action(armature)) for armature in armatures if is_shared(armature)]
    for armature, action in separated:
        _assign(armature, action.copy())
    try:
        yield
    except BaseException:
        for armature, action in separated:
            copy = scope.own_action(armature)
            _assign(armature, action)
            bpy.data.actions.remove(copy)
        raise


def _assign(thing: ID, action: Action) -> None:
    data = thing.animation_data
    slot = data.action_slot.identifier if data.action_slot is not None else None
    data.action = action
    if slot is not None:
        data.action_slot = action.slots[slot]


def result_choice(default: str) -> object:
    """Property of where a new motion goes."""
    return EnumProperty(
        name="Result",
        description="Where the new motion goes",
        items=(
            ("THIS", "This Action", "Change the action that is played"),
            ("NEW", "New Action", "Play a new action; this one stays in the file as it is"),
        ),
        default=default,
    )


@contextmanager
def new_actions(things: Sequence[ID], label: str) -> Iterator[Kept]:
    """Let what is animated play copies of its actions, which are then edited; the actions themselves stay in the file.

    Copies are taken back if what follows does not come to its end, or is not needed.

    Args:
        things: Those without an action are passed over.
        label: What was done, added to the actions' names.

    Raises:
        MotionEditError: An action cannot be exchanged now.
    """
    played = [thing for thing in things if thing.animation_data is not None and thing.animation_data.action is not None]
    if any(thing.animation_data.use_tweak_mode for thing in played):
        raise MotionEditError("Leave the NLA strip's tweak mode to make a new action, or choose Result: This Action")
    before = [(thing, thing.animation_data.action) for thing in played]
    copies = {action: _copied(action, label) for _thing, action in before}
    for thing, action in before:
        _assign(thing, copies[action])
    kept = Kept(needed=False)
    try:
        yield kept
    finally:
        for action in copies if kept.needed else ():
            action.use_fake_user = action.use_fake_user or not action.users
        for thing, action in before if not kept.needed else ():
            _assign(thing, action)
        for copy in copies.values() if not kept.needed else ():
            bpy.data.actions.remove(copy)


def _copied(action: Action, label: str) -> Action:
    copy = action.copy()
    copy.name = f"{action.name} {label}"
    copy.use_fake_user = False
    copy.motion_editing.original = None
    return copy


def one_per_animation(armatures: list[Object]) -> list[Object]:
    """The armatures that have an action, without those that play the same animation as one before."""
    found: dict[tuple[str, int], Object] = {}
    for armature in filter(scope.action_of, armatures):
        found.setdefault((scope.own_action(armature).name_full, scope.slot_handle(armature)), armature)
    return list(found.values())


@dataclass
class Kept:
    """Whether copies of actions that were made now are needed in the end."""

    needed: bool = True


@contextmanager
def original_kept(context: Context, armature: Object) -> Iterator[Kept]:
    """Save copies of the actions before their first edit; taken back if the edit fails or changes nothing.

    Of an edit that fails nothing is left.
    """
    kept, made = Kept(needed=False), keep_original(context, armature)
    try:
        with edit(armature):
            yield kept
    except BaseException:
        kept.needed = False
        raise
    finally:
        for action in made if not kept.needed else ():
            copy, action.motion_editing.original = action.motion_editing.original, None
            bpy.data.actions.remove(copy)


def keep_original(context: Context, armature: Object) -> list[Action]:
    """Save copies of the armature's action and of its shape keys' before their first edit, if the user wants that.

    Gives the actions of which a copy was made now.
    """
    wanted = preferences(context)
    if wanted is not None and not wanted.keep_original:
        return []
    made = []
    for action in animating_actions(armature):
        if action.motion_editing.original is None and action.is_editable and draft.draft_of_action(action) is None:
            copy = action.copy()
            copy.name = f"{action.name} (original)"
            copy.use_fake_user = False
            action.motion_editing.original = copy
            made.append(action)
    return made


def animating_actions(armature: Object) -> list[Action]:
    """The actions that tools may change: the armature's own, and those of what is animated along with it."""
    owners = (armature, *action_io.further_owners(armature))
    actions = [owner.animation_data.action for owner in owners if owner.animation_data is not None]
    return list(dict.fromkeys(action for action in actions if action is not None))


def linked_actions(armature: Object) -> list[Action]:
    """Those of them that belong to another file."""
    return [action for action in animating_actions(armature) if action.library is not None]


def layered_animation(armature: Object) -> str | None:
    """A warning where the pose is not the action alone."""
    data = scope.animation_of(armature)
    if data.use_nla and any(not track.mute for track in data.nla_tracks) and not data.use_tweak_mode:
        return "NLA tracks also move this armature: the pose is not this action alone"
    if data.action_influence < 1.0 or data.action_blend_type != "REPLACE":
        return "The action's influence or blending changes what you see"
    return None

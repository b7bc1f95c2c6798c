"""Who else uses an action, and keeping it safe: copies for one user, the original keys, NLA warnings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy

from . import scope
from .settings import preferences

if TYPE_CHECKING:
    from bpy.types import Context, Object


def is_shared(armature: Object) -> bool:
    """Whether other objects play the same animation."""
    data = armature.animation_data
    return bool(data and data.action_slot and len(data.action_slot.users()) > 1 and not data.use_tweak_mode)


@contextmanager
def own_actions(armatures: list[Object]) -> Iterator[None]:
    """Give armatures that share their action a copy; taken back if what follows does not come to its end."""
    separated = [(armature, armature.animation_data.action) for armature in armatures if is_shared(armature)]
    for armature, action in separated:
        _assign(armature, action.copy())
    try:
        yield
    except BaseException:
        for armature, action in separated:
            copy = armature.animation_data.action
            _assign(armature, action)
            bpy.data.actions.remove(copy)
        raise


def _assign(armature: Object, action: bpy.types.Action) -> None:
    data = armature.animation_data
    slot = data.action_slot.identifier
    data.action = action
    data.action_slot = action.slots[slot]


def keep_original(context: Context, armature: Object) -> None:
    """Save a copy of the action before its first edit, if the user wants that."""
    wanted, action = preferences(context), scope.action_of(armature)
    if (wanted is not None and not wanted.keep_original) or action.motion_editing.original is not None:
        return
    copy = action.copy()
    copy.name = f"{action.name} (original)"
    copy.use_fake_user = False
    action.motion_editing.original = copy


def layered_animation(armature: Object) -> str | None:
    """A warning where the pose is not the action alone."""
    data = armature.animation_data
    if data.use_nla and any(not track.mute for track in data.nla_tracks) and not data.use_tweak_mode:
        return "NLA tracks also move this armature: the pose is not this action alone"
    if data.action_influence < 1.0 or data.action_blend_type != "REPLACE":
        return "The action's influence or blending changes what you see"
    return None

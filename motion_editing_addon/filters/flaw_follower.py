"""Flaws in the list that go with the motion when its timing changes, or its sides are exchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..document import original_keys, scope

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ..document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """Let the list say the frames and bones at which flaws are seen now; those that were cut away go."""
    found = scope.own_action(change.armature).motion_editing_flaws.found
    if change.joints is None or not found:
        return
    names = change.clip.motion.skeleton.names
    edited = {name for name, chosen in zip(names, change.joints, strict=True) if chosen}
    for number, item in reversed(list(enumerate(found))):
        if not change.is_whole and item.bone not in edited:
            continue
        frames = change.seen_frames(np.array([item.first, item.last]))
        if np.isnan(frames).any():
            found.remove(number)
            continue
        item.first, item.last = np.sort(frames).tolist()
        item.bone = change.partners.get(item.bone, item.bone)


def restore(armature: Object, original: Action) -> None:
    """List the flaws of the original, if they were looked for in it, or those here lie in another timing."""
    settings, saved = scope.own_action(armature).motion_editing_flaws, original.motion_editing_flaws
    if saved.searched or original_keys.is_other_timing(armature):
        original_keys.take_over_list(settings.found, saved.found)
        settings.searched = saved.searched

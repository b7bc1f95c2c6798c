"""Contacts that go with the motion when its timing changes, or its sides are exchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.analysis.contacts import following_contacts
from ..document import scope
from ..document.contacts.saved_contacts import listed_spans, save_contacts

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ..document.motion_changes import MotionChange


def follow(change: MotionChange) -> None:
    """Bring the contacts listed with the action to where and when they are now."""
    armature, rate = change.armature, change.clip.motion.rate
    if not scope.own_action(armature).motion_editing_contacts.is_known(armature):
        return
    first, last = change.reach
    followed = following_contacts(
        listed_spans(armature, rate),
        change.names,
        start=first / rate,
        end=last / rate,
        time_map=change.time_map,
        partners=change.partners,
    )
    save_contacts(armature, followed, rate)
    scope.own_action(armature).motion_editing_contacts.followed = True


def restore(armature: Object, original: Action) -> None:
    """List what a copy of the action lists, if contacts went with a motion that is gone; else they still hold."""
    settings, saved = scope.own_action(armature).motion_editing_contacts, original.motion_editing_contacts
    if not settings.followed:
        return
    settings.forget(armature)
    settings.followed = False
    if saved.is_known(armature):
        settings.mark_known(armature)
        for _number, item in saved.of(armature):
            settings.new(armature, item.bone, item.start, item.end)

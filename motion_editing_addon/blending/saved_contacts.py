"""Contacts listed with an action, kept true when its motion becomes another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.analysis.contacts import ContactSpans
from ..document import scope
from ..document.contacts.saved_contacts import contacts_of, save_contacts

if TYPE_CHECKING:
    from ...core.body import Body
    from ..border.action_io import Clip


def listed_contacts(clip: Clip) -> ContactSpans | None:
    """The contacts listed with the clip's action; None if none were looked for."""
    return contacts_of(clip) if scope.action_of(clip.armature).motion_editing_contacts.is_known(clip.armature) else None


def mirrored_contacts(contacts: ContactSpans, body: Body) -> ContactSpans:
    """The contacts on the other side."""
    names, partner = body.skeleton.names, body.mirror
    return ContactSpans({names[partner[body.skeleton.index[name]]]: contacts.of(name) for name in contacts.joints})


def list_contacts(clip: Clip, contacts: ContactSpans) -> None:
    """Put contacts into the list of the clip's action."""
    save_contacts(clip.armature, contacts, clip.motion.rate)

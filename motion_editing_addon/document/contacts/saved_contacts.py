"""Contacts between the list in Blender and core."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ....core.analysis.contacts import ContactSpans, detect_contacts
from ...border import action_io
from .. import scope
from ..character.saved_body import body_of
from ..character.shown_figure import shown_figure

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Object

    from ...border.action_io import Clip


def contacts_of(clip: Clip, positions: np.ndarray | None = None) -> ContactSpans:
    """The contacts saved with the clip's action, or those found in its motion."""
    settings, figure = scope.own_action(clip.armature).motion_editing_contacts, shown_figure(clip)
    if not settings.is_known(clip.armature):
        if figure is not None:
            return detect_contacts(figure.motion, figure.body)
        return detect_contacts(clip.motion, body_of(clip.armature, clip, positions), positions=positions)
    spans = listed_spans(clip.armature, clip.motion.rate)
    known = ContactSpans({joint: spans.of(joint) for joint in spans.joints if joint in clip.motion.skeleton.index})
    return known if figure is None else figure.character.on_figure(known)


def listed_contacts(clip: Clip) -> ContactSpans | None:
    """The contacts listed with the clip's action; None if none were looked for."""
    return (
        contacts_of(clip) if scope.own_action(clip.armature).motion_editing_contacts.is_known(clip.armature) else None
    )


def listed_spans(armature: Object, rate: float) -> ContactSpans:
    """All contacts in the list of the armature's action, in seconds; also of bones that are gone."""
    items = (item for _number, item in scope.own_action(armature).motion_editing_contacts.of(armature))
    return ContactSpans().with_more(
        (item.bone, item.start / rate, item.end / rate) for item in items if item.end > item.start
    )


def goes_on(clip: Clip) -> tuple[bool, bool]:
    """Whether the action has more motion before and after the clip; a reference pose is none."""
    ends = action_io.key_ends(clip.armature)
    assert ends is not None  # what was read has keys
    first = scope.frame_range(bpy.context, clip.armature, "ACTION")[0] or ends[0]
    return bool(clip.frames[0] > first + 0.5), bool(clip.frames[-1] < ends[1] - 0.5)


def list_held(clip: Clip, contacts: ContactSpans) -> None:
    """List contacts that were found and held, so that they count again; not those of a mere part of an action."""
    known = scope.own_action(clip.armature).motion_editing_contacts.is_known(clip.armature)
    if not known and contacts.joints and not any(goes_on(clip)):
        save_contacts(clip.armature, contacts, clip.motion.rate)


def save_contacts(armature: Object, spans: ContactSpans, rate: float) -> int:
    """List the contacts with the armature's action; gives how many there are."""
    settings = scope.own_action(armature).motion_editing_contacts
    settings.clear(armature)
    settings.mark_known(armature)
    found = sorted((span, joint) for joint in spans.joints for span in spans.of(joint))
    active = settings.active
    for (start, end), joint in found:
        settings.new(armature, joint, start * rate, end * rate)
    settings.active = min(active, max(len(settings.spans) - 1, 0))
    return len(found)

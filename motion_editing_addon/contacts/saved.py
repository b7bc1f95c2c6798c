"""Contacts between the list in Blender and core."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.contacts import ContactSpans, detect_contacts
from .. import scope
from ..character.saved import body_of

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Object

    from ..action_io import Clip


def contacts_of(clip: Clip, positions: np.ndarray | None = None) -> ContactSpans:
    """The contacts saved with the clip's action, or those found in its motion."""
    settings = scope.action_of(clip.armature).motion_editing_contacts
    if not settings.known:
        return detect_contacts(clip.motion, body_of(clip.armature, clip, positions), positions=positions)
    spans, rate = ContactSpans(), clip.motion.rate
    for item in settings.spans:
        if item.bone in clip.motion.skeleton.index and item.end > item.start:
            spans = spans.add(item.bone, item.start / rate, item.end / rate)
    return spans


def save_contacts(armature: Object, spans: ContactSpans, rate: float) -> int:
    """List the contacts with the armature's action; gives how many there are."""
    settings = scope.action_of(armature).motion_editing_contacts
    settings.spans.clear()
    found = sorted((span, joint) for joint in spans.joints for span in spans.of(joint))
    for (start, end), joint in found:
        item = settings.spans.add()
        item.bone, item.start, item.end = joint, start * rate, end * rate
    settings.known = True
    settings.active = min(settings.active, max(len(found) - 1, 0))
    return len(found)

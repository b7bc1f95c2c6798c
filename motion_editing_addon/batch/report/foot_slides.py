"""How far planted feet slide before and after edits, in the same contacts wherever these are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ....core.analysis.contacts import ContactSpans, detect_contacts
from ....core.errors import MotionEditError
from ...border.armature import why_sampled
from ...document.character.joint_positions import positions_of
from ...document.contacts.foot_slide import slide_of
from ...document.contacts.saved_contacts import listed_contacts

if TYPE_CHECKING:
    from ....core.analysis import SameMoments
    from ....core.body import Body
    from ...border.action_io import Clip


def largest_slides(
    before: Clip, after: Clip, bodies: tuple[Body, Body], timing: SameMoments
) -> tuple[float | None, float | None]:
    """How far a planted foot slides at most, in units, before and after; None where feet or the pose are not known."""
    found = _found(before, bodies[0])
    # Found anew after an edit they would be other ones: a foot that slides far is no contact any more.
    same = _same(found, after, timing) if found is not None and before.armature == after.armature else None
    first, second = same or (found, _found(after, bodies[1], listed=listed_contacts(after)))
    return _largest(before, first, bodies[0]), _largest(after, second, bodies[1])


def _found(clip: Clip, body: Body, *, listed: ContactSpans | None = None) -> ContactSpans | None:
    """The contacts that are listed, else those of the motion; None where that would not be as it is seen."""
    if why_sampled(clip.armature) or not body.feet:
        return None
    if listed is not None:
        return listed
    try:
        return detect_contacts(clip.motion, body, positions=positions_of(bpy.context, clip))
    except MotionEditError:
        return None


def _same(found: ContactSpans, after: Clip, timing: SameMoments) -> tuple[ContactSpans, ContactSpans] | None:
    """The contacts before and after: those listed with the action, or those found before at their present times."""
    if timing.known and not timing.changed:
        chosen = listed_contacts(after) or found
        return chosen, chosen
    if not timing.known or timing.estimated or np.any(np.diff(timing.before) < 0.0):
        return None
    now: dict[str, Any] = {
        joint: [tuple(np.interp(span, timing.before, timing.now).tolist()) for span in found.of(joint)]
        for joint in found.joints
    }
    return found, ContactSpans(now)


def _largest(clip: Clip, contacts: ContactSpans | None, body: Body) -> float | None:
    return None if contacts is None else slide_of(clip.armature, clip.motion, contacts, body) or 0.0

"""What an edit keeps of a figure: contacts, the floor, and the way that knees and elbows bend."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..analysis.contacts import ContactSpans
from ..solve.contact_lock import hold_contacts
from ..solve.whole_body import Ground, with_hinges_kept
from .standing_feet import standing_still

if TYPE_CHECKING:
    from ..motion import Mask, Motion
    from .take import Take


def kept(take: Take, after: Motion, contacts: ContactSpans, *, floor: bool) -> Motion:
    """An edit of a take with feet and hands where they were while in contact, and nothing below the floor."""
    if floor:
        after = with_hinges_kept(take.motion, after, take.body)
    fixed = _ends(take)
    held, _report = hold_contacts(
        take.motion,
        after,
        take.body,
        contacts,
        above_floor=floor,
        joints=take.joints,
        cyclic=take.is_cyclic,
        fixed=fixed if fixed.any() else None,
    )
    return held


def kept_anew(take: Take, after: Motion, span: tuple[int, int], *, contacts: bool, floor: bool) -> Motion:
    """An edit with contacts of its own: feet stand still where it puts them, within a span of its frames.

    Args:
        take: What was edited.
        after: The edit; it may have other frames.
        span: First and last frame that may change.
        contacts: Let feet and hands stand still.
        floor: Let nothing end below the floor, or lower than it was in the same frame.
    """
    if floor:
        after = with_hinges_kept(take.motion, after, take.body)
    ground = _ground(take, after) if floor else None
    if contacts:
        return standing_still(after, take.body, first=span[0], last=span[1], ground=ground)
    if ground is None:
        return after
    fixed = np.ones(len(after), dtype=np.bool_)
    fixed[span[0] : span[1] + 1] = False
    held, _report = hold_contacts(
        after, after, take.body, ContactSpans(), above_floor=True, joints=take.joints, fixed=fixed, ground=ground
    )
    return held


def _ground(take: Take, after: Motion) -> Ground | None:
    """The ground under a take, for the frames of an edit."""
    if len(after) == len(take.motion):
        return Ground.under(take.motion.poses, take.body)
    return Ground.level(take.motion, take.body, len(after))


def _ends(take: Take) -> Mask:
    """(F,) the first and last frame, as far as they must not change."""
    fixed = np.zeros(len(take.motion), dtype=np.bool_)
    if len(fixed):
        fixed[0], fixed[-1] = take.ends_stay
    return fixed

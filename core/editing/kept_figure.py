"""What an edit keeps of a figure: contacts, the floor, and the way that knees and elbows bend."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..analysis.contacts import ContactSpans
from ..solve.contact_lock import hold_contacts
from ..solve.whole_body import Ground, with_hinges_kept
from .standing_feet import standing_still

if TYPE_CHECKING:
    from ..body import Body
    from ..motion import Mask, Motion
    from .take import Take


def kept(take: Take, after: Motion, contacts: ContactSpans, *, floor: bool) -> Motion:
    """An edit of a take with feet and hands where they were while in contact, and nothing below the floor."""
    shown, seen, fixed = take.shown, take.seen(after), _ends(take)
    first, last = take.looked_at
    is_all = (first, last) == (0, len(seen))
    before, edit = (each if is_all else each.part(first, last) for each in (shown.motion, seen))
    held, _report = hold_contacts(
        before,
        with_hinges_kept(before, edit, shown.body) if floor else edit,
        shown.body,
        contacts,
        above_floor=floor,
        joints=shown.joints,
        cyclic=take.is_cyclic and is_all,
        fixed=fixed[first:last] if fixed[first:last].any() else None,
    )
    if held is edit:
        return after
    return take.laid(after, held if is_all else _with_part(seen, held, first))


def _with_part(motion: Motion, part: Motion, first: int) -> Motion:
    """A motion with other frames from one on."""
    rotations, locations = np.array(motion.rotations), np.array(motion.locations)
    rotations[first : first + len(part)], locations[first : first + len(part)] = part.rotations, part.locations
    return motion.with_rotations(rotations).with_locations(locations)


def kept_anew(take: Take, after: Motion, span: tuple[int, int], *, contacts: bool, floor: bool) -> Motion:
    """An edit with contacts of its own: feet stand still where it puts them, within a span of its frames.

    Args:
        take: What was edited.
        after: The edit; it may have other frames.
        span: First and last frame that may change.
        contacts: Let feet and hands stand still.
        floor: Let nothing end below the floor, or lower than it was in the same frame.
    """
    shown, seen = take.shown, take.seen(after)
    held = with_hinges_kept(shown.motion, seen, shown.body) if floor else seen
    ground = ground_under(shown.motion, shown.body, len(held)) if floor else None
    if contacts:
        held = standing_still(held, shown.body, first=span[0], last=span[1], ground=ground)
    elif ground is not None:
        held = _above(ground, held, shown, span)
    return after if held is seen else take.laid(after, held)


def _above(ground: Ground, after: Motion, shown: Take, span: tuple[int, int]) -> Motion:
    """An edit with nothing below the ground within a span of its frames."""
    fixed = np.ones(len(after), dtype=np.bool_)
    fixed[span[0] : span[1] + 1] = False
    held, _report = hold_contacts(
        after, after, shown.body, ContactSpans(), above_floor=True, joints=shown.joints, fixed=fixed, ground=ground
    )
    return held


def ground_under(before: Motion, body: Body, frames: int) -> Ground | None:
    """The ground under a motion, for so many frames of an edit; level where these are others."""
    if frames == len(before):
        return Ground.under(before.poses, body)
    return Ground.level(before, body, frames)


def _ends(take: Take) -> Mask:
    """(F,) the first and last frame, as far as they must not change."""
    fixed = np.zeros(len(take.motion), dtype=np.bool_)
    if len(fixed):
        fixed[0], fixed[-1] = take.ends_stay
    return fixed

"""Feet that an edit lets slide, made to stand still where the edit puts them."""

from dataclasses import replace

import numpy as np

from ..analysis.contacts import ContactSpans, detect_contacts
from ..body import Body
from ..motion import Motion
from ..numerics import quaternion
from ..solve.contact_lock import lock_feet
from ..solve.whole_body import Ground


def standing_still(
    motion: Motion, body: Body, *, first: int = 0, last: int | None = None, ground: Ground | None = None
) -> Motion:
    """Hold feet and hands still for as long as they are in contact.

    Each stands where it is most of the time. One that is in contact at the first or last frame that may change
    stands where it is there, so that nothing before or after has to change. Feet of a figure that walks on the
    spot stand on ground that moves.

    Args:
        motion: An edit, whose contacts are found anew.
        body: Its limbs, root, up axis and height are used.
        first: First frame that may change.
        last: Last frame that may change; the motion's last if not given.
        ground: What nothing goes below; that of the motion itself if not given.
    """
    end = len(motion) - 1 if last is None else last
    contacts = contacts_within(motion, body, first, end)
    part = motion.part(first, end + 1)
    below = None if ground is None else ground.at(slice(first, end + 1))
    locked, _report = lock_feet(part, body, contacts, ends_stay=(first > 0, end < len(motion) - 1), ground=below)
    return locked if len(part) == len(motion) else _with_part(motion, locked, first)


def contacts_within(motion: Motion, body: Body, first: int, last: int) -> ContactSpans:
    """The contacts found in a motion, cut at two frames."""
    return detect_contacts(motion, body).between(*motion.times[[first, last]])


def joined_contacts(contacts: ContactSpans, motion: Motion, body: Body, *, first: int) -> ContactSpans:
    """The contacts of a motion up to a frame, and those found in it from there on."""
    found = contacts_within(motion, body, first, len(motion) - 1)
    kept = contacts.between(*motion.times[[0, first]])
    for name in found.joints:
        for start, end in found.of(name):
            kept = kept.add(name, start, end)
    return kept


def _with_part(motion: Motion, part: Motion, first: int) -> Motion:
    """The motion with some frames exchanged, all others bit for bit as they were."""
    rows = slice(first, first + len(part))
    rotations, locations = (np.array(each.T).T for each in (motion.rotations, motion.locations))
    rotations[rows], locations[rows] = part.rotations, part.locations
    return replace(motion, rotations=quaternion.sign_continuous(rotations), locations=locations)

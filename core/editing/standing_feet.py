"""Feet that an edit lets slide, made to stand still where the edit puts them."""

from dataclasses import replace

import numpy as np

from ..analysis.contacts import ContactSpans, detect_contacts
from ..body import Body
from ..motion import Indices, Motion
from ..numerics import runs
from ..solve.contact_lock import contacts_of_limb, hold_contacts, on_ground_that_stands

# Part of a frame by which contacts may miss a frame because of rounding.
_ROUNDING = 1e-3


def standing_still(motion: Motion, body: Body, *, first: int = 0, last: int | None = None) -> Motion:
    """Hold feet and hands still for as long as they are in contact.

    Each stands where it is in the middle of its contact. One that is in contact at the first or last
    frame stands where it is there, so that nothing before or after has to change. Feet of a figure that
    walks on the spot stand on ground that moves, and are left as they are.

    Args:
        motion: An edit, whose contacts are found anew.
        body: Its limbs, root, up axis and height are used.
        first: First frame that may change.
        last: Last frame that may change; the motion's last if not given.
    """
    end = len(motion) - 1 if last is None else last
    contacts = on_ground_that_stands(motion, contacts_within(motion, body, first, end), body)
    held = motion
    for limb in body.limbs:
        own = contacts_of_limb(limb, motion.skeleton, contacts)
        if own.joints:
            reference = _frozen(motion, _standing_frames(own, motion, first, end))
            held, _report = hold_contacts(reference, held, body, own, lowering=None)
    return held


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


def _standing_frames(contacts: ContactSpans, motion: Motion, first: int, last: int) -> Indices:
    """(F,) the frame whose pose counts during a contact; elsewhere the frame itself."""
    frames = np.arange(len(motion), dtype=np.intp)
    slack = _ROUNDING / motion.rate
    standing = np.zeros(len(motion), dtype=np.bool_)
    for name in contacts.joints:
        standing |= contacts.active(name, motion.times - slack) | contacts.active(name, motion.times + slack)
    for run in runs(standing):
        middle = (run.start + run.stop - 1) // 2
        frames[run] = run.start if run.start <= first else run.stop - 1 if run.stop > last else middle
    return frames


def _frozen(motion: Motion, frames: Indices) -> Motion:
    """The motion that shows in frame f what this one shows in frame `frames[f]`."""
    return replace(
        motion,
        rotations=motion.rotations[frames],
        locations=motion.locations[frames],
        scales=motion.scales[frames],
        scalars=motion.scalars[frames],
    )

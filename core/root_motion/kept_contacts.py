"""Contacts that stay still while the character is led elsewhere.

A foot on the ground is carried by one single move for as long as it stands, that of the middle of its
contact; the body moves on, and the leg is bent to reach.
"""

import numpy as np

from ..analysis.contacts import ContactSpans, detect_contacts
from ..body import Body
from ..motion import GroundMove, Indices, Motion
from ..numerics import runs
from ..solve.contact_lock import (
    HoldReport,
    MissedContact,
    contact_frames,
    contacts_of_limb,
    hold_contacts,
    largest_slide,
    on_ground_that_stands,
)

# The second round puts right what lowering the root for one leg did to the others.
_ROUNDS = (0.1, None)


def moved_with_contacts(
    motion: Motion, move: GroundMove, body: Body, *, contacts: ContactSpans | None = None
) -> tuple[Motion, HoldReport]:
    """Move a motion over the ground and keep feet and hands in contact still.

    A figure that walks on the spot has nothing that stands still; it is moved as it is.

    Args:
        motion: Of the body's skeleton.
        move: Where the character is carried.
        body: Its limbs, root, up axis and height are used.
        contacts: In the motion's times; found if not given.

    Returns:
        The motion, and what was reached.
    """
    spans = on_ground_that_stands(motion, detect_contacts(motion, body) if contacts is None else contacts, body)
    edited = held = move.applied(motion)
    missed: list[MissedContact] = []
    for lowering in _ROUNDS:
        missed = []
        for limb in body.limbs:
            own = contacts_of_limb(limb, motion.skeleton, spans)
            if own.joints:
                reference = move.frozen(_standing_frames(own, motion)).applied(motion)
                held, report = hold_contacts(reference, held, body, own, lowering=lowering)
                missed.extend(report.missed)
    return held, _report(motion, edited, held, spans, missed, body)


def _standing_frames(contacts: ContactSpans, motion: Motion) -> Indices:
    """(F,) the frame whose move counts: the middle of the contact, elsewhere the frame itself."""
    frames = np.arange(len(motion), dtype=np.intp)
    standing = np.zeros(len(motion), dtype=np.bool_)
    for name in contacts.joints:
        standing |= contact_frames(contacts, name, motion.times)
    for run in runs(standing):
        frames[run] = (run.start + run.stop - 1) // 2
    return frames


def _report(
    motion: Motion, edited: Motion, held: Motion, contacts: ContactSpans, missed: list[MissedContact], body: Body
) -> HoldReport:
    original, given, reached = (largest_slide(each, contacts, body=body) or 0.0 for each in (motion, edited, held))
    moves = np.linalg.norm(held.poses.positions - edited.poses.positions, axis=-1).max(axis=0)
    joint = int(np.argmax(moves))
    return HoldReport(
        slide_original=original,
        slide_edited=given,
        slide_held=reached,
        largest_move=float(moves[joint]),
        moved_joint=motion.skeleton.names[joint] if moves[joint] > 0.0 else "",
        missed=tuple(sorted(missed, key=lambda miss: -miss.distance)),
    )

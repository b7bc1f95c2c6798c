"""Contacts that stay where they are while the character is led elsewhere.

A foot on the ground is carried by one single move for as long as it stands, that of the middle of its
contact; the body moves on, and the leg is bent to reach.
"""

from dataclasses import replace

import numpy as np

from ..analysis.contacts import ContactSpans, detect_contacts
from ..body import Body
from ..motion import GlobalPoses, GroundMove, Indices, Motion
from ..numerics import runs
from ..solve.contact_lock import (
    HoldReport,
    contact_frames,
    contacts_of_limb,
    hold_contacts,
    largest_slide,
    on_ground_that_stands,
)


def moved_with_contacts(
    motion: Motion, move: GroundMove, body: Body, *, contacts: ContactSpans | None = None
) -> tuple[Motion, HoldReport]:
    """Move a motion over the ground and keep feet and hands in contact as they were.

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
    edited = move.applied(motion)
    places = _standing_places(motion, edited.poses, move, body, spans)
    held, report = hold_contacts(edited, edited, body, spans, places=places)
    return held, replace(report, slide_original=largest_slide(motion, spans, body=body) or 0.0)


def _standing_places(
    motion: Motion, edited: GlobalPoses, move: GroundMove, body: Body, contacts: ContactSpans
) -> GlobalPoses:
    """Poses of the edit with every limb in contact carried by one move for as long as it stands."""
    positions, rotations = (np.array(each.T).T for each in (edited.positions, edited.rotations))
    for limb in body.limbs:
        own, joints = contacts_of_limb(limb, motion.skeleton, contacts), list(limb.joints)
        if own.joints:
            stands = move.frozen(_standing_frames(own, motion)).applied(motion).poses
            positions[:, joints], rotations[:, joints] = stands.positions[:, joints], stands.rotations[:, joints]
    return replace(edited, positions=positions, rotations=rotations)


def _standing_frames(contacts: ContactSpans, motion: Motion) -> Indices:
    """(F,) the frame whose move counts: the middle of the contact, elsewhere the frame itself."""
    frames = np.arange(len(motion), dtype=np.intp)
    standing = np.zeros(len(motion), dtype=np.bool_)
    for name in contacts.joints:
        standing |= contact_frames(contacts, name, motion.times)
    for run in runs(standing):
        frames[run] = (run.start + run.stop - 1) // 2
    return frames

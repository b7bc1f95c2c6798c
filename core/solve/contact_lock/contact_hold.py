"""Contacts held through an edit: feet and hands stay where they were while they stand.

What an edit does to the body moves its feet and hands too. While a contact is active its limb is
bent so that the joint is where it was before the edit; beside the contact the correction fades
out, and everywhere else the edit is left as it is (staggered poses paper, section 3, Appendix B).
"""

from typing import Any

import numpy as np

from ...analysis.contacts import ContactSpans
from ...body import Body
from ...errors import SkeletonMismatchError
from ...motion import GlobalPoses, Mask, Motion, TimeMap
from ..smooth_path import Fading
from ..whole_body import Ground, Rounds, Settling, held_limbs, rounds_of
from .lock_report import HoldReport, report
from .windows import contact_frames

# Times the fade that the rounds beside a loop are seen: all of what comes and goes there.
_BESIDE = 6.0


def hold_contacts(
    before: Motion,
    after: Motion,
    body: Body,
    contacts: ContactSpans,
    *,
    time_map: TimeMap | None = None,
    fade: float = 0.1,
    giving: float = np.inf,
    softness: float = 0.01,
    above_floor: bool = False,
    joints: Any = None,
    cyclic: bool = False,
    like: Motion | None = None,
    places: GlobalPoses | None = None,
    fixed: Any = None,
    ground: Ground | None = None,
) -> tuple[Motion, HoldReport]:
    """Put feet and hands back to where they were before an edit, while they are in contact.

    A joint in contact follows its path in `before`, exactly, and so does the foot that it belongs to. Legs that
    stand are as bent as they were, as far as the root can give way for that. Frames beyond three times the fade,
    six of the root, and joints that are neither root nor part of a limb in contact are bit for bit those of
    `after`; so is everything when nothing in contact has moved. Where a control of its own places hand or foot
    (IK), the control is moved and turned instead of the limb.

    Args:
        before: Motion in which the contacts were found.
        after: The edit, of the same skeleton; its times may be others.
        body: Its limbs are used, and root, up axis and height where legs are held.
        contacts: In times of `before`.
        time_map: New to old time, where the edit has retimed the motion.
        fade: Seconds beside a contact in which most of the correction dies away. Raise it where limbs
            hurry into their contacts; lower it where it eats into quick steps.
        giving: Body heights by which the root may give way where legs would not reach or would bend; 0 leaves it to
            the edit.
        softness: Part of a limb's length over which it slows down before full extension, for
            contacts further away than it reaches. Raise it where knees pop.
        above_floor: Let nothing end lower than it was or than the floor.
        joints: (J,) those that may change for the floor's sake alone; all by default.
        cyclic: The motion plays round and round, also where its ends do not quite meet.
        like: Frame by frame what limbs are to be as bent as; as before if not given. If it is, contacts are planted:
            only joints in contact are right before the edit, and they stand still.
        places: Poses in which contacts are right, frame by frame those of the edit; as before if not given.
        fixed: (F,) frames that stay as the edit has them, but for contacts; none if not given.
        ground: The floor that nothing ends below; found under the motion before the edit if not given.

    Returns:
        The motion, and what was reached: contacts that are out of reach are approached as near as
        the limb can, and listed with what is missing.

    Raises:
        SkeletonMismatchError: The motions, the body or the contacts name different joints.
        MissingRoleError: Legs are held, but the body's root, up axis or height is not known.
    """
    check_joints(before, after, body, contacts)
    check_options(fade, giving, softness)
    old_times = after.times if time_map is None else time_map(after.times)
    index = after.skeleton.index
    active = {index[name]: contact_frames(contacts, name, old_times) for name in contacts.joints}
    if not above_floor and not any(frames.any() for frames in active.values()):
        return after, HoldReport()
    reference = before if np.array_equal(before.times, old_times) else before.at(old_times)
    allowed = np.ones(len(after.skeleton), dtype=np.bool_) if joints is None else np.asarray(joints)
    limbs = held_limbs(body, active, reference, idle=allowed if above_floor else None)
    rounds = rounds_of(reference, body, _BESIDE * fade, cyclic=cyclic)
    places = reference.poses if places is None else places
    known, edit = rounds.laid_out_poses(places), rounds.laid_out(after)
    frames = {joint: rounds.laid_out_frames(own) for joint, own in active.items()}
    if above_floor and (ground is None or rounds.laps.any()):
        ground = Ground.under(rounds.laid_out_poses(reference.poses), body, frames)
    bent = rounds.laid_out(reference if like is None else like)
    fading = Fading(edit.times, fade, _laid_out(rounds, fixed))
    settling = Settling(body, bent, fading, softness, ground if above_floor else None, giving, allowed)
    found = settling.held(edit, known, limbs, frames, planted=like is not None)
    held = after if found.motion is edit else rounds.motion_itself(found.motion, after)
    return held, report(reference, after, held, active, lowered_by=found.lowered(body), body=body, places=places)


def _laid_out(rounds: Rounds, fixed: Any) -> Mask | None:
    return None if fixed is None else np.asarray(fixed, dtype=np.bool_)[rounds.frames]


def check_joints(before: Motion, after: Motion, body: Body, contacts: ContactSpans) -> None:
    """Refuse motions, body and contacts that do not belong together."""
    names = after.skeleton.names
    if before.skeleton.names != names or body.skeleton.names != names:
        raise SkeletonMismatchError("The motion before the edit, the edit and the character set-up differ in bones")
    missing = sorted(set(contacts.joints) - set(names))
    if missing:
        raise SkeletonMismatchError(f"The skeleton has no bone '{missing[0]}'; find the contacts again")


def check_options(fade: float, giving: float, softness: float) -> None:
    """Refuse options out of their range."""
    if not fade >= 0.0 or not giving >= 0.0:
        raise ValueError("fade and giving must not be below zero")
    if not 0.0 <= softness < 1.0:
        raise ValueError("softness must be at least 0 and below 1")

"""The constraint displacement map: contacts held by limb IK while active, faded beside them.

What an edit does to the body moves its feet and hands too. While a contact is active its limb is
bent so that the joint is where it was before the edit; beside the contact the correction fades
out, and everywhere else the edit is left as it is (staggered poses paper, section 3, Appendix B).
"""

import numpy as np

from ...analysis.contacts import ContactSpans
from ...body import Body
from ...errors import SkeletonMismatchError
from ...motion import Motion, TimeMap
from .held_limb import held_limbs
from .hold_pose import hold_pose
from .limb_solution import solved
from .lock_report import HoldReport, report
from .root_drop import lowered, root_lowering
from .rounds import rounds_of
from .windows import Fade, contact_frames


def hold_contacts(
    before: Motion,
    after: Motion,
    body: Body,
    contacts: ContactSpans,
    *,
    time_map: TimeMap | None = None,
    fade: float = 0.1,
    longest_fade: float = 0.3,
    lowering: float | None = 0.1,
    softness: float = 0.01,
) -> tuple[Motion, HoldReport]:
    """Put feet and hands back to where they were before an edit, while they are in contact.

    A joint in contact follows its path in `before`, exactly. Of feet the orientation is held too
    as far as the sole needs it: ankle and toes in contact, the foot has its orientation from
    `before`; toes alone, they have theirs and the foot keeps what the edit made of it; an ankle
    alone likewise, unless none of its toes is listed. Frames beyond the fade, and joints that are
    neither root nor part of a limb in contact, are bit for bit those of `after`; so is everything
    when nothing in contact has moved. Where a control of its own places hand or foot (IK), the
    control is moved and turned instead of the limb. Doing it twice is doing it once.

    Args:
        before: Motion in which the contacts were found.
        after: The edit, of the same skeleton; its times may be others.
        body: Its limbs are used, and root, up axis and height where legs are held.
        contacts: In times of `before`.
        time_map: New to old time, where the edit has retimed the motion.
        fade: Seconds beside a contact over which the correction dies away. Raise it where limbs
            hurry into their contacts; lower it where it eats into quick steps.
        longest_fade: Seconds to which the fade grows where a limb has far to go, so that it does not
            dash there in a few frames; the fade itself or less leaves every fade as long as that.
        lowering: Body heights to which the root may go below its height in `before` where a leg
            would not reach; None leaves the root to the edit.
        softness: Part of a limb's length over which it slows down before full extension, for
            contacts further away than it reaches. Raise it where knees pop.

    Returns:
        The motion, and what was reached: contacts that are out of reach are approached as near as
        the limb can, and listed with what is missing.

    Raises:
        SkeletonMismatchError: The motions, the body or the contacts name different joints.
        MissingRoleError: Legs are held, but the body's root, up axis or height is not known.
    """
    check_joints(before, after, body, contacts)
    check_options(min(fade, longest_fade), lowering or 0.0, softness)
    old_times = after.times if time_map is None else time_map(after.times)
    index = after.skeleton.index
    active = {index[name]: contact_frames(contacts, name, old_times) for name in contacts.joints}
    if not any(frames.any() for frames in active.values()):
        return after, HoldReport()
    reference = before if np.array_equal(before.times, old_times) else before.at(old_times)
    limbs, fading = held_limbs(body, active, reference), Fade(fade, longest_fade)
    rounds = rounds_of(reference, body, max(fade, longest_fade))
    known, edit = rounds.laid_out_poses(reference.poses), rounds.laid_out(after)
    frames = {joint: rounds.laid_out_frames(own) for joint, own in active.items()}
    poses = [hold_pose(limb, known, edit, frames, fading) for limb in limbs]
    amounts = np.zeros(len(edit))
    if lowering is not None and any(pose.limb.is_leg and pose.limb.joints for pose in poses):
        amounts = root_lowering(poses, known, edit, body, fade=fade, limit=lowering, softness=softness)
    base = edit
    if amounts.any():
        base = lowered(edit, int(body.require("root")), amounts, body.require("up axis").vector)
    held = solved(poses, known, base, base, fading, softness)
    held = after if held is edit else rounds.motion_itself(held, after)
    return held, report(reference, after, held, active, lowered_by=float(amounts.max()), body=body)


def check_joints(before: Motion, after: Motion, body: Body, contacts: ContactSpans) -> None:
    """Refuse motions, body and contacts that do not belong together."""
    names = after.skeleton.names
    if before.skeleton.names != names or body.skeleton.names != names:
        raise SkeletonMismatchError("The motion before the edit, the edit and the character set-up differ in bones")
    missing = sorted(set(contacts.joints) - set(names))
    if missing:
        raise SkeletonMismatchError(f"The skeleton has no bone '{missing[0]}'; find the contacts again")


def check_options(fade: float, lowering: float, softness: float) -> None:
    """Refuse options out of their range."""
    if not fade >= 0.0 or not lowering >= 0.0:
        raise ValueError("fade, longest_fade and lowering must not be below zero")
    if not 0.0 <= softness < 1.0:
        raise ValueError("softness must be at least 0 and below 1")

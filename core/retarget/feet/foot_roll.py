"""Contacts of whole feet, shared between ankle and toes as the foot rolls over them."""

import numpy as np

from ...analysis.contacts import ContactSpans, detect_contacts
from ...body import Body, Limb
from ...motion import Motion
from ...numerics import Array, runs
from ...solve.contact_lock import Mask, contact_frames

# What the way of a joint that stands beside a stretch counts for: the foot changes over for a good reason only.
_GOES_ON = 0.5


def rolling_contacts(motion: Motion, body: Body, contacts: ContactSpans) -> ContactSpans:
    """Contacts in which ankle and toes stand one after the other while the whole foot is marked as down.

    People mark when a foot is down. Held so at the ankle its heel could not rise, held so at the toes they would
    be on the floor before they come down. What stands when is found in the motion; where nothing is found,
    the slower joint stands. Together the joints stand exactly in the frames that are marked.

    Args:
        motion: Motion whose contacts were marked.
        body: Its up axis and height are needed.
        contacts: Of ankles or toes, or of both; those of other joints stay as they are.

    Raises:
        MissingRoleError: The up axis or the height is not known.
    """
    for limb in body.legs:
        joints = [] if limb.end is None else [limb.end, *(digit[0] for digit in limb.digits)]
        names = [motion.skeleton.names[joint] for joint in joints]
        if len(joints) > 1 and any(contacts.of(name) for name in names):
            for name, stands in zip(names, _shared(motion, body, contacts, limb, joints), strict=True):
                contacts = contacts.with_spans(name, _spans(stands, motion.times))
    return contacts


def _shared(motion: Motion, body: Body, contacts: ContactSpans, limb: Limb, joints: list[int]) -> list[Mask]:
    """For ankle and toes, (F,) frames in which each stands."""
    names = [motion.skeleton.names[joint] for joint in joints]
    marked = np.any([contact_frames(contacts, name, motion.times) for name in names], axis=0)
    found = detect_contacts(motion, body, joints=joints)
    stands = [contact_frames(found, name, motion.times) & marked for name in names]
    places = motion.poses.positions[:, joints]
    for run in runs(marked & ~np.any(stands, axis=0)):
        stands[_standing(run, stands, places)][run] = True
    for number, each in enumerate(stands):
        stands[number] = _of_two_frames(each, marked)
    return stands


def _standing(run: slice, stands: list[Mask], places: Array) -> int:
    """Which of the joints stands in a stretch in which none was found to: the one that makes the shortest way."""
    around = slice(max(run.start - 1, 0), run.stop + 1)
    ways = np.linalg.norm(np.diff(places[around], axis=0), axis=2).sum(axis=0)
    beside = np.array([each[around].any() for each in stands])
    return int(np.argmin(np.where(beside, _GOES_ON, 1.0) * ways))


def _of_two_frames(stands: Mask, marked: Mask) -> Mask:
    """Single frames joined by a marked neighbour, since a contact has to last."""
    longer = stands.copy()
    for run in runs(stands):
        if run.stop - run.start == 1:
            beside = [frame for frame in (run.stop, run.start - 1) if 0 <= frame < len(marked) and marked[frame]]
            longer[beside[:1]] = True
    return longer


def _spans(stands: Mask, times: Array) -> list[tuple[float, float]]:
    return [(float(times[run.start]), float(times[run.stop - 1])) for run in runs(stands) if run.stop - run.start > 1]

"""Foot lock: contacts that slide are made to stand still, each at one place.

Nothing but the motion itself is needed: where a foot stands is told from where it is during its contact.
Legs are bent to it by limb IK, the correction fades out beside the contact, and the root goes down a little
where a leg is too short for the place. Where the whole character shakes, the root takes the shaking out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from ...analysis.contacts import ContactSpans, on_still_ground
from ...body import Body
from ...motion import GlobalPoses, Motion
from ...numerics import Array
from ..smooth_path import Fading
from ..whole_body import Ground, HeldLimb, LimbGoal, Rounds, Settling, goal_of, held_limbs, rounds_of
from .contact_hold import check_joints, check_options
from .lock_report import HELD, MissedContact, height_of, largest_move
from .slide_measure import foot_slide, ground_under
from .stances import Stillness, lying_frames, standing_poses
from .windows import Mask, contact_frames, frames_of

# Times the fade that large corrections may take.
_LONGEST = 3.0
# Times the fade from its ends in which a loop shows that it is one.
_BESIDE = 6.0
# Length of a foot in body heights, roughly: how far a turn moves its toes.
_FOOT = 0.1


@dataclass(frozen=True)
class LockReport:
    """What locking feet did, in units of the scene.

    Attributes:
        contacts: How many contacts the motion has.
        slide_before: Largest way that a joint gets from where its contact begins.
        slide_after: The same when locked.
        largest_move: Distance by which the joint that moved most was moved.
        moved_joint: Its name; empty if nothing moved.
        root_lowered: Most that the root was lowered by.
        missed: Contacts that could not be locked, worst first.
    """

    contacts: int = 0
    slide_before: float = 0.0
    slide_after: float = 0.0
    largest_move: float = 0.0
    moved_joint: str = ""
    root_lowered: float = 0.0
    missed: tuple[MissedContact, ...] = ()


def lock_feet(
    motion: Motion,
    body: Body,
    contacts: ContactSpans,
    *,
    fade: float = 0.1,
    giving: float = 0.1,
    softness: float = 0.01,
    still: float = 1e-5,
    ends_stay: tuple[bool, bool] = (False, False),
    ground: Ground | None = None,
) -> tuple[Motion, LockReport]:
    """Let feet, and whatever else is in contact, stand still at one place for each contact.

    The place is where the joint is most of the time while in contact, nearer to the body where a leg would not
    reach it; those of ankle and toes of one foot fit together, so that it rolls over its toes without a slide or
    a step. While both stand the foot has one
    orientation, and so have toes while they stand. Frames beyond the fade, and joints that are neither root
    nor part of a limb in contact, stay bit for bit. So does everything when it is done a second time. Feet of a
    figure that walks on the spot stand on the ground that moves along under it, all at one speed.

    Args:
        body: Its limbs are used, and root, up axis and height where legs are in contact.
        contacts: When which joints stand.
        fade: Seconds beside a contact over which its correction dies away; up to three times as long where a
            limb has far to go and where the root goes down. Raise it where feet hurry.
        giving: Body heights by which the root may give way where legs would not reach or would bend; 0 leaves it alone,
            with all its shaking.
        softness: Part of a leg's length before full extension at which the root begins to go down, unless
            the leg was as straight before. Raise it where knees snap.
        still: Body heights within which a foot counts as standing still and is left as it is. The default
            is above what keys in single precision miss.
        ends_stay: The first, the last frame keep their poses since other motion joins on; a foot in contact
            there stands at the place that it has there.
        ground: What nothing goes below; that of the motion itself if not given.

    Returns:
        The motion and what was reached.

    Raises:
        SkeletonMismatchError: The motion, the body or the contacts name different joints.
        MissingRoleError: Legs are in contact, but the body's root, up axis or height is not known.
    """
    check_joints(motion, motion, body, contacts)
    check_options(fade, giving, softness)
    if not still >= 0.0:
        raise ValueError("still must not be below zero")
    index = motion.skeleton.index
    active = {index[name]: contact_frames(contacts, name, motion.times) for name in contacts.joints}
    floor = Ground.under(motion.poses, body, active) if ground is None else ground
    rounds = Rounds.none(len(motion)) if any(ends_stay) else rounds_of(motion, body, _BESIDE * fade, whole=True)
    laid = rounds.laid_out(motion)
    frames = {joint: rounds.laid_out_frames(own) for joint, own in active.items()}
    fixed = np.zeros(len(laid), dtype=np.bool_)
    fixed[_anchors(ends_stay, len(laid))] = True
    settling = Settling(
        body, laid, Fading(laid.times, fade, fixed), softness, floor and floor.at(rounds.frames), giving
    )
    moving = ground_under(motion, contacts, body)
    goals = _goals(settling, frames, moving, still, ends_stay)
    found = settling.settled(laid, goals, calming=True)
    locked = motion if found.motion is laid else rounds.motion_itself(found.motion, motion)
    # What is left as it is since it stands still is not missed; it may be as far to one side as to the other.
    slack = max(HELD, 2.0 * still)
    return locked, _report(motion, locked, contacts, lowered_by=found.lowered(body), body=body, slack=slack)


def _goals(
    settling: Settling, active: Mapping[int, Mask], moving: Array, still: float, ends_stay: tuple[bool, bool]
) -> list[LimbGoal]:
    """What the limbs in contact hold: one place for each of their contacts, on ground that moves at a velocity (3,)."""
    motion, body, fade = settling.before, settling.body, settling.fade
    limbs = held_limbs(body, active, motion)
    held = _with_ends_kept(limbs, active, ends_stay, motion.times, _LONGEST * fade.seconds)
    wanted = standing_poses(
        _seen_from(motion.poses, motion.times, moving),
        limbs,
        held,
        still=Stillness(still * height_of(body), still / _FOOT),
        up=None if body.up is None else body.up.vector,
        softness=settling.softness,
        anchors=_anchors(ends_stay, len(motion)),
        ground=settling.ground,
    )
    wanted = _seen_from(wanted, motion.times, -moving)
    return [_goal(limb, wanted, motion, held, fade) for limb in limbs]


def _seen_from(poses: GlobalPoses, times: Array, ground: Array) -> GlobalPoses:
    """Poses as seen from a ground that moves at a velocity (3,), in units a second."""
    return replace(poses, positions=on_still_ground(poses.positions, times, ground)) if ground.any() else poses


def _goal(limb: HeldLimb, wanted: GlobalPoses, motion: Motion, active: Mapping[int, Mask], fade: Fading) -> LimbGoal:
    """What the contacts of a limb want; toes go on turning with the foot, which is turned too little to dip them."""
    goal = goal_of(limb, wanted, motion, active, fade, flat=lying_frames(limb, active))
    return replace(goal, digit_turns={})


def _with_ends_kept(
    limbs: list[HeldLimb], active: Mapping[int, Mask], ends_stay: tuple[bool, bool], times: Array, fade: float
) -> Mapping[int, Mask]:
    """Frames in contact, with those ends that are to be kept: there limbs are held as they are.

    Held so, an end lets the corrections beside it die away before they reach it. A stance from end to end
    cannot stand at both of its places: beside them it is left out, so that it fades from one to the other.
    """
    kept = {joint: frames.copy() for joint, frames in active.items()}
    inner = _away_from_ends(times, ends_stay, fade) == 1.0
    for limb in limbs:
        joints = [joint for joint in (limb.end, *limb.digits) if joint in kept]
        whole = all(ends_stay) and np.any([active[joint] for joint in joints], axis=0).all()
        for joint in joints:
            kept[joint] &= inner | (not whole)
            kept[joint][_anchors(ends_stay, len(times))] = True
    return kept


def _anchors(ends_stay: tuple[bool, bool], frames: int) -> list[int]:
    """First and last frame, as far as they are to be kept."""
    return [end for end, stays in zip((0, frames - 1), ends_stay, strict=True) if stays]


def _away_from_ends(times: Array, ends_stay: tuple[bool, bool], fade: float) -> Array:
    """(F,) from 0 at an end to be kept to 1 at the fade's length from it, level at both."""
    ways = [np.abs(times - times[end]) for end, stays in zip((0, -1), ends_stay, strict=True) if stays]
    share = np.min([np.ones(len(times)), *(np.clip(way / max(fade, 1e-9), 0.0, 1.0) for way in ways)], axis=0)
    weights: Array = share * share * (3.0 - 2.0 * share)
    return weights


def _report(
    motion: Motion, locked: Motion, contacts: ContactSpans, *, lowered_by: float, body: Body, slack: float
) -> LockReport:
    """What was reached; contacts that slide by less than some slack, in body heights, are held."""
    before, after = (foot_slide(each, contacts, body=body) for each in (motion, locked))
    move, joint = largest_move(motion, locked)
    missed = [
        MissedContact(name, *span, slide)
        for name, slides in after.items()
        for span, slide in zip(contacts.of(name), slides, strict=True)
        if slide > slack * height_of(body)
    ]
    spans = [frames_of(span, motion.times) for name in contacts.joints for span in contacts.of(name)]
    return LockReport(
        sum(frames.stop > frames.start for frames in spans),
        max(chain.from_iterable(before.values()), default=0.0),
        max(chain.from_iterable(after.values()), default=0.0),
        move,
        joint,
        lowered_by,
        tuple(sorted(missed, key=lambda miss: -miss.distance)),
    )

"""Feet that an edit lets slide, made to stand still where the edit puts them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.analysis.contacts import ContactSpans, detect_contacts
from ...core.body import Body, Limb
from ...core.errors import MotionEditError
from ...core.motion import Motion
from ...core.numerics import runs
from ...core.solve.contact_lock import hold_contacts, on_ground_that_stands
from ..border.lengths import length_text
from ..document import scope
from ..document.take.clip_facts import ClipFacts

if TYPE_CHECKING:
    from bpy.types import Object

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
        own = _contacts_of(limb, motion, contacts)
        if own.joints:
            reference = _frozen(motion, _standing_frames(own, motion, first, end))
            held, _report = hold_contacts(reference, held, body, own, lowering=None)
    return held


def slide_text(armature: Object, *, first: float = -np.inf, last: float = np.inf, where: str = "") -> str:
    """A remark about the foot slide of what an armature plays now, between two action frames; empty without feet.

    Args:
        armature: Who plays it.
        first: Contacts are cut here.
        last: And here.
        where: Names what is between the two frames.
    """
    facts = ClipFacts(scope.read_clip(bpy.context, armature))
    rate = facts.clip.motion.rate
    try:
        facts.contacts = cut_contacts(facts.contacts, first / rate, last / rate)
    except MotionEditError:
        return ""
    slide, is_slow = facts.shown_slide()
    if is_slow:
        return "; foot slide not measured, because playing this control rig takes long"
    return "" if slide is None else f"; foot slide {length_text(slide)}{where}"


def contacts_within(motion: Motion, body: Body, first: int, last: int) -> ContactSpans:
    """The contacts found in a motion, cut at two frames."""
    return cut_contacts(detect_contacts(motion, body), *motion.times[[first, last]])


def cut_contacts(contacts: ContactSpans, start: float, end: float) -> ContactSpans:
    """What of the contacts lies between two times, in seconds."""
    cut = {
        joint: tuple((max(a, start), min(b, end)) for a, b in contacts.of(joint) if min(b, end) > max(a, start))
        for joint in contacts.joints
    }
    return ContactSpans({joint: spans for joint, spans in cut.items() if spans})


def _contacts_of(limb: Limb, motion: Motion, contacts: ContactSpans) -> ContactSpans:
    names = {motion.skeleton.names[joint] for joint in limb.joints}
    return ContactSpans({name: contacts.of(name) for name in contacts.joints if name in names})


def _standing_frames(contacts: ContactSpans, motion: Motion, first: int, last: int) -> np.ndarray:
    """(F,) the frame whose pose counts during a contact; elsewhere the frame itself."""
    frames = np.arange(len(motion))
    slack = _ROUNDING / motion.rate
    standing = np.zeros(len(motion), dtype=np.bool_)
    for name in contacts.joints:
        standing |= contacts.active(name, motion.times - slack) | contacts.active(name, motion.times + slack)
    for run in runs(standing):
        middle = (run.start + run.stop - 1) // 2
        frames[run] = run.start if run.start <= first else run.stop - 1 if run.stop > last else middle
    return frames


def _frozen(motion: Motion, frames: np.ndarray) -> Motion:
    """The motion that shows in frame f what this one shows in frame `frames[f]`."""
    return replace(
        motion,
        rotations=motion.rotations[frames],
        locations=motion.locations[frames],
        scales=motion.scales[frames],
        scalars=motion.scalars[frames],
    )

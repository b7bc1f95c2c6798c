"""Feet and hands that stand: solving holds them now and then, limb IK at every frame.

A smooth change that held a walking foot at every frame could hardly move the legs at all: hips would stay, and the
back would have to bend. So the solve holds what stands once for each of its controls, and a last pass by limb IK
does the rest.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.errors import MotionEditError
from ....core.solve.spacetime import NoSkid, Position, keep
from ....core.solve.whole_body import solvable
from ..figure_clip import bone_in
from ..kinds import KINDS
from .muted_channels import muted_turns
from .seen import facts_of

if TYPE_CHECKING:
    from bpy.types import PropertyGroup

    from ....core.body import Body
    from ....core.motion import Motion
    from ...border.action_io import Clip
    from ...document.take.clip_take import ClipTake
    from .together import Member


def known_body(facts: ClipTake) -> Body | None:
    """The character's parts; None where they are not known, or are known only after sampling a control rig."""
    if facts.is_sampled and not facts.is_shown:
        return None
    try:
        return facts.shown.body
    except MotionEditError:
        return None


def has_feet(clip: Clip) -> bool:
    """Whether a character's own channels move feet whose contacts can be held."""
    body = known_body(facts_of(clip))
    return body is not None and bool(body.feet)


def standing_items(member: Member, body: Body | None) -> set[int]:
    """Numbers of the constraints in a character's list that limb IK can hold at every frame.

    A limb of which something else is asked too, but to be above a plane, is left to the solve alone.
    """
    found: set[int] = set()
    armature, skeleton = member.clip.armature, member.motion.skeleton
    items = [
        (number, item, bone_in(member.clip, item.bone))
        for number, item in enumerate(member.items)
        if item.enabled and item.belongs_to(armature)
    ]
    for limb in () if body is None else body.limbs:
        names = {skeleton.names[joint] for joint in limb.joints}
        about = [each for each in items if each[2] in names and not KINDS[each[1].kind].lets_stand]
        if limb.end is None or not solvable(skeleton, limb) or muted_turns(member.clip, limb.chain):
            continue
        ends = {skeleton.names[joint] for joint in (limb.end, *(each for digit in limb.digits for each in digit))}
        if all(_stands(item) and bone in ends for _, item, bone in about):
            found |= {number for number, *_ in about}
    return found


def held_now_and_then(
    constraint: Position | NoSkid, motion: Motion, *, every: float, moments: np.ndarray
) -> Position | NoSkid:
    """What stands for a constraint that limb IK closes.

    Args:
        constraint: Over its span.
        motion: Of its character, before the edit.
        every: Frames from one to the next at which it is held; so are its first and its last one.
        moments: (N,) rows at which it is held besides, since something else has to hold there exactly.
    """
    first, last = int(constraint.at[0]), int(constraint.at[-1])
    evenly = np.rint(np.linspace(first, last, ceil((last - first) / every) + 1)).astype(np.intp)
    rows = np.union1d(evenly, moments[(moments >= first) & (moments <= last)])
    own: dict[str, Any] = {"name": constraint.name, "character": constraint.character}
    if isinstance(constraint, NoSkid):
        # Limb IK lets it stand where it is most of the time: the middle tells more than the ends.
        return NoSkid(frames=np.union1d(rows, (first + last + 1) // 2), joint=constraint.joint, **own)
    return keep(motion, constraint.joint, rows, **own)


def _stands(item: PropertyGroup) -> bool:
    return KINDS[item.kind].stands and item.end > item.start and not item.tail and not item.softness

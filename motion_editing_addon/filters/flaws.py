"""Flaws between the list in Blender and core: found and listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core.analysis.contacts import ContactSpans
from ...core.analysis.flaws import Flaw, FlawKind, find_spikes
from ...core.cleaning import find_below_floor, find_held, find_jumps
from ...core.errors import DamagedDataError, MotionEditError
from ...core.numerics import EULER_ORDERS
from ..border.action_io.samples import rotation_mode_of
from ..border.translation import counted_text, report_text
from ..document import scope

if TYPE_CHECKING:
    from bpy.types import Object

    from ..border.action_io import Clip
    from ..document.take.clip_take import ClipTake
    from .flaw_settings import MOTIONEDIT_PG_flaw, MOTIONEDIT_PG_flaws

# What people call them, one and several.
WORDS = {
    FlawKind.SPIKE: ("spike", "spikes"),
    FlawKind.HELD: ("gap", "gaps"),
    FlawKind.MISSING: ("gap", "gaps"),
    FlawKind.JUMP: ("flip", "flips"),
    FlawKind.BELOW_FLOOR: ("below floor", "below the floor"),
}
# A list that nobody would go through is of no use, and costs at every redraw.
_MOST = 2000


@dataclass(frozen=True)
class Search:
    """What to look for.

    Attributes:
        kinds: Which flaws.
        threshold: How many usual steps a spike is off.
        longest: Frames that a spike may last.
        tolerance: Body heights by which feet may be below the level on which they stand.
    """

    kinds: frozenset[FlawKind]
    threshold: float = 6.0
    longest: int = 3
    tolerance: float = 0.02


def find(facts: ClipTake, joints: np.ndarray, search: Search) -> list[Flaw]:
    """Flaws of the joints (J,), in order of time."""
    motion = facts.clip.motion
    found: list[Flaw] = []
    if FlawKind.SPIKE in search.kinds:
        found += find_spikes(motion, longest=search.longest, threshold=search.threshold, joints=joints)
    if FlawKind.HELD in search.kinds:
        found += find_held(motion, joints=joints, contacts=_standing(facts))
    if FlawKind.JUMP in search.kinds:
        found += _jumps(facts.clip, joints)
    if FlawKind.BELOW_FLOOR in search.kinds and can_find_floor(facts):
        names = {name for name, chosen in zip(motion.skeleton.names, joints, strict=True) if chosen}
        low = find_below_floor(motion, facts.body, tolerance=search.tolerance)
        found += [flaw for flaw in low if flaw.joint in names]
    return sorted(found, key=lambda flaw: (flaw.first, flaw.joint))


def _standing(facts: ClipTake) -> ContactSpans | None:
    """When feet and all joints of their toes stand; None where that is not known."""
    if facts.is_sampled:
        return None
    try:
        contacts = facts.contacts
    except MotionEditError:
        return None
    names = facts.body.skeleton.names
    toes = {names[toe]: names[digit[0]] for digit in facts.body.toes for toe in digit[1:]}
    return ContactSpans({**contacts.spans, **{toe: contacts.of(first) for toe, first in toes.items()}})


def can_find_floor(facts: ClipTake) -> bool:
    """Whether feet can be compared with the floor: they are known, and stand where the channels put them."""
    return not facts.is_sampled and bool(facts.body.legs) and facts.body.up is not None and bool(facts.body.height)


def _jumps(clip: Clip, joints: np.ndarray) -> list[Flaw]:
    """Flips of the channels; of bones whose rotation is keyed in all of them."""
    found: list[Flaw] = []
    for joint in np.flatnonzero(joints):
        rotation = clip.channels.joints[joint][1]
        mode = rotation_mode_of(clip.armature, rotation)
        if all(clip.channels.of(rotation)) and (mode == "QUATERNION" or mode in EULER_ORDERS):
            order = None if mode == "QUATERNION" else mode
            found += find_jumps(clip.raw[rotation][:, None], [clip.motion.skeleton.names[joint]], order=order)
    return found


# The list


def listed(clip: Clip, flaws: Sequence[Flaw], search: Search) -> str:
    """Put flaws on the action's list; the text says how many of which kind there are."""
    settings = scope.own_action(clip.armature).motion_editing_flaws
    settings.found.clear()
    settings.active = 0  # while the list is empty: no frame to go to
    for flaw in flaws[:_MOST]:
        item = settings.found.add()
        item.kind, item.bone, item.channel, item.size = flaw.kind.name, flaw.joint, flaw.channel, flaw.size
        item.first, item.last = clip.frames[flaw.first], clip.frames[flaw.last]
    settings.searched, settings.tolerance = True, search.tolerance
    if not flaws:
        return "No flaws found"
    text = ", ".join(_counted(kind, count) for kind, count in Counter(flaw.kind for flaw in flaws).items())
    found = report_text("Found {flaws}", flaws=text)
    return found + (report_text("; the first {count} are listed", count=_MOST) if len(flaws) > _MOST else "")


def _counted(kind: FlawKind, count: int) -> str:
    return counted_text(count, *WORDS[kind])


def chosen_items(armature: Object, which: str) -> list[int]:
    """Numbers in the list of what is to be repaired.

    Raises:
        MotionEditError: Nothing was looked for, or nothing is chosen.
    """
    settings = scope.own_action(armature).motion_editing_flaws
    if not settings.found:
        raise MotionEditError("There are no flaws in the list: use Find Flaws first")
    if which == "ACTIVE":
        return [settings.active] if 0 <= settings.active < len(settings.found) else []
    numbers = [number for number, item in enumerate(settings.found) if which == "ALL" or item.ticked]
    if not numbers:
        raise MotionEditError("No flaw is enabled")
    return numbers


def flaws_of(clip: Clip, settings: MOTIONEDIT_PG_flaws, numbers: Sequence[int]) -> list[Flaw]:
    """Items of the list as core takes them.

    Raises:
        DamagedDataError: They are no flaws, in a damaged file.
    """
    if not {settings.found[number].kind for number in numbers} <= FlawKind.__members__.keys():
        raise DamagedDataError("The list of flaws is damaged: use Find Flaws again")
    return [_flaw(clip, settings.found[number]) for number in numbers]


def _flaw(clip: Clip, item: MOTIONEDIT_PG_flaw) -> Flaw:
    first, last = (int(np.abs(clip.frames - frame).argmin()) for frame in (item.first, item.last))
    return Flaw(FlawKind[item.kind], item.bone, item.channel, first, last, item.size)


def forget(armature: Object, numbers: Sequence[int]) -> None:
    """Take what was repaired off the list."""
    settings = scope.own_action(armature).motion_editing_flaws
    for number in sorted(numbers, reverse=True):
        settings.found.remove(number)

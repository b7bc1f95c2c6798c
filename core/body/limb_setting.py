"""Limbs that somebody chose: by their ends, or by the joints of their chains."""

from collections.abc import Sequence
from dataclasses import replace

from ..motion import Skeleton
from .joint_names import is_mechanism
from .limb import Limb, LimbKind

Limbs = tuple[Limb, ...]


def with_ends(limbs: Limbs, chosen: Limb, ends: Sequence[int], skeleton: Skeleton, trunk: Sequence[int]) -> Limbs:
    """The limbs with the hand or foot of one corrected, or with one limb for each of several ends.

    Args:
        chosen: Kind, side and number of the limb.
        ends: Its end; none for a limb without one, several for all limbs of this kind and side.
        trunk: Joints of the body that are part of no limb.
    """
    same = _like(limbs, chosen)
    if not ends:
        return tuple(
            replace(limb, end=None) if limb in same and limb.number == chosen.number else limb for limb in limbs
        )
    replaced = same if len(ends) > 1 else [limb for limb in same if limb.number == chosen.number]
    made: list[Limb] = []
    for number, end in enumerate(ends, start=chosen.number):
        own = replaced if len(ends) == 1 else [limb for limb in same if end in limb.joints and not _uses(made, limb)]
        new = replace(chosen, chain=_line_to(end, skeleton, trunk))
        made.append(replace(_ending_at(own[0] if own else new, end, skeleton), number=number))
    return (*(limb for limb in limbs if limb not in replaced), *made)


def with_chains(limbs: Limbs, chosen: Limb, joints: Sequence[int], skeleton: Skeleton) -> Limbs:
    """The limbs with the chain of one corrected, or with one limb for each of several lines of joints.

    Args:
        chosen: Kind, side and number of the limb.
        joints: Of its chain, from top to end; none takes the limb away.
    """
    lines = _lines(joints, skeleton) if joints else []
    same = _like(limbs, chosen)
    replaced = same if len(lines) > 1 else [limb for limb in same if limb.number == chosen.number]
    has_end = chosen.kind is LimbKind.ARM or chosen.kind.is_leg
    made = []
    for number, line in enumerate(lines, start=chosen.number):
        own = replaced if len(lines) == 1 else [limb for limb in same if set(line) & set(limb.chain)]
        old = own[0] if own else chosen
        made.append(replace(old, chain=tuple(line), end=line[-1] if has_end else None, number=number))
    return (*(limb for limb in limbs if limb not in replaced), *made)


def _like(limbs: Limbs, chosen: Limb) -> list[Limb]:
    return [limb for limb in limbs if (limb.kind, limb.side) == (chosen.kind, chosen.side)]


def _uses(made: list[Limb], limb: Limb) -> bool:
    return any(other.chain[0] == limb.chain[0] for other in made)


def _ending_at(limb: Limb, end: int, skeleton: Skeleton) -> Limb:
    """The limb with another end; where that hangs on the limb, its chain leads there."""
    if end not in limb.chain and limb.chain[0] in skeleton.ancestors(end):
        line = [end, *skeleton.ancestors(end)]
        way = reversed(line[: line.index(limb.chain[0]) + 1])
        chain = tuple(joint for joint in way if joint in limb.chain or not is_mechanism(skeleton.names[joint]))
        digits = tuple(digit for digit in limb.digits if end not in digit)
        return replace(limb, chain=chain, end=end, digits=digits)
    return replace(limb, end=end)


def _line_to(end: int, skeleton: Skeleton, trunk: Sequence[int]) -> tuple[int, ...]:
    """The joints above an end that carry nothing else, and the end: a leg up to where it hangs on the body."""
    line = [end]
    for joint in skeleton.ancestors(end):
        if joint in trunk or len(skeleton.children[joint]) > 1 or (joint == 0 and skeleton.has_placement):
            break
        line.append(joint)
    return tuple(reversed(line))


def _lines(joints: Sequence[int], skeleton: Skeleton) -> list[list[int]]:
    """The joints as lines from top to end; all of them as one where they are not several lines of several joints.

    A hand or foot that is a control of its own belongs to the limb beside it though it does not hang on it.
    """
    above = {joint: set(skeleton.ancestors(joint)) for joint in joints}
    last = [joint for joint in joints if not any(joint in others for others in above.values())]
    lines = [[joint for joint in joints if joint == end or joint in above[end]] for end in last]
    return lines if len(lines) > 1 and all(len(line) > 1 for line in lines) else [list(joints)]

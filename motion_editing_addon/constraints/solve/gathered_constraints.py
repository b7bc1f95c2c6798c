"""The constraints of all characters that are edited together, as core takes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....core.errors import MotionEditError
from ....core.motion import Motion
from ....core.solve.spacetime import Constraint, Distance, Position, SamePlace, size_of
from ....core.solve.spacetime.kinds import place_of
from ..constraint_list import read_list, rows_of
from ..figure_clip import bone_in, point_in
from .together import Member, partner_of

# Share of the character's size up to which a distance keeps its direction too. While a hand is dragged much further
# than the other one is away, the direction alone tells little about where the other one has to go.
_SHORT = 0.05
# Frames up to which two characters are held together at every one: between held frames their hands would part.
_MANY = 100


@dataclass(frozen=True, eq=False)
class Gathered:
    """Constraints over the common frames.

    Attributes:
        constraints: Character by character, in the order of their lists, what ties characters together last.
        sources: For each the number of its character, and its number in that character's list.
        companions: Motions that constraints refer to besides those of the characters; nothing may change them.
    """

    constraints: tuple[Constraint, ...]
    sources: tuple[tuple[int, int], ...]
    companions: tuple[Motion, ...]

    def numbers_of(self, character: int) -> list[int]:
        """Which of a character's list hold."""
        return [number for owner, number in self.sources if owner == character]


def gather(members: list[Member], *, first: int, last: int, every: int = 1) -> Gathered:
    """The enabled constraints of all lists that hold between two rows of the common frames.

    Args:
        members: The characters.
        first: First row that may change.
        last: Last row.
        every: Frames from one to the next at which spans are held; their ends always are.
    """
    ties = _ties(members)
    constraints: list[Constraint] = []
    sources: list[tuple[int, int]] = []
    companions: list[Motion] = []
    for character, member in enumerate(members):
        numbers = [n for n in range(len(member.items)) if n != member.leave_out and (character, n) not in ties]
        span = {"first": first - member.start, "last": last - member.start, "every": every}
        listed = read_list(member.clip, [member.items[number] for number in numbers], **span)
        # Companions have their numbers after all characters.
        others = (character, *(len(members) + len(companions) + each for each in range(len(listed.companions))))
        constraints += [_shared(each, member.start, character, others) for each in listed.constraints]
        sources += [(character, numbers[number]) for number in listed.numbers]
        companions += [member.held_over(each) for each in listed.companions]
    for source, partner in ties.items():
        item, own = members[source[0]].items[source[1]], members[source[0]]
        rows = own.start + rows_of(own.clip.frames, item.start, item.end)
        rows = rows[(rows >= first) & (rows <= last)]
        if len(rows):
            step = every if len(rows) > _MANY else 1
            constraints.append(_tie(members, source, partner, np.union1d(rows[::step], rows[-1:])))
            sources.append(source)
    return Gathered(tuple(constraints), tuple(sources), tuple(companions))


def ends_of(character: int, constraints: Iterable[Constraint]) -> set[int]:
    """Joints of a character that constraints are about."""
    return {joint for each in constraints for owner, joint in each.ends() if owner == character}


def merged(constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
    """The same with all places of a point as one path: quicker, but nobody can tell any more which one is missed."""
    alike: dict[Any, list[Any]] = {}
    for each in constraints:
        point = (each.character, each.joint, tuple(each.offset), each.softness) if type(each) is Position else each
        alike.setdefault(point, []).append(each)
    return tuple(path for same in alike.values() for path in _joined(same))


def _joined(places: list[Any]) -> list[Any]:
    """Places of one point as one; all of them if several are about one frame. Any other constraint is alone."""
    frames = np.concatenate([each.at for each in places])
    if len(places) == 1 or len(np.unique(frames)) < len(frames):
        return places
    targets = np.concatenate([np.broadcast_to(each.target, (len(each.at), 3)) for each in places])
    order = np.argsort(frames)
    return [replace(places[0], frames=frames[order], target=targets[order])]


def _ties(members: list[Member]) -> dict[tuple[int, int], int]:
    """Items that hold bones of two characters together, by character and number, and the other character."""
    armatures, ties = [member.clip.armature for member in members], {}
    for character, member in enumerate(members):
        for number, item in enumerate(member.items):
            other = partner_of(item, member.clip.armature, armatures)
            if other is not None and number != member.leave_out:
                ties[character, number] = armatures.index(other)
    return ties


def _shared(constraint: Constraint, start: int, character: int, others: tuple[int, ...]) -> Constraint:
    """A constraint on one character's own frames among all characters and frames."""
    own: dict[str, Any] = {"frames": constraint.at + start, "character": character}
    if hasattr(constraint, "other_character"):
        own["other_character"] = others[constraint.other_character]
    return replace(constraint, **own)


def _tie(members: list[Member], source: tuple[int, int], partner: int, rows: np.ndarray) -> Constraint:
    """A constraint that moves two characters."""
    member, item = members[source[0]], members[source[0]].items[source[1]]
    joint = _joint_of(member, item.bone, item.name)
    ends: dict[str, Any] = {
        "joint": joint,
        "other_joint": _joint_of(members[partner], item.target_bone, item.name),
        "character": source[0],
        "other_character": partner,
        "offset": point_in(member.clip, item.bone, tail=item.tail),
    }
    own: dict[str, Any] = {"frames": rows, "name": item.name, "softness": item.softness}
    if item.kind == "POSITION":
        return SamePlace(**ends, **own)
    if item.distance > _SHORT * size_of(member.motion.skeleton):
        return Distance(distance=item.distance, **ends, **own)
    return SamePlace(apart=item.distance * _directions(members, ends, rows), **ends, **own)


def _directions(members: list[Member], ends: dict[str, Any], rows: np.ndarray) -> np.ndarray:
    """(N, 3) unit vectors from the second of two points to the first one, as the motions have them."""
    one, other = (members[ends[name]].motion for name in ("character", "other_character"))
    between = place_of(one, ends["joint"], rows, ends["offset"]) - place_of(
        other, ends["other_joint"], rows, np.zeros(3)
    )
    length = np.linalg.norm(between, axis=1, keepdims=True)
    return np.where(length > 0.0, between / np.where(length > 0.0, length, 1.0), (0.0, 0.0, 1.0))


def _joint_of(member: Member, bone: str, name: str) -> int:
    bone, joints = bone_in(member.clip, bone), member.motion.skeleton.index
    if not bone or bone not in joints:
        raise MotionEditError(f"'{name}' is about the bone '{bone}', which '{member.clip.armature.name}' has not")
    return joints[bone]

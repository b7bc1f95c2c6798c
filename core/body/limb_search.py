"""Limbs found by the names of their joints."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from .hierarchy import Hierarchy
from .joint_names import Part
from .limb import Limb, LimbKind, Side

_ARM = frozenset({Part.UPPER_ARM, Part.FOREARM, Part.HAND})
_LEG = frozenset({Part.THIGH, Part.LEG, Part.SHIN, Part.FOOT})
_LIMB = _ARM | _LEG
_ENDS = frozenset({Part.HAND, Part.FOOT})

# Cosine of the angle between shin and foot above which the foot goes on straight down.
_STRAIGHT_ON = 0.7


@dataclass(frozen=True, eq=False)
class _Named:
    """A hierarchy with every joint's part, ambiguous names settled by what lies below."""

    tree: Hierarchy
    part: dict[int, Part | None]

    def side(self, joint: int) -> Side:
        return self.tree.labels[joint].side

    def on_side(self, joint: int, parts: frozenset[Part]) -> bool:
        return self.part[joint] in parts and self.side(joint) is not Side.CENTRE

    def topmost(self, parts: frozenset[Part], side: Side, within: list[int] | None = None) -> list[int]:
        """Joints of the parts that have none of them above on the same side."""
        chosen = [
            joint
            for joint in sorted(self.tree.joints if within is None else within)
            if self.part[joint] in parts and self.side(joint) is side
        ]
        return [joint for joint in chosen if not set(chosen).intersection(self.tree.above(joint))]


def find_limbs(tree: Hierarchy, is_active: Callable[[int], bool]) -> tuple[Limb, ...]:
    """Find all limbs whose joints have telling names.

    Args:
        is_active: Whether a joint moves; decides between the IK and the FK control of a
            hand or foot. IK is taken if neither or both move, as rigs start that way.
    """
    named = _Named(tree, _settled(tree))
    limbs: list[Limb] = []
    for side in (Side.LEFT, Side.RIGHT):
        limbs += _arms_and_legs(named, side, is_active)
        limbs += _chains(named, Part.WING, LimbKind.WING, side)
    limbs += _chains(named, Part.TAIL, LimbKind.TAIL, Side.CENTRE)
    on_four = any(limb.kind is LimbKind.FORE_LEG for limb in limbs)
    return four_legged(tuple(limbs)) if on_four else tuple(limbs)


def four_legged(limbs: tuple[Limb, ...]) -> tuple[Limb, ...]:
    """The same limbs with arms taken for fore legs and legs for hind legs."""
    kinds = {LimbKind.ARM: LimbKind.FORE_LEG, LimbKind.LEG: LimbKind.HIND_LEG}
    return tuple(replace(limb, kind=kinds.get(limb.kind, limb.kind)) for limb in limbs)


def _settled(tree: Hierarchy) -> dict[int, Part | None]:
    """Parts of all joints; shoulder, hip, wrist and ankle mean different joints in different skeletons."""
    part = {joint: label.part for joint, label in tree.labels.items()}
    for joint, label in tree.labels.items():
        if label.part is Part.SHOULDER:
            part[joint] = _shoulder(tree, joint)
        elif label.part is Part.HIP:
            has_thigh = tree.labelled(Part.THIGH, side=label.side)
            part[joint] = Part.HIP_JOINT if has_thigh else Part.THIGH
        elif label.part is Part.WRIST and not _leads_to_one_hand(tree, joint):
            part |= {joint: Part.HAND}
        elif label.part in (Part.WRIST, Part.ANKLE):
            part |= _at_the_end(tree, joint)
    return part


def _at_the_end(tree: Hierarchy, joint: int) -> dict[int, Part | None]:
    """What a wrist or an ankle is, and a hand or foot below it that stands for fingers or toes.

    Mostly it is the last joint of forearm or shin. A hand or foot that carries nothing turns nothing that is
    seen: then the wrist is the hand, and the ankle the foot unless it goes on straight down to a hoof or paw.
    """
    is_wrist = tree.labels[joint].part is Part.WRIST
    before, end = (Part.FOREARM, Part.HAND) if is_wrist else (Part.SHIN, Part.FOOT)
    ends = [below for below in tree.below(joint) if tree.labels[below].part is end]
    if not ends:
        return {joint: end}
    last = [each for each in ends if all(tree.labels[child].part is Part.END for child in tree.below(each))]
    if len(last) < len(ends) or not (is_wrist or _turns_off(tree, joint, last[0])):
        return {joint: before}
    return {joint: end, **dict.fromkeys(last, None if is_wrist else Part.TOE)}


def _turns_off(tree: Hierarchy, ankle: int, foot: int) -> bool:
    """The foot does not go on in the direction of the shin."""
    rest = tree.skeleton.rest_positions
    shin, sole = rest[ankle] - rest[tree.parent[ankle]], rest[foot] - rest[ankle]
    return bool(shin @ sole < _STRAIGHT_ON * np.linalg.norm(shin) * np.linalg.norm(sole))


def _has_below(tree: Hierarchy, joint: int, *parts: Part) -> bool:
    return any(tree.labels[below].part in parts for below in tree.below(joint))


def _shoulder(tree: Hierarchy, joint: int) -> Part | None:
    """Collar bone where upper arm, wing or fore leg has a joint of its own, else the upper arm."""
    if tree.labelled(Part.UPPER_ARM, Part.WING, side=tree.labels[joint].side):
        return Part.COLLAR
    if _has_below(tree, joint, Part.THIGH, Part.LEG):
        return Part.COLLAR
    return Part.UPPER_ARM if _has_below(tree, joint, Part.FOREARM, Part.WRIST, Part.HAND) else None


def _leads_to_one_hand(tree: Hierarchy, wrist: int) -> bool:
    """The wrist carries nothing but the hand; where thumb and hand branch off it, it is the hand."""
    children = tree.children[wrist]
    return len(children) == 1 and tree.labels[children[0]].part is Part.HAND


def _arms_and_legs(named: _Named, side: Side, is_active: Callable[[int], bool]) -> list[Limb]:
    steered = [joint for joint in named.tree.joints if named.tree.labels[joint].control != "ik"]
    firsts = named.topmost(_LIMB, side, within=steered)
    loose = [joint for joint in firsts if named.part[joint] in _ENDS]
    loose += [
        joint for joint in named.topmost(_ENDS, side) if named.tree.labels[joint].control == "ik" and joint not in loose
    ]
    firsts = _preferred(named, [joint for joint in firsts if joint not in loose])
    limbs = [_limb(named, first, loose, is_active) for first in firsts]
    whole = [limb for limb in limbs if limb.end is not None or len(limb.chain) > 1]
    return (whole or limbs) + _limbs_of_loose_ends(named, loose, limbs)


def _preferred(named: _Named, firsts: list[int]) -> list[int]:
    """The FK controls where a rig has such, else all."""
    steering = [joint for joint in firsts if named.tree.labels[joint].control == "fk"]
    return steering or firsts


def _limb(named: _Named, first: int, loose: list[int], is_active: Callable[[int], bool]) -> Limb:
    tree, side = named.tree, named.side(first)
    inside = [joint for joint in tree.below(first) if named.on_side(joint, _LIMB) and named.side(joint) is side]
    end = _end(named, [joint for joint in inside if named.part[joint] in _ENDS])
    last = end if end is not None else inside[-1] if inside else first
    chain = tree.path(first, last)
    kind = _kind(named, chain, end)
    wanted = Part.HAND if kind is LimbKind.ARM else Part.FOOT
    front = kind is LimbKind.FORE_LEG
    spare = [joint for joint in loose if named.part[joint] is wanted and tree.labels[joint].front is front]
    end = _chosen_end(named, chain, end, spare, is_active)
    if end is None and kind.is_leg:
        chain, end = _to_the_tip(tree, chain)
    limb = Limb(kind=kind, side=side, chain=chain, end=end)
    return _with_end(tree, replace(limb, girdle=_girdle(named, limb), digits=_digits(named, limb)))


def _to_the_tip(tree: Hierarchy, chain: tuple[int, ...]) -> tuple[tuple[int, ...], int | None]:
    """A leg without a foot stands on the joint that marks its end, where there is one."""
    below = tree.children[chain[-1]]
    is_tip = len(below) == 1 and tree.labels[below[0]].part is Part.END
    return ((*chain, below[0]), below[0]) if is_tip else (chain, None)


def _with_end(tree: Hierarchy, limb: Limb) -> Limb:
    """The limb with its hand or foot: whatever it is called, it is what lies between the limb and its digits."""
    carriers = {tree.parent[digit[0]] for digit in limb.digits} if limb.end is None else set()
    if len(carriers) != 1:
        return limb
    (end,) = carriers
    return replace(limb, chain=(*limb.chain, end), end=end) if tree.parent.get(end) == limb.chain[-1] else limb


def _end(named: _Named, ends: list[int]) -> int | None:
    """The first hand or foot on the way out; of several side by side, the one with the middle finger."""
    if not ends:
        return None
    siblings = [joint for joint in ends if named.tree.parent[joint] == named.tree.parent[ends[0]]]
    names = named.tree.skeleton.names
    with_middle = [
        joint for joint in siblings if any("middle" in names[below].lower() for below in named.tree.below(joint))
    ]
    return (with_middle or siblings)[0]


def _kind(named: _Named, chain: tuple[int, ...], end: int | None) -> LimbKind:
    labels = named.tree.labels
    is_arm = named.part[chain[0]] in _ARM
    if (named.part[end] is Part.HAND) if end is not None else is_arm:
        return LimbKind.ARM
    front = is_arm or any(labels[joint].front for joint in chain)
    return LimbKind.FORE_LEG if front else LimbKind.LEG


def _chosen_end(
    named: _Named, chain: tuple[int, ...], end: int | None, spare: list[int], is_active: Callable[[int], bool]
) -> int | None:
    """The chain's own end, unless it has none or an IK control takes its place."""
    if end is None:
        return spare[0] if spare else None
    if named.tree.labels[chain[0]].control != "fk":
        return end
    handles = [joint for joint in spare if named.tree.labels[joint].control == "ik"]
    if not handles or (not is_active(handles[0]) and any(map(is_active, chain))):
        return end
    return handles[0]


def _girdle(named: _Named, limb: Limb) -> tuple[int, ...]:
    """Joints of the limb's side between it and the middle, and such joints elsewhere by name."""
    tree = named.tree
    above = []
    for joint in tree.above(limb.chain[0]):
        if named.side(joint) is not limb.side:
            break
        above.append(joint)
    part = Part.HIP_JOINT if limb.kind in (LimbKind.LEG, LimbKind.HIND_LEG) else Part.COLLAR
    beside = [joint for joint in sorted(tree.joints) if named.part[joint] is part and named.side(joint) is limb.side]
    # Bones before and after a shoulder that has a name only hand on or take back its turns.
    known = [joint for joint in above if named.part[joint] is not None]
    return tuple(dict.fromkeys([*reversed(known or above), *beside]))


def _digits(named: _Named, limb: Limb) -> tuple[tuple[int, ...], ...]:
    """Fingers or toes below the limb; where a rig hangs its fingers elsewhere, those of that side.

    Of a foot of several joints that are all called foot, those after the first stand for its toes.
    """
    parts = frozenset({Part.FINGER if limb.kind is LimbKind.ARM else Part.TOE})
    tree = named.tree
    inside = [joint for joint in tree.below(limb.chain[0]) if joint not in limb.chain]
    found = named.topmost(parts, limb.side, within=inside)
    if not found and limb.kind is LimbKind.ARM:
        found = named.topmost(parts, limb.side)
    if not found and limb.kind.is_leg and limb.end_is_in_chain:
        found = named.topmost(frozenset({Part.FOOT}), limb.side, within=inside)
    return tuple(_outward(tree, joint) for joint in found)


def _outward(tree: Hierarchy, joint: int) -> tuple[int, ...]:
    """A joint and what follows it along the longest way, without mere end markers."""
    line = [joint]
    while children := [child for child in tree.children[line[-1]] if tree.labels[child].part is not Part.END]:
        line.append(max(children, key=lambda child: tree.sizes[child]))
    return tuple(line)


def _limbs_of_loose_ends(named: _Named, loose: list[int], limbs: list[Limb]) -> list[Limb]:
    """A limb of one joint for hands and feet that stand alone in the whole skeleton."""
    made: list[Limb] = []
    for joint in loose:
        kind = LimbKind.ARM if named.part[joint] is Part.HAND else LimbKind.LEG
        same = [limb for limb in (*limbs, *made) if (limb.kind is LimbKind.ARM) == (kind is LimbKind.ARM)]
        if not same:
            made.append(Limb(kind=kind, side=named.side(joint), chain=(joint,), end=joint))
    return made


def _chains(named: _Named, part: Part, kind: LimbKind, side: Side) -> list[Limb]:
    """Wings or tails: from the topmost joint of that name to the lowest."""
    tree, limbs = named.tree, []
    for first in named.topmost(frozenset({part}), side):
        below = [joint for joint in tree.below(first) if named.part[joint] is part]
        limb = Limb(kind=kind, side=side, chain=tree.path(first, below[-1] if below else first))
        limbs.append(replace(limb, girdle=_girdle(named, limb)) if kind is LimbKind.WING else limb)
    return limbs

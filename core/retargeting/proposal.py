"""A proposal of which joints of two skeletons correspond, from body parts and names.

Parts of the body are matched part by part, whatever the joints are called: 'LeftShoulder' is a
collar bone in one convention and an upper arm in another. Names tell how sure such a pair is, and
alone decide about everything that is no known part of the body.
"""

from collections.abc import Iterable, Iterator

from ..body import Body, Limb
from ..body.joint_names import name_without_side, read_name
from ..skeleton import Skeleton
from .chain_matching import Pairs, matched_chain
from .mapping import JointMapping, JointPair

_SURE = {"same name": 1.0, "like name": 0.9, "body part": 0.7}


def name_mapping(
    source_skeleton: Skeleton, target_skeleton: Skeleton, source_body: Body, target_body: Body
) -> JointMapping:
    """Propose which joint of the target follows which joint of the source.

    Args:
        source_skeleton: Whose motion is taken.
        target_skeleton: Who gets it.
        source_body: Its parts; an empty one leaves names alone to decide.
        target_body: Likewise.
    """
    found = dict[int, int]()
    for source, target in _pairs_of_parts(source_skeleton, target_skeleton, source_body, target_body):
        if target not in found and source not in found.values():
            found[target] = source
    parts = _parts(source_body), _parts(target_body)
    for source, target in _pairs_of_names(source_skeleton, target_skeleton):
        apart = source in parts[0] and target in parts[1]
        if target not in found and source not in found.values() and not apart:
            found[target] = source
    pairs = [_pair(source_skeleton.names[source], target_skeleton.names[target]) for target, source in found.items()]
    return JointMapping.of_pairs(pairs, source_skeleton, target_skeleton)


def like_name(name: str) -> tuple[str, str]:
    """Side and words of a name without namespace, prefix, punctuation and leading zeros: what two names share."""
    words = [word.lstrip("0") if word.isdigit() else word for word in name_without_side(name).split()]
    known = (first for first in range(len(words)) if _names_a_part(" ".join(words[first:])))
    return read_name(name).side.value, "".join(words[next(known, 0) :])


def _names_a_part(words: str) -> bool:
    return any(read_name(side + words).part is not None for side in ("", "left "))


def _pair(source: str, target: str) -> JointPair:
    reason = "body part"
    if source == target:
        reason = "same name"
    elif like_name(source) == like_name(target):
        reason = "like name"
    return JointPair(source, target, _SURE[reason], reason)


def _pairs_of_parts(source: Skeleton, target: Skeleton, one: Body, other: Body) -> Iterator[tuple[int, int]]:
    """(source, target) joints of the same parts of the body."""
    for mine, theirs in ((one.root, other.root), (one.head, other.head)):
        if mine is not None and theirs is not None:
            yield mine, theirs
    yield from matched_chain(source, one.torso, target, other.torso)
    if one.neck and other.neck:
        yield from matched_chain(source, one.neck, target, other.neck)
    for limb in one.limbs:
        for partner in (each for each in other.limbs if each.role == limb.role):
            yield from _pairs_of_limbs(source, limb, target, partner)


def _pairs_of_limbs(source: Skeleton, one: Limb, target: Skeleton, other: Limb) -> Pairs:
    pairs = []
    if one.end is not None and other.end is not None:
        pairs.append((one.end, other.end))
    both_end = one.end is not None and other.end is not None
    pairs += matched_chain(source, _turning(one, both_end), target, _turning(other, both_end))
    # Girdles are matched from the limb on: the joint next to the arm is the one that lifts it.
    pairs += zip(reversed(one.girdle), reversed(other.girdle), strict=False)
    for mine, theirs in _matched_digits(source, one, target, other):
        pairs += zip(mine, theirs, strict=False)
    return pairs


def _turning(limb: Limb, with_end: bool) -> tuple[int, ...]:
    """The limb's chain up to its hand or foot; without it where the other limb has none."""
    if limb.end is None or not limb.end_is_in_chain:
        return limb.chain
    return limb.chain[: limb.chain.index(limb.end) + with_end]


def _matched_digits(
    source: Skeleton, one: Limb, target: Skeleton, other: Limb
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Fingers or toes that correspond: by name; else all, where there are equally many; else the only one."""
    words = {_digit_word(target, digit): digit for digit in other.digits}
    named = [(digit, words[word]) for digit in one.digits if (word := _digit_word(source, digit)) in words]
    if named:
        yield from named
    elif len(one.digits) == len(other.digits):
        yield from zip(one.digits, other.digits, strict=True)
    elif min(len(one.digits), len(other.digits)) == 1 and not _is_thumb(source, one) and not _is_thumb(target, other):
        longest = (max(limb.digits, key=len) for limb in (one, other))
        yield (next(longest), next(longest))


def _is_thumb(skeleton: Skeleton, limb: Limb) -> bool:
    return len(limb.digits) == 1 and "thumb" in _digit_word(skeleton, limb.digits[0])


def _digit_word(skeleton: Skeleton, digit: tuple[int, ...]) -> str:
    """Which finger: the words of its first joint without numbers."""
    return "".join(word for word in name_without_side(skeleton.names[digit[0]]).split() if word.isalpha())


def _pairs_of_names(source: Skeleton, target: Skeleton) -> Iterator[tuple[int, int]]:
    """Same names first, then those that say the same; what several joints are called says nothing."""
    yield from ((source.index[name], joint) for name, joint in target.index.items() if name in source.index)
    one, other = _alike(source), _alike(target)
    for word, joints in other.items():
        if len(joints) == 1 and len(one.get(word, ())) == 1:
            yield one[word][0], joints[0]


def _alike(skeleton: Skeleton) -> dict[tuple[str, str], list[int]]:
    found: dict[tuple[str, str], list[int]] = {}
    for joint, name in enumerate(skeleton.names):
        found.setdefault(like_name(name), []).append(joint)
    return found


def _parts(body: Body) -> set[int]:
    """Joints that are a known part of the body, fingers and toes aside."""
    single: Iterable[int | None] = (body.root, body.head)
    chains = [*body.torso, *body.neck, *(joint for limb in body.limbs for joint in (*limb.girdle, *limb.chain))]
    return {joint for joint in (*single, *chains) if joint is not None}

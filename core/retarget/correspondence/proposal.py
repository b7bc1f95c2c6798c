"""A proposal of which joints of two skeletons correspond, from body parts and names.

Parts of the body are matched part by part, whatever the joints are called: 'LeftShoulder' is a
collar bone in one convention and an upper arm in another. Names tell how sure such a pair is, and
alone decide about everything that is no known part of the body.
"""

from collections.abc import Callable, Iterable, Iterator

from ...body import Body, Limb, Part, name_without_side, read_name
from ...motion import Skeleton
from .chain_matches import Pairs, matched_chain
from .digit_matches import matched_digits
from .mapping import JointMapping, JointPair

_SURE = {"same name": 1.0, "like name": 0.9, "body part": 0.7}
_UNMISTAKABLE = frozenset(
    {Part.PELVIS, Part.HEAD, Part.COLLAR, Part.UPPER_ARM, Part.FOREARM, Part.HAND, Part.THIGH, Part.SHIN, Part.FOOT}
)


def name_mapping(
    source_skeleton: Skeleton, target_skeleton: Skeleton, source_body: Body, target_body: Body
) -> JointMapping:
    """Propose which joint of the target follows which joint of the source.

    Args:
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


def like_name(name: str) -> tuple[str, ...]:
    """Side and words of a name without namespace, punctuation and leading zeros: what two names share."""
    return read_name(name).side.value, "".join(_words(name))


def _words(name: str) -> list[str]:
    return [word.lstrip("0") if word.isdigit() else word for word in name_without_side(name).split()]


def _without_prefix(name: str) -> tuple[str, ...]:
    """Like `like_name`, from the words for a part of the body on: 'DEF-f_index.01.L' says the same as 'LeftIndex1'."""
    words, read = _words(name), read_name(name)
    known = (first for first in range(len(words)) if _names_a_part(words[first:]))
    ends = ("front" * read.front, "hind" * read.hind)
    return read.side.value, *ends, "".join(words[next(known, 0) :])


def _names_a_part(words: list[str]) -> bool:
    """Whether all words together, numbers aside, are what a part is called."""
    whole = "".join(word for word in words if not word.isdigit())
    return any(read_name(f"{side}{whole}").part not in (None, Part.END) for side in ("", "left "))


def _pair(source: str, target: str) -> JointPair:
    reason = "body part"
    if source == target:
        reason = "same name"
    elif any(way(source) == way(target) for way in (like_name, _without_prefix)) or _same_part(source, target):
        reason = "like name"
    return JointPair(source, target, _SURE[reason], reason)


def _same_part(source: str, target: str) -> bool:
    """Whether two names are words for the same part, 'thigh' and 'upleg', of which a body has one on each side."""
    one, other = read_name(source), read_name(target)
    return one.part in _UNMISTAKABLE and one == other


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
    # A foot that is a control of its own hangs on no leg: then the legs are compared without their feet.
    with_ends = all(limb.end is not None and limb.end_is_in_chain for limb in (one, other))
    pairs += matched_chain(source, _turning(one, with_ends), target, _turning(other, with_ends))
    # Girdles are matched from the limb on: the joint next to the arm is the one that lifts it.
    pairs += zip(reversed(one.girdle), reversed(other.girdle), strict=False)
    return pairs + matched_digits(source, one, target, other)


def _turning(limb: Limb, with_end: bool) -> tuple[int, ...]:
    """The limb's chain up to its hand or foot; without it where the other limb's has none."""
    if limb.end is None or not limb.end_is_in_chain:
        return limb.chain
    return limb.chain[: limb.chain.index(limb.end) + with_end]


def _pairs_of_names(source: Skeleton, target: Skeleton) -> Iterator[tuple[int, int]]:
    """Same names first, then those that say the same; what several joints are called says nothing."""
    yield from ((source.index[name], joint) for name, joint in target.index.items() if name in source.index)
    for way in (like_name, _without_prefix):
        one, other = _alike(source, way), _alike(target, way)
        for word, joints in other.items():
            if len(joints) == 1 and len(one.get(word, ())) == 1:
                yield one[word][0], joints[0]


def _alike(skeleton: Skeleton, way: Callable[[str], tuple[str, ...]]) -> dict[tuple[str, ...], list[int]]:
    found: dict[tuple[str, ...], list[int]] = {}
    for joint, name in enumerate(skeleton.names):
        found.setdefault(way(name), []).append(joint)
    return found


def _parts(body: Body) -> set[int]:
    """Joints that are a known part of the body, fingers and toes aside."""
    single: Iterable[int | None] = (body.root, body.head)
    chains = [*body.torso, *body.neck, *(joint for limb in body.limbs for joint in (*limb.girdle, *limb.chain))]
    return {joint for joint in (*single, *chains) if joint is not None}

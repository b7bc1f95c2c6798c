"""Fingers and toes of two limbs that correspond, whatever order they come in and however they are called."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...body import Limb, name_without_side
from ...motion import Skeleton
from .chain_matches import Pairs

Digit = tuple[int, ...]

_FINGERS = ("thumb", "index", "middle", "ring", "pinky")
_OTHER_WORDS = {
    "thumb": "親指",
    "index": "fore 人指 人差指 人差し指",
    "middle": "mid 中指",
    "ring": "third 薬指",
    "pinky": "little pinkie 小指",
}
_SAME_FINGER = {word: name for name in _FINGERS for word in (name, *_OTHER_WORDS[name].split())}
# Bones inside the palm or the foot, before the first joint that bends.
_INSIDE = frozenset({"metacarpal", "carpal", "metatarsal", "palm", "in"})


def matched_digits(source: Skeleton, one: Limb, target: Skeleton, other: Limb) -> Pairs:
    """(source, target) joints of fingers or toes of two limbs.

    Digits are told apart by name or number. One that stands for several, such as the toes in one bone,
    takes the middle one of them. Without any name they correspond in order, where there are equally many.
    """
    found = _pairs_of_digits(source, one.digits, target, other.digits)
    inside = _beginning_inside(source, one.digits), _beginning_inside(target, other.digits)
    return [pair for own, its in found for pair in _joints(own, own in inside[0], its, its in inside[1])]


def _pairs_of_digits(
    source: Skeleton, one: Sequence[Digit], target: Skeleton, other: Sequence[Digit]
) -> list[tuple[Digit, Digit]]:
    mine, theirs = _named(source, one), _named(target, other)
    if not any(mine) and not any(theirs) and len(one) == len(other):
        return list(zip(one, other, strict=True))
    shared = [kind for kind in dict.fromkeys(mine) if kind and kind in theirs]
    found = [(one[mine.index(kind)], other[theirs.index(kind)]) for kind in shared]
    rest = _left_over(mine, one, shared), _left_over(theirs, other, shared)
    if all(rest) and min(map(len, rest)) == 1 and ("" in mine or "" in theirs):
        found.append((_middle(source, rest[0]), _middle(target, rest[1])))
    return found


def _named(skeleton: Skeleton, digits: Sequence[Digit]) -> list[str]:
    """Which finger or toe each one is; '' where its names do not tell."""
    words = [[name_without_side(skeleton.names[joint]).split() for joint in digit] for digit in digits]
    called = [
        next((_SAME_FINGER[word] for name in names for word in name if word in _SAME_FINGER), "") for names in words
    ]
    return [kind or number for kind, number in zip(called, _counted(words), strict=True)]


def _counted(words: list[list[list[str]]]) -> list[str]:
    """Which finger or toe each one is by the numbers in the words of its joints; a single one is none of several."""
    numbers = [next((found for name in names if (found := _number(name))), None) for names in words]
    known = [found for found in numbers if found is not None]
    if len(known) < len(words) or len(words) < 2:
        return [""] * len(words)
    first = min(number for _, number in known)
    if {word for word, _ in known} == {"finger"} and (first == 0 or len(known) == len(_FINGERS)):
        # Where fingers are counted, the thumb is the first.
        return [(*_FINGERS, *[""] * number)[number - first] for _, number in known]
    return [f"{word} {number}" for word, number in known]


def _number(words: list[str]) -> tuple[str, int] | None:
    """'toe' and 2 for the words of 'toe2-1.L'."""
    numbered = ((word, int(after)) for word, after in pairwise(words) if after.isdigit())
    return next((found for found in numbered if found[0] in ("finger", "toe")), None)


def _left_over(kinds: list[str], digits: Sequence[Digit], shared: list[str]) -> dict[Digit, str]:
    """Digits without a partner and what they are; a thumb has none but another thumb."""
    rest = zip(digits, kinds, strict=True)
    return {digit: kind for digit, kind in rest if kind not in shared and kind != "thumb"}


def _middle(skeleton: Skeleton, kinds: dict[Digit, str]) -> Digit:
    """The digit that is called so, else the one that begins nearest to the middle of all."""
    digits = list(kinds)
    starts = skeleton.rest_positions[[digit[0] for digit in digits]]
    nearest = digits[int(np.argmin(np.linalg.norm(starts - starts.mean(axis=0), axis=1)))]
    return next((digit for digit, kind in kinds.items() if kind == "middle"), nearest)


def _joints(one: Digit, one_inside: bool, other: Digit, other_inside: bool) -> Pairs:
    """Joints of two digits from the knuckle on, and the bones before it where both have one."""
    if one_inside != other_inside:
        one, other = one[one_inside:], other[other_inside:]
    return list(zip(one, other, strict=False))


def _beginning_inside(skeleton: Skeleton, digits: Sequence[Digit]) -> set[Digit]:
    """Digits that begin with a bone inside the palm or the foot; a thumb's bends too and counts as its first."""
    fingers = zip(digits, _named(skeleton, digits), strict=True)
    return {digit for digit, kind in fingers if kind != "thumb" and len(digit) > 1 and _is_inside(skeleton, digit[0])}


def _is_inside(skeleton: Skeleton, joint: int) -> bool:
    words = name_without_side(skeleton.names[joint]).split()
    return not _INSIDE.isdisjoint(words) or words[:2] == ["finger", "base"]

"""What a joint's name says: side, body part, front or hind, FK or IK.

A name is cut into words at punctuation, digits and capitals. The words that name a
part are looked up joined together, dropping leading words until something is known;
so any prefix (mixamorig:, Bip01, CC_Base_, DEF-) passes without being listed. Japanese
names, which have no gaps, are cut at the words that are known.
"""

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from .limb import Side


class Part(Enum):
    """Body part that a name speaks of; some need the hierarchy to be told apart."""

    PELVIS = auto()
    SPINE = auto()
    NECK = auto()
    HEAD = auto()
    FACE = auto()
    COLLAR = auto()
    SHOULDER = auto()  # clavicle or upper arm
    UPPER_ARM = auto()
    FOREARM = auto()
    WRIST = auto()  # hand, or the joint before it
    HAND = auto()
    FINGER = auto()
    HIP_JOINT = auto()
    HIP = auto()  # hip joint or thigh
    THIGH = auto()
    LEG = auto()  # shin, or the whole leg
    SHIN = auto()
    ANKLE = auto()  # foot, or the joint before it
    FOOT = auto()
    TOE = auto()
    TAIL = auto()
    WING = auto()
    END = auto()


_WORDS_OF_PARTS = {
    Part.PELVIS: "hips pelvis lowerbody 下半身",
    Part.SPINE: "spine chest upperchest lowerchest chestupper chestlower torso abdomen abdomenupper abdomenlower "
    "waist back lowerback upperback lumbar thorax belly stomach ribcage upperbody 腰 上半身",
    Part.NECK: "neck lowerneck upperneck necklower neckupper 首",
    Part.HEAD: "head 頭",
    Part.FACE: "face",
    Part.COLLAR: "collar clavicle scapula collarbone",
    Part.SHOULDER: "shoulder 肩",
    Part.UPPER_ARM: "arm upperarm uparm armupper humerus shldr 腕",
    Part.FOREARM: "forearm lowerarm lowarm loarm armlower elbow radius ulna ひじ 肘",
    Part.WRIST: "wrist 手首",
    Part.HAND: "hand palm",
    Part.FINGER: "thumb index middle ring pinky little finger fingers fingerbase metacarpal carpal fore third "
    "親指 人指 人差指 人差し指 中指 薬指 小指",
    Part.HIP_JOINT: "hipjoint coxa",
    Part.HIP: "hip",
    Part.THIGH: "thigh upleg upperleg legupper femur 足 脚",
    Part.LEG: "leg foreleg hindleg",
    Part.SHIN: "shin calf knee tibia lowerleg lowleg loleg leglower shank ひざ 膝",
    Part.ANKLE: "ankle 足首",
    Part.FOOT: "foot feet paw forefoot hindfoot tarsus",
    Part.TOE: "toe toes toebase ball hoof metatarsal metatarsals つま先 爪先 足先ex",
    Part.TAIL: "tail tailbase tailmid",
    Part.WING: "wing",
    Part.END: "end nub leaf tip site effector slot",
}
_PARTS = {word: part for part, words in _WORDS_OF_PARTS.items() for word in words.split()}

_SIDES = {
    "left": Side.LEFT,
    "l": Side.LEFT,
    "lf": Side.LEFT,
    "lft": Side.LEFT,
    "right": Side.RIGHT,
    "r": Side.RIGHT,
    "rt": Side.RIGHT,
    "rgt": Side.RIGHT,
    "左": Side.LEFT,
    "右": Side.RIGHT,
}
_OPPOSITE_WORD = {"left": "right", "l": "r", "lf": "rt", "lft": "rgt", "左": "右"}
_OPPOSITE_WORD |= {right: left for left, right in _OPPOSITE_WORD.items()}

_FRONT = frozenset({"front", "fore"})
_HIND = frozenset({"back", "hind", "rear"})

# Bones that only steer, twist or relay others: they have a part's name but are not the part.
_AUXILIARY_WORDS = (
    "tweak parent target pole poletarget master spin heel roll pivot drv twist swing stretch bendy "
    "helper socket prop armor mesh"
)
_AUXILIARY = frozenset(_AUXILIARY_WORDS.split())
_MECHANISM = re.compile(r"(DEF|ORG|MCH|VIS)[-_]|__")

# Bones of a face, with and without a side.
_FACE_TEXT = (
    "face facial jaw chin lip mouth brow eyebrow eye eyeball eyelid lid cheek nose nostril tongue teeth tooth forehead "
    "temple 顔 顎 目 両目 眉 舌 口"
)
_FACE_WORDS = frozenset(_FACE_TEXT.split())

# Words that say nothing about the part: what steers it, and which of a finger's bones it is.
_BESIDE = frozenset({"fk", "ik", "bend", "joint", "jnt", "proximal", "intermediate", "distal"})

# Lower-case joints such as "lhand": the side letter is glued to a part that has sides.
_MIDDLE_PARTS = frozenset({Part.PELVIS, Part.SPINE, Part.NECK, Part.HEAD, Part.FACE, Part.TAIL, Part.END})
_GLUED_PARTS = frozenset(word for word, part in _PARTS.items() if part not in _MIDDLE_PARTS and word.isascii())

# The lowest two parts of the spine by their vertebrae, as doctors and Xsens call them.
_VERTEBRA = re.compile(r"(?:.*[:|])?[LT]\d{1,2}")

_JAPANESE = "|".join(sorted((word for word in (*_PARTS, *_SIDES) if not word.isascii()), key=len, reverse=True))
_WORD = re.compile(rf"{_JAPANESE}|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|(?:(?!{_JAPANESE})[^\W\d_])+")
_WIDE_LETTERS = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


@dataclass(frozen=True)
class JointName:
    """What a name says.

    Attributes:
        side: Left, right or centre.
        part: The body part, or None if the name is silent.
        front: The name says front or fore.
        hind: The name says hind, back or rear.
        control: 'fk', 'ik' or '' for a joint that is not one of two ways to steer a limb.
    """

    side: Side
    part: Part | None
    front: bool = False
    hind: bool = False
    control: str = ""


def is_mechanism(name: str) -> bool:
    """The bone serves a rig's inner workings (DEF-, ORG-, MCH-, VIS_, __) rather than the animator."""
    return _MECHANISM.match(name) is not None


def is_of_face(name: str) -> bool:
    """The name is that of a bone in the face: jaw, lips, brows, eyes and the like."""
    return any(text.rstrip("s") in _FACE_WORDS or text in _FACE_WORDS for text, _begin, _end in _split(name))


def is_vertebra(name: str) -> bool:
    """The name is that of a vertebra of the lower or the middle back, L5 or T8; 'L5' may also be a left joint."""
    return _VERTEBRA.fullmatch(name) is not None


def _split(name: str) -> list[tuple[str, int, int]]:
    """Words of a name in lower case with their places, without a namespace."""
    start = max(name.rfind(":"), name.rfind("|")) + 1
    name = name.translate(_WIDE_LETTERS)
    words = []
    for match in _WORD.finditer(name, start):
        text, begin, end = match.group().lower(), match.start(), match.end()
        if text[0] in "lr" and text[1:] in _GLUED_PARTS:
            words += [(text[0], begin, begin + 1), (text[1:], begin + 1, end)]
        else:
            words.append((text, begin, end))
    return words


def _side_word(words: list[tuple[str, int, int]]) -> tuple[str, int, int] | None:
    """The word that tells the side: the last one, since 'r_toe.L' is the rear toe on the left."""
    return next((word for word in reversed(words) if word[0] in _SIDES), None)


def mirror_name(name: str) -> str:
    """The name of the joint on the other side; a name without a side comes back unchanged."""
    word = _side_word(_split(name))
    if word is None:
        return name
    text, begin, end = word
    other, written = _OPPOSITE_WORD[text], name[begin:end]
    if written.isupper():
        other = other.upper()
    elif written[0].isupper():
        other = other.capitalize()
    return name[:begin] + other + name[end:]


def name_without_side(name: str) -> str:
    """The words of a name in lower case without punctuation and without the word for its side."""
    words = _split(name)
    side_word = _side_word(words)
    return " ".join(text for text, begin, _ in words if side_word is None or begin != side_word[1])


@lru_cache(maxsize=4096)
def read_name(name: str) -> JointName:
    """Read side, part, front or hind, and FK or IK from a name."""
    words = _split(name)
    side_word = _side_word(words)
    side = Side.CENTRE if side_word is None else _SIDES[side_word[0]]
    texts = [text for text, begin, _ in words if side_word is None or begin != side_word[1]]
    control = next((text for text in texts if text in ("fk", "ik")), "")
    texts = [text for text in texts if not text.isdigit() and text not in _BESIDE]
    if len(texts) > 1 and texts[-2] == "leg" and len(texts[-1]) == 1:
        # One of many legs, counted by letters.
        texts.pop()
    if _AUXILIARY.intersection(texts):
        return JointName(side, None, control=control)
    if words and words[-1][0] == "joint" and texts[-1:] == ["hip"] and side is not Side.CENTRE:
        return JointName(side, Part.HIP_JOINT, control=control)
    part, first = _look_up(texts)
    front, hind = _ends_of_the_body(texts, first)
    return JointName(side, _centred(part) if side is Side.CENTRE else _sided(part), front, hind, control)


def _look_up(texts: list[str]) -> tuple[Part | None, int]:
    """The part that the longest known run of last words names, and how many words came before it."""
    for first in range(len(texts)):
        part = _PARTS.get("".join(texts[first:]))
        if part is not None:
            return part, first
    return None, len(texts)


def _ends_of_the_body(texts: list[str], first: int) -> tuple[bool, bool]:
    """Whether the words say front or hind; the fore of 'forearm' does not."""
    beside, own = texts[:first], "".join(texts[first:])
    front = bool(_FRONT.intersection(beside)) or own in ("forefoot", "foreleg")
    return front, bool(_HIND.intersection(beside)) or own in ("hindfoot", "hindleg")


_CENTRE_ONLY = frozenset({Part.SPINE, Part.NECK, Part.HEAD, Part.FACE, Part.TAIL})
_EITHER = frozenset({Part.TAIL, Part.END})


def _sided(part: Part | None) -> Part | None:
    """A part on one side; 'pelvis.L' is a hip joint, spines and heads have no sides."""
    if part is Part.PELVIS:
        return Part.HIP_JOINT
    return None if part in _CENTRE_ONLY else part


def _centred(part: Part | None) -> Part | None:
    """A part in the middle; 'hip' is then the pelvis, and limbs have a side or are not limbs."""
    if part is Part.HIP:
        return Part.PELVIS
    return part if part is Part.PELVIS or part in _CENTRE_ONLY or part in _EITHER else None

"""Which bones make the figure that is seen, and what they are: written down, never found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

LEFT_RIGHT = ("Left", "Right")


@dataclass(frozen=True)
class Figure:
    """The bones of a figure and their parts.

    Attributes:
        bones: Names of the bones that are judged, the parents first.
        parents: Index of every bone's parent among them, -1 for none.
        pelvis: The bone that carries the rest.
        head: The head, or what comes first.
        legs: Upper leg, lower leg, foot and toe of every leg.
        arms: Upper arm, lower arm and hand of every arm.
    """

    bones: tuple[str, ...]
    parents: tuple[int, ...]
    pelvis: str
    head: str
    legs: tuple[tuple[str, ...], ...]
    arms: tuple[tuple[str, ...], ...]

    def index(self, name: str) -> int:
        """Where a bone stands."""
        return self.bones.index(name)

    def below(self, name: str) -> set[int]:
        """The bone and all that hang on it."""
        top = self.index(name)
        return {bone for bone in range(len(self.bones)) if top in self._upwards(bone)}

    def _upwards(self, bone: int) -> Iterator[int]:
        while bone >= 0:
            yield bone
            bone = self.parents[bone]

    @property
    def partners(self) -> list[int]:
        """(J,) the bone of the same name on the other side, or the bone itself."""
        places = {bone: place for place, bone in enumerate(self.bones)}
        return [places.get(_other_side(bone), place) for bone, place in places.items()]

    @property
    def walks_upright(self) -> bool:
        """Whether it is a person: knees and elbows have names for what they should do."""
        return len(self.legs) == 2 and len(self.arms) == 2


# Left and right as skeletons write them: a word, or a letter at one end of the name.
_SIDE = re.compile(r"left|right|(?<=[._-])[lr](?=$|[._-])|^[lr](?=[A-Z_])", re.IGNORECASE)
_OTHER = {"left": "right", "right": "left", "l": "r", "r": "l"}


def _other_side(name: str) -> str:
    """The name with left and right exchanged."""

    def exchanged(found: re.Match[str]) -> str:
        other = _OTHER[found[0].lower()]
        return other if found[0].islower() else other.upper() if len(other) == 1 else other.capitalize()

    return _SIDE.sub(exchanged, name, count=1)


@dataclass(frozen=True)
class Names:
    """How the bones of one kind of skeleton are called; {} stands for the side."""

    pelvis: str
    head: str
    legs: tuple[str, ...] = ()
    arms: tuple[str, ...] = ()
    sides: tuple[str, str] = ("L", "R")

    def limbs(self, patterns: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        """Both sides of every limb."""
        return tuple(tuple(bone.format(side) for bone in limb.split()) for limb in patterns for side in self.sides)

    def all(self) -> set[str]:
        """Every name that it needs."""
        limbs = (*self.limbs(self.legs), *self.limbs(self.arms))
        return {self.pelvis, self.head, *(bone for limb in limbs for bone in limb)}


KINDS = (
    Names(
        "Hips",
        "Head",
        ("{0}UpLeg {0}Leg {0}Foot {0}ToeBase",),
        ("{0}Arm {0}ForeArm {0}Hand",),
        LEFT_RIGHT,
    ),
    Names(
        "DEF-spine",
        "DEF-spine.006",
        ("DEF-thigh.{0} DEF-shin.{0} DEF-foot.{0} DEF-toe.{0}",),
        ("DEF-upper_arm.{0} DEF-forearm.{0} DEF-hand.{0}",),
    ),
    Names(
        "DEF-hips",
        "DEF-head",
        ("DEF-thigh.{0} DEF-shin.{0} DEF-foot.{0} DEF-toe.{0}",),
        ("DEF-upper_arm.{0} DEF-forearm.{0} DEF-hand.{0}",),
    ),
    Names(
        "pelvis",
        "head",
        ("thigh_{0} calf_{0} foot_{0} ball_{0}",),
        ("upperarm_{0} lowerarm_{0} hand_{0}",),
        ("l", "r"),
    ),
    Names(
        "hips",
        "head",
        ("thigh.{0} shin.{0} foot.{0} toe.{0}",),
        ("upper_arm.{0} forearm.{0} hand.{0}",),
    ),
    Names(
        "hips",
        "head",
        ("upperleg.{0} lowerleg.{0} foot.{0} toes.{0}",),
        ("upperarm.{0} lowerarm.{0} wrist.{0}",),
        ("l", "r"),
    ),
    Names("pelvis", "face", ("thigh.{0} shin.{0} foot.{0}",), ("upper_arm.{0} forearm.{0}",)),
    Names(
        "hips",
        "head",
        (
            "front_leg_upper_{0} front_leg_lower_{0} front_leg_foot_{0} front_leg_leaf_{0}",
            "back_leg_lower_{0} back_leg_ankle_{0} back_leg_toe_{0} back_leg_leaf_{0}",
        ),
        (),
        ("l", "r"),
    ),
    Names(
        "DEF-spine.001",
        "DEF-head",
        (
            "DEF-upper_arm.{0} DEF-forearm.{0} DEF-f_toe.{0} DEF-f_hoof.{0}",
            "DEF-thigh.{0} DEF-lower_leg.{0} DEF-r_toe.{0} DEF-r_hoof.{0}",
        ),
    ),
    Names(
        "hips",
        "head",
        tuple(f"leg_{leg}_1_{{0}} leg_{leg}_2_{{0}} leg_{leg}_3_{{0}} leg_{leg}_tip_{{0}}" for leg in "abcd"),
        (),
        ("l", "r"),
    ),
    Names("hips", "head", ("UpperLeg_{0} LowerLeg_{0} Foot_{0} Toes_{0}",)),
    Names("Hips", "Head", ("Back_Leg_Upper_{0} Back_Leg_Lower_{0} Back_Leg_Foot_{0} Back_Leg_Foot_1_{0}",)),
    Names(
        "root.x",
        "head.x",
        ("thigh_stretch.{0} leg_stretch.{0} foot.{0} toes_01.{0}",),
        ("arm_stretch.{0} forearm_stretch.{0} hand.{0}",),
        ("l", "r"),
    ),
    Names("tail01", "head"),
)


def figure_of(parents: dict[str, str], deforming: Iterable[str]) -> Figure:
    """The figure inside an armature.

    Args:
        parents: The parent's name of every bone, "" for none, parents first.
        deforming: Bones that move a mesh; the figure is made of them, or of all where they do not hold its parts.
    """
    chosen = set(deforming)
    for names in KINDS:
        if names.all() <= set(parents):
            bones = [bone for bone in parents if not chosen or bone in chosen or bone in names.all()]
            # A root bone below the pelvis carries the figure and is no part of it.
            carriers = set(_ancestors(names.pelvis, parents))
            return _figure(names, [bone for bone in bones if bone not in carriers], parents)
    raise ValueError(f"no known figure has these bones: {', '.join(list(parents)[:8])}")


def _ancestors(bone: str, parents: dict[str, str]) -> Iterator[str]:
    while parents[bone]:
        bone = parents[bone]
        yield bone


def _figure(names: Names, bones: list[str], parents: dict[str, str]) -> Figure:
    legs, arms = names.limbs(names.legs), names.limbs(names.arms)
    places = {bone: place for place, bone in enumerate(bones)}

    def parent(bone: str) -> int:
        """The nearest bone of the figure above; what hangs on no other, as in control rigs, goes by the pelvis."""
        nearest = next((name for name in _ancestors(bone, parents) if name in places), names.pelvis)
        return -1 if bone == names.pelvis else places[nearest]

    return Figure(tuple(bones), tuple(map(parent, bones)), names.pelvis, names.head, legs, arms)

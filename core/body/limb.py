"""One limb of a character: an arm, a leg, a wing or a tail."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum


class Side(Enum):
    """The character's own left or right, or its middle."""

    LEFT = "left"
    RIGHT = "right"
    CENTRE = "centre"

    @property
    def opposite(self) -> "Side":
        """The other side; the middle is its own opposite."""
        return {Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT, Side.CENTRE: Side.CENTRE}[self]


class LimbKind(Enum):
    """What a limb is; four-legged characters have fore and hind legs and no arms."""

    ARM = "arm"
    LEG = "leg"
    FORE_LEG = "fore leg"
    HIND_LEG = "hind leg"
    WING = "wing"
    TAIL = "tail"

    @property
    def is_leg(self) -> bool:
        """The limb stands on the ground and ends in a foot."""
        return self in (LimbKind.LEG, LimbKind.FORE_LEG, LimbKind.HIND_LEG)


@dataclass(frozen=True)
class Limb:
    """A limb by joint numbers.

    Attributes:
        kind: What it is.
        side: On which side; a tail is in the middle.
        chain: The joints that turn, from upper arm or thigh down to hand or foot. In a
            control rig these are the FK controls; mechanism bones between them are left out.
        end: The hand or foot: the last joint of the chain, or a control of its own (IK)
            whose place is that of the hand or foot; None if the skeleton has none.
        girdle: Joints between torso and limb (clavicle, scapula, hip joint), top first.
        digits: Fingers or toes, each from its first joint outward.
        number: Which one it is of several of its kind on its side, from 1 on: a spider has four left legs.
    """

    kind: LimbKind
    side: Side
    chain: tuple[int, ...]
    end: int | None = None
    girdle: tuple[int, ...] = ()
    digits: tuple[tuple[int, ...], ...] = ()
    number: int = 1

    @property
    def role(self) -> str:
        """The limb's name among the roles, such as 'left arm', 'left leg 2' or 'tail'."""
        name = self.kind.value if self.side is Side.CENTRE else f"{self.side.value} {self.kind.value}"
        return name if self.number == 1 else f"{name} {self.number}"

    @property
    def end_is_in_chain(self) -> bool:
        """The hand or foot follows from the chain's rotations; if not, a control places it."""
        return self.end is not None and self.end in self.chain

    def renumbered(self, number: Mapping[int, int]) -> "Limb | None":
        """The same limb where its joints have other numbers; None if one of its chain has none there."""
        if not all(joint in number for joint in (*self.chain, *(() if self.end is None else (self.end,)))):
            return None
        digits = (tuple(number[joint] for joint in digit if joint in number) for digit in self.digits)
        return replace(
            self,
            chain=tuple(number[joint] for joint in self.chain),
            end=None if self.end is None else number[self.end],
            girdle=tuple(number[joint] for joint in self.girdle if joint in number),
            digits=tuple(filter(None, digits)),
        )

    @property
    def joints(self) -> tuple[int, ...]:
        """Every joint of the limb once: girdle, chain, end, digits."""
        end = () if self.end is None else (self.end,)
        listed = (*self.girdle, *self.chain, *end, *(joint for digit in self.digits for joint in digit))
        return tuple(dict.fromkeys(listed))


def numbered(limbs: Iterable[Limb]) -> tuple[Limb, ...]:
    """The limbs, with those of the same kind and side counted."""
    found: list[Limb] = []
    for limb in limbs:
        same = [other for other in found if (other.kind, other.side) == (limb.kind, limb.side)]
        found.append(replace(limb, number=len(same) + 1))
    return tuple(found)

"""The character set-up: which joint is which part of the body."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import MissingRoleError
from ..motion import Indices, Skeleton
from .axis import Axis
from .hierarchy import control_joints
from .joint_names import is_of_face, read_name
from .limb import Limb, LimbKind, Side
from .limb_setting import with_chains, with_ends
from .symmetry import Pairs

_ROLES_OF_ONE = ("root", "head")
_ROLES_OF_MANY = ("torso", "neck")
_LIMB_ROLES = {
    f"{side.value} {kind.value}": (kind, side)
    for kind in LimbKind
    for side in (Side.LEFT, Side.RIGHT)
    if kind is not LimbKind.TAIL
} | {"tail": (LimbKind.TAIL, Side.CENTRE)}
_END_ROLES = {
    f"{side.value} {word}": (kind, side)
    for side in (Side.LEFT, Side.RIGHT)
    for word, kind in {
        "hand": LimbKind.ARM,
        "foot": LimbKind.LEG,
        "fore foot": LimbKind.FORE_LEG,
        "hind foot": LimbKind.HIND_LEG,
    }.items()
}
_GROUPS = {
    "hands": lambda body: body.hands,
    "feet": lambda body: body.feet,
    "fingers": lambda body: body.fingers,
    "toes": lambda body: body.toes,
    "arms": lambda body: body.limbs_of(LimbKind.ARM),
    "legs": lambda body: body.legs,
    "wings": lambda body: body.limbs_of(LimbKind.WING),
    "limbs": lambda body: body.limbs,
    "left and right pairs": lambda body: body.pairs,
    "up axis": lambda body: body.up,
    "forward axis": lambda body: body.forward,
    "height": lambda body: body.height,
}
_SINGULAR = frozenset({"root", "head", "torso", "neck", "tail", "up axis", "forward axis", "height"})

ROLES = (*_ROLES_OF_ONE, *_ROLES_OF_MANY, *_GROUPS, *_LIMB_ROLES, *_END_ROLES)


@dataclass(frozen=True, eq=False)
class Body:
    """A character's parts by joint number. What is not known is None or empty.

    Attributes:
        skeleton: The joints that the numbers refer to.
        root: The joint that carries the character: pelvis, or a rig's torso control.
        torso: From the root to the chest.
        neck: Between chest and head.
        head: The head.
        limbs: Arms, legs, wings, tail.
        pairs: (left, right) joints that mirror each other, over the whole skeleton.
        up: Direction away from the ground, in the scene.
        forward: Direction that the character faces at rest, in the scene.
        height: Height of the standing character in units of the scene.
    """

    skeleton: Skeleton
    root: int | None = None
    torso: tuple[int, ...] = ()
    neck: tuple[int, ...] = ()
    head: int | None = None
    limbs: tuple[Limb, ...] = ()
    pairs: Pairs = ()
    up: Axis | None = None
    forward: Axis | None = None
    height: float | None = None

    def limbs_of(self, *kinds: LimbKind, side: Side | None = None) -> tuple[Limb, ...]:
        """Limbs of the kinds, on one side or on all."""
        return tuple(limb for limb in self.limbs if limb.kind in kinds and side in (None, limb.side))

    @property
    def legs(self) -> tuple[Limb, ...]:
        """Everything that stands on the ground: legs, fore legs, hind legs."""
        return tuple(limb for limb in self.limbs if limb.kind.is_leg)

    @property
    def hands(self) -> tuple[int, ...]:
        """Ends of the arms."""
        return _ends(self.limbs_of(LimbKind.ARM))

    @property
    def feet(self) -> tuple[int, ...]:
        """Ends of all legs."""
        return _ends(self.legs)

    @property
    def fingers(self) -> tuple[tuple[int, ...], ...]:
        """Fingers of all hands, each from its first joint outward."""
        return tuple(digit for limb in self.limbs_of(LimbKind.ARM) for digit in limb.digits)

    @property
    def toes(self) -> tuple[tuple[int, ...], ...]:
        """Toes of all feet, each from its first joint outward."""
        return tuple(digit for limb in self.legs for digit in limb.digits)

    @cached_property
    def face(self) -> tuple[int, ...]:
        """Joints of the face by their names, and what hangs on them; those that an animator moves."""
        names, parts = self.skeleton.names, (*self.torso, *self.neck, self.head, self.root)
        limbs = {joint for limb in self.limbs for joint in limb.joints}
        named = {joint for joint in range(len(names)) if is_of_face(names[joint])} - {*parts} - limbs
        below = {joint for each in named for joint in self.skeleton.descendants(each)}
        return tuple(joint for joint in control_joints(self.skeleton) if joint in (named | below) - {*parts} - limbs)

    @cached_property
    def mirror(self) -> Indices:
        """(J,) the joint on the other side; a joint in the middle or without partner is its own."""
        partner = np.arange(len(self.skeleton), dtype=np.intp)
        for left, right in self.pairs:
            partner[left], partner[right] = right, left
        partner.flags.writeable = False
        return partner

    def side_of(self, joint: int) -> Side:
        """Side of a joint: by its pair, else by its name; what carries the head is in the middle whatever its name."""
        for left, right in self.pairs:
            if joint in (left, right):
                return Side.LEFT if joint == left else Side.RIGHT
        if joint in (*self.torso, *self.neck, self.head, self.root):
            return Side.CENTRE
        return read_name(self.skeleton.names[joint]).side

    def get(self, role: str) -> Any:
        """What a role holds, of the names in ROLES; None or empty if it is not set.

        Raises:
            ValueError: There is no such role.
        """
        if role in _ROLES_OF_ONE + _ROLES_OF_MANY:
            return getattr(self, role)
        if role in _GROUPS:
            return _GROUPS[role](self)
        name, number = _counted(role)
        if name in _LIMB_ROLES or name in _END_ROLES:
            kind, side = _LIMB_ROLES[name] if name in _LIMB_ROLES else _END_ROLES[name]
            limb = self._limb(kind, side, number)
            return limb if limb is None or name in _LIMB_ROLES else limb.end
        raise ValueError(f"There is no role '{role}'")

    def require(self, role: str) -> Any:
        """What a role holds.

        Raises:
            MissingRoleError: It is not set; the message says where to set it.
        """
        value = self.get(role)
        if value is None or value == ():
            verb, them = ("is", "it") if _is_singular(role) else ("are", "them")
            raise MissingRoleError(f"No {role} {verb} set: choose {them} in the Character panel")
        return value

    def with_role(self, role: str, joints: Any) -> "Body":
        """The same body with one role corrected.

        Args:
            role: 'root', 'head', 'torso', 'neck', a limb ('left arm', 'left leg 2', 'tail'), the
                end of one ('left hand', 'right hind foot 2'), 'up axis', 'forward axis' or 'height'.
            joints: Joint number or name, several for torso, neck and limbs; an Axis; a
                number; None or nothing to empty the role. Several ends, or the joints of
                several limbs, make as many limbs of the kind.

        Raises:
            ValueError: The role cannot be set this way, or a joint is not in the skeleton.
        """
        if role in _ROLES_OF_ONE + _ROLES_OF_MANY:
            value: Any = self._joint(joints) if role in _ROLES_OF_ONE else self._joints(joints)
            return replace(self, **{role: value})
        if role in ("up axis", "forward axis"):
            axis: Any = None if joints is None else Axis(joints)
            return replace(self, **{role.split()[0]: axis})
        if role == "height":
            return replace(self, height=None if joints is None else float(joints))
        name, number = _counted(role)
        if name in _LIMB_ROLES or name in _END_ROLES:
            return self._with_limbs(name, number, joints)
        raise ValueError(f"The role '{role}' cannot be set; set its limbs one by one")

    def with_parts_of(self, other: "Body", number: Mapping[int, int]) -> "Body":
        """The same body with the parts of another one, whose joints have other numbers here.

        Args:
            other: Limbs of its that are not here as a whole are left out.
            number: Joint here by joint there.
        """
        limbs = [limb.renumbered(number) for limb in other.limbs]
        known = tuple(limb for limb in limbs if limb is not None)
        return replace(
            self,
            root=number.get(other.root, self.root) if other.root is not None else self.root,
            head=number.get(other.head, self.head) if other.head is not None else self.head,
            limbs=known or self.limbs,
        )

    def with_pair(self, left: int | str, right: int | str) -> "Body":
        """The same body with two joints made each other's mirror image."""
        first, second = self._joints((left, right))
        if first == second:
            raise ValueError("A pair needs two different joints")
        kept = [pair for pair in self.pairs if not {first, second}.intersection(pair)]
        return replace(self, pairs=tuple(sorted([*kept, (first, second)])))

    def _limb(self, kind: LimbKind, side: Side, number: int) -> Limb | None:
        return next((limb for limb in self.limbs_of(kind, side=side) if limb.number == number), None)

    def _with_limbs(self, role: str, number: int, joints: Any) -> "Body":
        """The same body with a limb, or its end, corrected; several ends or chains make as many limbs."""
        single = joints is None or isinstance(joints, str) or not np.iterable(joints)
        numbers = self._joints(() if joints is None else (joints,) if single else joints)
        kind, side = _LIMB_ROLES[role] if role in _LIMB_ROLES else _END_ROLES[role]
        chosen = Limb(kind, side, (), number=number)
        if role in _LIMB_ROLES:
            return replace(self, limbs=with_chains(self.limbs, chosen, numbers, self.skeleton))
        trunk = [joint for joint in (self.root, *self.torso) if joint is not None]
        return replace(self, limbs=with_ends(self.limbs, chosen, numbers, self.skeleton, trunk))

    def _joint(self, joint: int | str | None) -> int | None:
        if joint is None:
            return None
        number = self.skeleton.index.get(joint, -1) if isinstance(joint, str) else int(joint)
        if not 0 <= number < len(self.skeleton):
            raise ValueError(f"The skeleton has no bone '{joint}'")
        return number

    def _joints(self, joints: Iterable[int | str] | None) -> tuple[int, ...]:
        return tuple(number for joint in joints or () if (number := self._joint(joint)) is not None)


def _ends(limbs: tuple[Limb, ...]) -> tuple[int, ...]:
    return tuple(limb.end for limb in limbs if limb.end is not None)


def _counted(role: str) -> tuple[str, int]:
    """'left leg' and 2 for 'left leg 2', the second of several; 1 where there is no number."""
    name, _, number = role.rpartition(" ")
    return (name, int(number)) if number.isdecimal() else (role, 1)


def _is_singular(role: str) -> bool:
    name, _ = _counted(role)
    return role in _SINGULAR or name in _LIMB_ROLES or name in _END_ROLES

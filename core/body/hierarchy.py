"""The joints that make up the body, as a tree of their own without mechanism bones."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from ..motion import Skeleton
from .joint_names import JointName, Part, is_mechanism, is_vertebra, mirror_name, read_name
from .limb import Side

_LIMB_PARTS = frozenset({Part.UPPER_ARM, Part.FOREARM, Part.HAND, Part.THIGH, Part.LEG, Part.SHIN, Part.FOOT})


def control_joints(skeleton: Skeleton) -> tuple[int, ...]:
    """The joints that an animator moves.

    Where a rig has controls beside its DEF-, ORG- and MCH- bones, only the controls count.
    A skeleton exported without controls keeps its DEF- (else its ORG-) bones. The joint
    that places the whole skeleton is never among them.
    """
    joints = range(1 if skeleton.has_placement else 0, len(skeleton))
    plain = [joint for joint in joints if not is_mechanism(skeleton.names[joint])]
    if any(read_name(skeleton.names[joint]).part in _LIMB_PARTS for joint in plain):
        return tuple(plain)
    for prefix in ("DEF", "ORG"):
        chosen = [joint for joint in joints if skeleton.names[joint].startswith(prefix)]
        if chosen:
            return tuple(sorted({*plain, *chosen}))
    return tuple(plain)


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A skeleton seen through its body joints: a parent is the nearest ancestor that is one.

    Attributes:
        skeleton: The whole skeleton; joint numbers are its own.
        joints: The body joints, parents before children.
    """

    skeleton: Skeleton
    joints: tuple[int, ...]

    @classmethod
    def of(cls, skeleton: Skeleton) -> "Hierarchy":
        """The tree of the joints that an animator moves."""
        chosen = set(control_joints(skeleton))
        return cls(skeleton, tuple(int(joint) for level in skeleton.levels for joint in level if joint in chosen))

    @cached_property
    def parent(self) -> dict[int, int]:
        """Nearest body joint above each joint, -1 if there is none."""
        chosen, parents = {-1, *self.joints}, self.skeleton.parents.tolist()
        found = {}
        for joint in self.joints:
            above = parents[joint]
            while above not in chosen:
                above = parents[above]
            found[joint] = above
        return found

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """Body joints directly below each joint; -1 lists the topmost ones."""
        found: dict[int, list[int]] = {joint: [] for joint in (-1, *self.joints)}
        for joint in sorted(self.joints):
            found[self.parent[joint]].append(joint)
        return found

    @cached_property
    def sizes(self) -> dict[int, int]:
        """How many joints lie under each joint."""
        found = dict.fromkeys((-1, *self.joints), 0)
        for joint in reversed(self.joints):
            found[self.parent[joint]] += found[joint] + 1
        return found

    @cached_property
    def labels(self) -> dict[int, JointName]:
        """What each joint's name says; a side that contradicts the parent's is a slip and gives way."""
        found: dict[int, JointName] = {}
        for joint in self.joints:
            label = self._read(self.skeleton.names[joint])
            above = found.get(self.parent[joint])
            if above is not None and above.side is label.side.opposite and label.side is not Side.CENTRE:
                label = replace(label, side=above.side)
            found[joint] = label
        return found

    def _read(self, name: str) -> JointName:
        """What a name says; 'L5' is a vertebra where there is no 'R5'."""
        vertebra = is_vertebra(name) and (mirror_name(name) == name or mirror_name(name) not in self.skeleton.index)
        return JointName(Side.CENTRE, Part.SPINE) if vertebra else read_name(name)

    def above(self, joint: int) -> list[int]:
        """The joint's parent, the parent's parent and so on."""
        found = []
        while (joint := self.parent[joint]) >= 0:
            found.append(joint)
        return found

    def below(self, joint: int) -> list[int]:
        """All joints under a joint, parents before children."""
        found = list(self.children[joint])
        for child in found:
            found.extend(self.children[child])
        return found

    def path(self, upper: int, lower: int) -> tuple[int, ...]:
        """From an ancestor down to a joint, both included; only the joint if it is no descendant."""
        line = [lower, *self.above(lower)]
        return tuple(reversed(line[: line.index(upper) + 1])) if upper in line else (lower,)

    def common_ancestor(self, joints: Iterable[int]) -> int | None:
        """The lowest joint above all the given ones; those in another tree are passed over."""
        shared: list[int] = []
        for joint in joints:
            line = self.above(joint)
            met = [above for above in shared if above in line]
            shared = met or shared or line
        return shared[0] if shared else None

    def labelled(self, *parts: Part, side: Side | None = None) -> list[int]:
        """Joints whose name speaks of one of the parts, in the order of the skeleton."""
        return [
            joint
            for joint in sorted(self.joints)
            if self.labels[joint].part in parts and side in (None, self.labels[joint].side)
        ]

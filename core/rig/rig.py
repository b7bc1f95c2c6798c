"""A rig: bones with what moves them, and their poses worked out for all frames at once.

Blender evaluates a control rig one frame after the other, in thousandths of a second each. What most rigs do is
simple enough to be done here for all frames together; whatever is not known is named, and then Blender is asked.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ..motion import Indices, InheritScale
from ..numerics import Array
from .chain import Chain
from .constraints import Constraint
from .matrices import inverse
from .values import Value, channels_of


@dataclass(frozen=True)
class DrivenChannel:
    """A component of a bone's own channels that a driver sets.

    Attributes:
        joint: The bone.
        part: 'location', 'rotation_euler' or 'scale'.
        index: Which component.
        value: What it is set to.
    """

    joint: int
    part: str
    index: int
    value: Value


@dataclass(frozen=True, eq=False)
class Rig:
    """Bones, in the space of their armature; joint 0 is the object, which is not part of any pose.

    Attributes:
        names: J names.
        parents: (J,) of each; 0 and -1 stand for none.
        rest: (J, 4, 4) matrices at rest.
        lengths: (J,) of each bone.
        orders: Euler order of each.
        inherits_rotation: (J,) whether it turns with its parent.
        inherit_scale: (J,) how it takes over scale.
        local_location: (J,) whether its location is along its own axes.
        connected: (J,) whether its location is left out.
        constraints: Of each bone, in order.
        chains: Limbs that reach for something.
        driven: Channels that drivers set.
        unknown: What cannot be worked out: by joint, why.
    """

    names: tuple[str, ...]
    parents: Indices
    rest: Array
    lengths: Array
    orders: tuple[str, ...]
    inherits_rotation: Array
    inherit_scale: Array
    local_location: Array
    connected: Array
    constraints: tuple[tuple[Constraint, ...], ...]
    chains: tuple[Chain, ...] = ()
    driven: tuple[DrivenChannel, ...] = ()
    unknown: tuple[tuple[int, str], ...] = ()

    @cached_property
    def index(self) -> dict[str, int]:
        """Joint number by name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def chain_of(self) -> dict[int, Chain]:
        """The chain that a bone belongs to."""
        return {joint: chain for chain in self.chains for joint in chain.joints}

    @cached_property
    def driven_of(self) -> dict[int, tuple[DrivenChannel, ...]]:
        """Driven channels by joint."""
        found: dict[int, tuple[DrivenChannel, ...]] = {}
        for each in self.driven:
            found[each.joint] = (*found.get(each.joint, ()), each)
        return found

    @cached_property
    def rest_offsets(self) -> Array:
        """(J, 4, 4) rest of each bone in that of its parent."""
        from_parent = self.rest.copy()
        for joint, parent in enumerate(self.parents.tolist()):
            if parent > 0:
                from_parent[joint] = inverse(self.rest[parent]) @ self.rest[joint]
        return from_parent

    def is_plain_child(self, joint: int) -> bool:
        """Whether a bone follows its parent as a whole."""
        return bool(
            self.inherits_rotation[joint]
            and self.inherit_scale[joint] == InheritScale.FULL
            and self.local_location[joint]
        )

    def sources(self, joint: int, acting: Iterable[Constraint]) -> list[int]:
        """Bones whose poses decide that of a bone before it is part of a chain.

        Args:
            acting: Those of its constraints that do something.
        """
        parent = int(self.parents[joint])
        found, values = [parent], [each.value for each in self.driven_of.get(joint, ())]
        for constraint in acting:
            found += [target.joint for target in constraint.targets]
            found += [constraint.space_joint] if "CUSTOM" in (constraint.owner_space, constraint.target_space) else []
            # What a target's own space is depends on the target's parent.
            if constraint.target_space.startswith("LOCAL"):
                found += [int(self.parents[target.joint]) for target in constraint.targets]
            values += [constraint.influence, *(target.weight for target in constraint.targets)]
        return [each for each in (*found, *seen_joints(values)) if each > 0]


def seen_joints(values: Iterable[Value]) -> list[int]:
    """Bones whose poses decide some numbers."""
    return [channel.joint for value in values for channel in channels_of(value) if channel.space]

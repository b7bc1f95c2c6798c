"""A Blender armature as a core Rig: bones, constraints, drivers; what core does not know is named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.motion import InheritScale
from ....core.rig import Chain, DrivenChannel, Goal, Link, Rig
from ....core.rig import constraints as kinds
from .rig_constraints import constraint_of
from .rig_numbers import RigNumbers, UnknownPartError, order_of

if TYPE_CHECKING:
    from bpy.types import Constraint, Object, PoseBone

    from ....core.rig import Value

# In the space of the scene constraints of one rig do what they do in the space of its armature.
_SPACES = {"WORLD": "POSE"}
_AXES = "xyz"


def rig_of(armature: Object) -> Rig:
    """Read the rig as it is now."""
    return _Reader(armature).rig()


class _Reader:
    """Reads one armature."""

    def __init__(self, armature: Object) -> None:
        self.armature = armature
        self.bones = armature.pose.bones
        self.index = {bone.name: number for number, bone in enumerate(self.bones, start=1)}
        self.numbers = RigNumbers(armature)
        self.unknown: dict[int, str] = {}

    def rig(self) -> Rig:
        """All of it."""
        bones = [bone.bone for bone in self.bones]
        constraints = [(), *(self._constraints(bone) for bone in self.bones)]
        chains = tuple(self._chains())
        return Rig(
            names=("", *self.index),
            parents=np.array([-1, *(self.index[bone.parent.name] if bone.parent else 0 for bone in bones)]),
            rest=np.array([np.eye(4), *(np.array(bone.matrix_local) for bone in bones)]),
            lengths=np.array([0.0, *(bone.length for bone in bones)]),
            orders=("XYZ", *map(order_of, self.bones)),
            inherits_rotation=np.array([True, *(not bone.parent or bone.use_inherit_rotation for bone in bones)]),
            inherit_scale=np.array(
                [0, *(InheritScale[bone.inherit_scale] if bone.parent else InheritScale.FULL for bone in bones)]
            ),
            local_location=np.array([True, *(bone.use_local_location for bone in bones)]),
            connected=np.array([False, *(bool(bone.parent) and bone.use_connect for bone in bones)]),
            constraints=tuple(constraints),
            chains=chains,
            driven=tuple(self._driven_channels()),
            unknown=tuple(self.unknown.items()),
        )

    def _note(self, bone: PoseBone, why: object) -> None:
        self.unknown.setdefault(self.index[bone.name], f"'{bone.name}': {why}")

    # Constraints

    def _constraints(self, bone: PoseBone) -> tuple[kinds.Constraint, ...]:
        found = []
        for constraint in bone.constraints:
            if constraint.type in ("IK", "SPLINE_IK"):
                continue
            try:
                made = self._constraint(bone, constraint)
            except UnknownPartError as why:
                self._note(bone, f"constraint '{constraint.name}': {why}")
                continue
            if made is not None:
                found.append(made)
        return tuple(found)

    def _constraint(self, bone: PoseBone, constraint: Any) -> kinds.Constraint | None:
        influence = self._influence(constraint)
        if influence == 0.0 or not constraint.is_valid:
            return None
        targets = self._targets(constraint)
        if targets is None:
            return None
        order = getattr(constraint, "euler_order", "AUTO")
        return constraint_of(
            constraint,
            targets=targets,
            influence=influence,
            owner_space=_SPACES.get(constraint.owner_space, constraint.owner_space),
            target_space=_SPACES.get(constraint.target_space, constraint.target_space),
            space_joint=self._space_joint(constraint),
            order=order_of(bone) if order == "AUTO" else order,
        )

    def _influence(self, constraint: Constraint) -> Value:
        return self.numbers.shared(constraint.path_from_id(), constraint.influence, constraint.mute)

    def _targets(self, constraint: Any) -> tuple[kinds.Target, ...] | None:
        """The bones that it looks at; None where a target is missing, so that it does nothing."""
        if constraint.type == "ARMATURE":
            return self._weighted(constraint)
        if not hasattr(constraint, "target"):
            return ()
        if constraint.target is None:
            return None
        if constraint.target != self.armature or constraint.subtarget not in self.index:
            raise UnknownPartError("its target is not a bone of this rig")
        along = getattr(constraint, "head_tail", 0.0)
        if getattr(constraint, "use_bbone_shape", False) and along:
            raise UnknownPartError("it follows a bendy bone")
        return (kinds.Target(self.index[constraint.subtarget], along),)

    def _weighted(self, constraint: Any) -> tuple[kinds.Target, ...]:
        if constraint.use_deform_preserve_volume and sum(each.weight > 0.0 for each in constraint.targets) > 1:
            raise UnknownPartError("it preserves volume")
        if constraint.use_bone_envelopes:
            raise UnknownPartError("it uses envelopes")
        path, found = constraint.path_from_id(), []
        for number, each in enumerate(constraint.targets):
            weight = self.numbers.value(f"{path}.targets[{number}].weight", each.weight)
            if weight == 0.0:
                continue
            if each.target != self.armature or each.subtarget not in self.index:
                raise UnknownPartError("its target is not a bone of this rig")
            found.append(kinds.Target(self.index[each.subtarget], weight=weight))
        return tuple(found)

    def _space_joint(self, constraint: Any) -> int:
        if "CUSTOM" not in (constraint.owner_space, constraint.target_space):
            return 0
        if constraint.space_object != self.armature or constraint.space_subtarget not in self.index:
            raise UnknownPartError("its space is not a bone of this rig")
        return self.index[constraint.space_subtarget]

    # Chains

    def _chains(self) -> Iterator[Chain]:
        taken: set[int] = set()
        for bone in self.bones:
            found = [each for each in bone.constraints if each.type in ("IK", "SPLINE_IK")]
            members = [bone, *bone.parent_recursive]
            try:
                acting = [(each, self._influence(each)) for each in found]
                acting = [(each, share) for each, share in acting if share != 0.0 and each.is_valid]
                if not acting:
                    continue
                chain = self._chain(members, acting)
                if taken & {*chain.joints}:
                    raise UnknownPartError("chains share bones")
            except UnknownPartError as why:
                for each in members[: getattr(found[0], "chain_count", 0) or None]:
                    self._note(each, f"inverse kinematics: {why}")
                continue
            taken |= {*chain.joints}
            yield chain

    def _chain(self, members: list[PoseBone], acting: list[tuple[Any, Value]]) -> Chain:
        if any(each.type == "SPLINE_IK" for each, _share in acting):
            raise UnknownPartError("it follows a curve")
        starts = {(each.chain_count, each.use_tail) for each, _share in acting}
        if len(starts) > 1 or not all(each.use_tail for each, _share in acting):
            raise UnknownPartError("its goals have different chains")
        count = acting[0][0].chain_count
        bones = (members[:count] if count else members)[::-1]
        return Chain(tuple(map(self._link, bones)), tuple(self._goal(each, share) for each, share in acting))

    def _link(self, bone: PoseBone) -> Link:
        if any((bone.use_ik_limit_x, bone.use_ik_limit_y, bone.use_ik_limit_z)):
            raise UnknownPartError("it has limits")
        free = tuple(axis for axis, name in enumerate(_AXES) if not getattr(bone, f"lock_ik_{name}"))
        if len(free) not in (1, 3):
            raise UnknownPartError("a bone turns about two axes")
        stiffness = bone.ik_stiffness_x, bone.ik_stiffness_y, bone.ik_stiffness_z
        return Link(self.index[bone.name], bone.bone.length, free, stiffness, bone.ik_stretch)

    def _goal(self, constraint: Any, share: Value) -> Goal:
        if constraint.use_rotation or not constraint.use_location or constraint.ik_type != "COPY_POSE":
            raise UnknownPartError("it also turns its end")
        if constraint.target != self.armature or constraint.subtarget not in self.index:
            raise UnknownPartError("its target is not a bone of this rig")
        pole = None
        if constraint.pole_target is not None:
            if constraint.pole_target != self.armature or constraint.pole_subtarget not in self.index:
                raise UnknownPartError("its pole is not a bone of this rig")
            pole = kinds.Target(self.index[constraint.pole_subtarget])
        target = kinds.Target(self.index[constraint.subtarget], getattr(constraint, "head_tail", 0.0))
        return Goal(target, share, pole, constraint.pole_angle, constraint.use_stretch, constraint.iterations)

    def _driven_channels(self) -> Iterator[DrivenChannel]:
        for name, part, index, value in self.numbers.driven_channels():
            if isinstance(value, UnknownPartError):
                self._note(self.bones[name], value)
            else:
                yield DrivenChannel(self.index[name], part, index, value)

"""Poses of a rig, worked out for all frames of a motion at once."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ..motion import Mask, Motion
from ..numerics import Array, quaternion, rotation_channels
from . import matrices
from .bone_start import BoneStart
from .chain import Chain, Goal
from .chain_pose import ChainPose
from .constraints import Constraint, Target
from .plan import Plan
from .rig import Rig, seen_joints
from .values import Channel, Driven, Value


class RigPoses:
    """Matrices (F, 4, 4) of a rig's bones in the space of the armature, for the channels of a motion."""

    def __init__(self, rig: Rig, motion: Motion, joints: Iterable[int]) -> None:
        """Work out some bones, and all that they follow from."""
        self.rig, self.motion = rig, motion
        self._poses: dict[int, Array] = {}
        self._before_chains: dict[int, Array] = {}
        self._starts: dict[int, BoneStart] = {}
        self._values: dict[Value, Array] = {}
        self._scalars = {name: number for number, name in enumerate(motion.scalar_names)}
        self._acting: dict[int, tuple[Constraint, ...]] = {}
        self._chains: dict[int, Chain | None] = {}
        self.plan = Plan(rig, joints, self._constraints_of, self._chain_of)
        for step in self.plan.steps:
            if isinstance(step, Chain):
                self._reach(step)
            else:
                self._poses[step] = self._constrained(step)

    def __getitem__(self, joint: int) -> Array:
        """(F, 4, 4) of a bone that was asked for."""
        return self._poses[joint]

    def alone(self, joint: int) -> Array:
        """(F, 4, 4) of a bone as it is before a chain that it belongs to reaches for something."""
        return self._before_chains.get(joint, self._poses[joint])

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.motion)

    # What counts

    def _constraints_of(self, joint: int) -> tuple[Constraint, ...]:
        """Those of a bone that do something, without what a later one replaces as a whole."""
        if joint not in self._acting:
            found: list[Constraint] = []
            for constraint in self.rig.constraints[joint]:
                share = self._known(constraint.influence)
                if share is not None and not share.any():
                    continue
                if constraint.replaces and share is not None and (share >= 1.0).all():
                    found.clear()
                found.append(self._weighed(constraint))
            self._acting[joint] = tuple(found)
        return self._acting[joint]

    def _weighed(self, constraint: Constraint) -> Constraint:
        """Without targets that never count."""
        if not constraint.deforms:
            return constraint
        weights = [self._known(target.weight) for target in constraint.targets]
        kept = [
            each for each, weight in zip(constraint.targets, weights, strict=True) if weight is None or weight.any()
        ]
        return replace(constraint, targets=tuple(kept))

    def _chain_of(self, joint: int) -> Chain | None:
        """The chain that a bone belongs to, with the goals that count; None if it has none."""
        if joint not in self._chains:
            chain = self.rig.chain_of.get(joint)
            goals = [] if chain is None else [goal for goal in chain.goals if self._counts(goal.influence)]
            found = replace(chain, goals=tuple(goals)) if chain is not None and goals else None
            self._chains.update(dict.fromkeys(chain.joints if chain is not None else (joint,), found))
        return self._chains[joint]

    def _counts(self, influence: Value) -> bool:
        share = self._known(influence)
        return share is None or bool(share.any())

    def _known(self, value: Value) -> Array | None:
        """(F,) of a number, if no bone has to be worked out for it."""
        return None if seen_joints([value]) else self.value(value)

    # Numbers

    def value(self, value: Value) -> Array:
        """(F,) of an influence or the like."""
        if not isinstance(value, (Channel, Driven)):
            return np.full(self.frames, float(value))
        if value not in self._values:
            found = self._channel(value) if isinstance(value, Channel) else value.value(self.value)
            self._values[value] = np.broadcast_to(np.asarray(found, dtype=np.float64), (self.frames,))
        return self._values[value]

    def _channel(self, channel: Channel) -> Any:
        if channel.space:
            return self._seen(channel)
        if channel.part:
            return self._own(channel.joint, channel.part, channel.order)[:, channel.index]
        number = self._scalars.get(channel.name)
        return channel.held if number is None else self.motion.scalars[:, number]

    def _own(self, joint: int, part: str, order: str) -> Array:
        """(F, N) the numbers of a bone's own channels."""
        if part == "rotation_euler":
            return rotation_channels.to_euler(self.motion.rotations[:, joint], order)
        found: Array = {
            "location": self.motion.locations,
            "scale": self.motion.scales,
            "rotation_quaternion": self.motion.rotations,
        }[part][:, joint]
        return found

    def _seen(self, channel: Channel) -> Array:
        """(F,) a component of where a bone is."""
        seen = self._in_space(channel.joint, self._poses[channel.joint], channel.space, channel.joint)
        if channel.part == "location":
            return seen[:, channel.index, 3]
        if channel.part == "scale":
            return matrices.sizes(seen)[:, channel.index]
        turns = quaternion.from_matrix(matrices.axes(seen))[None]
        return rotation_channels.to_euler(turns, channel.order, start=np.zeros((self.frames, 3)))[0, :, channel.index]

    # Bones

    def _constrained(self, joint: int) -> Array:
        free = pose = self._start(joint).carried(self._local(joint))
        for constraint in self._constraints_of(joint):
            influence = self.value(constraint.influence)
            if influence.any():
                after = self._solved(joint, constraint, pose)
                pose = after if (influence >= 1.0).all() else matrices.mixed(pose, after, influence)
        # Constraints do not take a bone off the tip that it is connected to.
        return matrices.affine(pose[:, :3, :3], free[:, :3, 3]) if self.rig.connected[joint] else pose

    def _local(self, joint: int) -> Array:
        """(F, 4, 4) of a bone's own channels."""
        turns, place = self.motion.rotations[:, joint], self.motion.locations[:, joint]
        size = self.motion.scales[:, joint]
        for each in self.rig.driven_of.get(joint, ()):
            if each.part == "rotation_euler":
                angles = rotation_channels.to_euler(turns, self.rig.orders[joint])
                angles[:, each.index] = self.value(each.value)
                turns = rotation_channels.from_euler(angles, self.rig.orders[joint])
            else:
                column = (place if each.part == "location" else size).copy()
                column[:, each.index] = self.value(each.value)
                place, size = (column, size) if each.part == "location" else (place, column)
        if self.rig.connected[joint]:
            place = np.zeros_like(place)
        return matrices.affine(quaternion.to_matrix(turns) * size[:, None, :], place)

    def _start(self, joint: int) -> BoneStart:
        """What a bone's own channels are relative to."""
        if joint not in self._starts:
            self._starts[joint] = BoneStart.of(self.rig, joint, self._poses, self.frames)
        return self._starts[joint]

    def _solved(self, joint: int, constraint: Constraint, pose: Array) -> Array:
        space = self._space(constraint)
        own = self._in_space(joint, pose, constraint.owner_space, joint, space)
        if constraint.deforms:
            targets = self._deformation(constraint.targets)
            if targets is None:
                return pose
            return constraint.solve(own, [targets])
        seen = [self._target(each, constraint, joint, space) for each in constraint.targets]
        return self._from_space(joint, constraint.solve(own, seen), constraint.owner_space, space)

    def _space(self, constraint: Constraint) -> Array | None:
        custom = "CUSTOM" in (constraint.owner_space, constraint.target_space)
        return self._poses[constraint.space_joint] if custom else None

    def _target(self, target: Target, constraint: Constraint, owner: int, space: Array | None) -> Array:
        pose = self._poses[target.joint]
        if target.along:
            place = pose[:, :3, 3] + target.along * self.rig.lengths[target.joint] * pose[:, :3, 1]
            pose = matrices.affine(pose[:, :3, :3], place)
        return self._in_space(target.joint, pose, constraint.target_space, owner, space)

    def _in_space(self, joint: int, pose: Array, space: str, owner: int, custom: Array | None = None) -> Array:
        """Matrices of a bone in a space."""
        if space == "POSE":
            return pose
        if space == "CUSTOM" and custom is not None:
            return matrices.inverse(custom) @ pose
        if space == "LOCAL_WITH_PARENT":
            return matrices.inverse(self.rig.rest[joint]) @ pose
        local = self._start(joint).local(pose)
        if space != "LOCAL_OWNER_ORIENT":
            return local
        across = matrices.inverse(self.rig.rest[owner])[:3, :3] @ self.rig.rest[joint][:3, :3]
        turned = matrices.affine(across, np.zeros(3))
        return turned @ local @ matrices.inverse(turned)

    def _from_space(self, joint: int, found: Array, space: str, custom: Array | None) -> Array:
        if space == "POSE":
            return found
        if space == "CUSTOM" and custom is not None:
            return custom @ found
        if space == "LOCAL_WITH_PARENT":
            posed: Array = self.rig.rest[joint] @ found
            return posed
        return self._start(joint).carried(found)

    def _deformation(self, targets: tuple[Target, ...]) -> Array | None:
        """(F, 4, 4) weighted sum of what bones do with skin; where nothing counts, nothing."""
        total, whole = np.zeros((self.frames, 4, 4)), np.zeros(self.frames)
        for target in targets:
            weight = np.maximum(self.value(target.weight), 0.0)
            if weight.any():
                moved = self._poses[target.joint] @ matrices.inverse(self.rig.rest[target.joint])
                total += weight[:, None, None] * moved
                whole += weight
        if not whole.any():
            return None
        total /= np.where(whole > 0.0, whole, 1.0)[:, None, None]
        total[whole <= 0.0] = np.eye(4)
        return total

    # Chains

    def _reach(self, chain: Chain) -> None:
        """Let a chain reach for the first of its goals that counts, frame by frame."""
        before = [self._poses[joint] for joint in chain.joints]
        self._before_chains.update(zip(chain.joints, before, strict=True))
        after, free = [each.copy() for each in before], np.ones(self.frames, dtype=np.bool_)
        for goal in chain.goals:
            influence = self.value(goal.influence)
            acting = free & (influence > 0.0)
            if acting.any():
                found = self._reached(chain, goal, [each[acting] for each in before], acting, influence[acting])
                for pose, part in zip(after, found, strict=True):
                    pose[acting] = part
            free &= ~acting
        self._poses.update(zip(chain.joints, after, strict=True))

    def _reached(self, chain: Chain, goal: Goal, before: list[Array], rows: Mask, share: Array) -> list[Array]:
        """Matrices of a chain's bones in some frames."""
        parent = int(self.rig.parents[chain.joints[0]])
        above = np.broadcast_to(np.eye(3), (len(share), 3, 3))
        if parent > 0:
            above = matrices.axes(self._poses[parent][rows])
        rests = [matrices.axes(self.rig.rest_offsets[joint]) for joint in chain.joints]
        pose, target = ChainPose(chain, goal, before, above, rests), self._place(goal.target)[rows]
        if goal.pole is not None:
            pose.point_to(self._place(goal.pole)[rows], target)
            pose.reach(target)
            return pose.poses(share, above)
        end = before[-1][:, :3, 3] + before[-1][:, :3, 1] * chain.links[-1].length
        pose.reach(end + share[:, None] * (target - end))
        return pose.poses(np.ones_like(share), above)

    def _place(self, target: Target) -> Array:
        pose = self._poses[target.joint]
        place: Array = pose[:, :3, 3] + target.along * self.rig.lengths[target.joint] * pose[:, :3, 1]
        return place

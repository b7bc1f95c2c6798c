"""A rig as a whole: the figure inside it, the controls that an animator moves, and the way between them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from ..body import Body
from ..motion import Indices, Mask, Motion, Skeleton
from ..numerics import Array, Recent, quaternion
from . import matrices
from .chain import Chain
from .controls.body_order import BodyOrder, find_order
from .controls.control_fit import ControlFit, fit_controls
from .controls.control_roles import ControlRoles, find_roles
from .controls.locks import Locks
from .controls.responses import Responses, find_responses
from .figure import Figure
from .limb_switch import LimbSwitch, is_switch_name, with_number
from .rig import Rig
from .rig_poses import RigPoses
from .values import channels_of

# Part of the figure's size within which a control and the bone that it places begin at the same place.
_SAME_PLACE = 0.01
# Part of a bone's length that is rounding.
_SAME_LENGTH = 1e-5
# Frames among which one is chosen to try out controls.
_TRIED = 16


@dataclass(frozen=True, eq=False)
class RiggedFigure:
    """A figure and what moves it.

    Attributes:
        rig: All bones.
        figure: Those that show the pose.
        usable: (J,) bones that an animator sees and may move.
        spared: (J,) those of them that are left alone unless they have keys.
        locks: Channels of theirs that must stay.
    """

    rig: Rig
    figure: Figure
    usable: Mask
    spared: Mask
    locks: Locks
    _known_roles: Recent[bytes, ControlRoles] = field(default_factory=lambda: Recent(4))
    _known_orders: Recent[bytes, BodyOrder] = field(default_factory=lambda: Recent(4))

    @cached_property
    def body(self) -> Body:
        """Parts of the figure, by names and shape."""
        return self.figure.body()

    @cached_property
    def size(self) -> float:
        """How large the figure is, in units of its armature."""
        return float(np.ptp(self.rig.rest[self._bones, :3, 3], axis=0).max())

    @property
    def _bones(self) -> list[int]:
        bones: list[int] = self.figure.joints[1:].tolist()
        return bones

    def bone_at(self, name: str) -> str:
        """The bone of the figure that begins where a bone of the rig does at rest; empty if none does."""
        if name in self.figure.skeleton.index or name not in self.rig.index:
            return name if name in self.figure.skeleton.index else ""
        joint = int(self._places[self.rig.index[name]])
        return self.figure.skeleton.names[joint] if joint > 0 else ""

    @cached_property
    def _places(self) -> Indices:
        """(J,) joint of the figure that begins where each bone of the rig does at rest; -1 if none does."""
        ways = self.rig.rest[:, None, :3, 3] - self.rig.rest[self._bones, :3, 3]
        away = np.linalg.norm(ways, axis=-1)
        return np.where(away.min(axis=1) < _SAME_PLACE * self.size, 1 + away.argmin(axis=1), -1)

    def order(self, channels: Motion) -> BodyOrder:
        """How controls come one after another down the body, as the rig's switches are half way through a motion.

        Args:
            channels: Of the rig. What it does makes no difference: controls are tried on the rig at rest.
        """
        pose = channels.rows([len(channels) // 2])
        rest = replace(self.at_rest(pose, pose.skeleton), scalars=pose.scalars, scalar_names=pose.scalar_names)
        key = _digest(rest, self.usable)
        return self._known_orders.get(key) or self._known_orders.keep(key, self._find_order(rest))

    def _find_order(self, pose: Motion) -> BodyOrder:
        found = self._responses(pose, self.usable)
        return find_order(pose.skeleton, self.figure.joints, self.body, self.usable, self._places, found)

    def bone_moved(self, name: str, pose: Motion) -> str:
        """The bone of the figure that a bone of the rig stands for: it begins there, or is the first to go along.

        Args:
            name: Of a bone of the rig.
            pose: Channels of one frame, in which it is tried.
        """
        # The object that carries the rig moves all of it, and stands for no bone.
        if self.bone_at(name) or not self.rig.index.get(name, 0):
            return self.bone_at(name)
        found = find_responses(self.rig, pose, self._bones, [self.rig.index[name]], self.locks, self.size)
        along = np.flatnonzero(found.moved_with[0])
        return self.rig.names[self._bones[along[0]]] if len(along) else ""

    def unknown(self, motion: Motion) -> str:
        """Why the figure cannot be worked out of a motion's channels; empty if it can."""
        return RigPoses(self.rig, motion.rows(np.zeros(1, dtype=np.intp)), self._bones).plan.unknown

    def motion(self, channels: Motion) -> Motion:
        """What the figure does with a motion of the rig's channels."""
        return self.figure.motion(channels, self._poses(channels), placements(channels))

    def places(self, channels: Motion) -> Array:
        """(F, K, 3) where its bones begin, in the space of the armature."""
        return self._poses(channels)[..., :3, 3]

    def _poses(self, channels: Motion) -> Array:
        poses = RigPoses(self.rig, channels, self._bones)
        return np.stack([poses[joint] for joint in self._bones], axis=1)

    def laid(self, channels: Motion, wanted: Motion, keyed: Mask) -> ControlFit:
        """Channels with which the figure does what is wanted, on controls that act at every frame.

        Args:
            channels: As they are; all but those of controls stay.
            wanted: Motion of the figure.
            keyed: (J,) bones that have keys: they come first.
        """
        poses = wanted.poses
        goal = matrices.affine(quaternion.to_matrix(poses.rotations[:, 1:]), poses.positions[:, 1:])
        return self.fit(channels, matrices.inverse(placements(channels))[:, None] @ goal, keyed)

    def stretched(self, channels: Motion, wanted: Motion, keyed: Mask) -> Motion:
        """Channels that scale the controls of limbs along, so that bones get the lengths that they have in a motion.

        Args:
            channels: With which the figure turns as it is wanted.
            wanted: Motion of the figure.
            keyed: (J,) bones that have keys.
        """
        scales, seen = np.array(channels.scales), self.motion(channels).poses.positions
        for rows, roles in self._states(channels, keyed):
            for joint, end, control in self._lengthened(roles):
                way, now = (each[rows, end] - each[rows, joint] for each in (wanted.poses.positions, seen))
                ratio = np.linalg.norm(way, axis=-1) / np.maximum(np.linalg.norm(now, axis=-1), 1e-12)
                scales[rows, control, 1] *= np.where(np.abs(ratio - 1.0) > _SAME_LENGTH, ratio, 1.0)
        return replace(channels, scales=scales)

    def _lengthened(self, roles: ControlRoles) -> Iterator[tuple[int, int, int]]:
        """Joints of limbs with the next one and the control that turns them first."""
        for limb in self.body.limbs:
            for joint, end in pairwise(limb.chain):
                above = max(int(self.figure.skeleton.parents[joint]), 1)
                turned = (roles.gains[:, joint - 1] > 0.9) & (roles.gains[:, above - 1] < 0.1)
                if turned.any():
                    yield joint, end, roles.turning[int(np.argmax(turned))]

    def fit(self, channels: Motion, goal: Array, keyed: Mask) -> ControlFit:
        """The same for (F, K, 4, 4) matrices of the figure's bones in the space of the armature."""
        rotations, locations = np.array(channels.rotations), np.array(channels.locations)
        places, turns = (np.zeros(goal.shape[:2]) for _each in range(2))
        for rows, roles in self._states(channels, keyed):
            part = channels.rows(rows)
            found = fit_controls(self.rig, part, goal[rows], self._bones, roles, self.locks, self.size)
            rotations[rows], locations[rows] = found.motion.rotations, found.motion.locations
            places[rows], turns[rows] = found.places, found.turns
        motion = replace(channels, rotations=quaternion.sign_continuous(rotations), locations=locations)
        return ControlFit(motion, places, turns)

    def _states(self, channels: Motion, keyed: Mask) -> Iterator[tuple[Indices, ControlRoles]]:
        """Rows in which the rig's switches are alike, and which control does what then."""
        columns = [number for number, name in enumerate(channels.scalar_names) if name in self._switches]
        values = channels.scalars[:, columns]
        kinds, which = np.unique(np.round(values), axis=0, return_inverse=True)
        for number in range(len(kinds)):
            rows = np.flatnonzero(which.ravel() == number)
            mixed = np.abs(values[rows] - kinds[number]).sum(axis=1)
            purest = rows[mixed <= mixed.min() + 1e-6]
            tried = purest[np.unique(np.linspace(0, len(purest) - 1, _TRIED).round().astype(int))]
            bent = tried[self._most_bent(channels.rows(tried))]
            yield rows, self._roles(channels.rows(np.array([bent])), keyed)

    def _most_bent(self, channels: Motion) -> int:
        """The frame in which the straightest limb is bent most: a straight one does not follow what it reaches for."""
        places = self.places(channels)
        straight = np.zeros(len(channels))
        for limb in self.body.limbs:
            joints = [joint - 1 for joint in limb.chain]
            if len(joints) > 2:
                steps = np.linalg.norm(np.diff(places[:, joints], axis=1), axis=-1).sum(axis=1)
                way = np.linalg.norm(places[:, joints[-1]] - places[:, joints[0]], axis=-1)
                straight = np.maximum(straight, way / np.maximum(steps, 1e-12))
        return int(np.argmin(straight))

    @cached_property
    def _switches(self) -> frozenset[str]:
        """Names of numbers that decide how much constraints act."""
        values = [each.influence for constraints in self.rig.constraints for each in constraints]
        values += [target.weight for some in self.rig.constraints for each in some for target in each.targets]
        values += [goal.influence for chain in self.rig.chains for goal in chain.goals]
        return frozenset(channel.name for value in values for channel in channels_of(value) if channel.name)

    def limb_switches(self, pose: Motion) -> list[LimbSwitch]:
        """Switches between placing limbs by their ends and turning them joint by joint.

        Args:
            pose: Channels of one frame.
        """
        found = []
        for name in sorted(filter(is_switch_name, self._switches)):
            off, on = (self.placed_limbs(with_number(pose, name, value)) for value in (0.0, 1.0))
            if off != on:
                placed = 0.0 if off > on else 1.0
                found.append(LimbSwitch(name, tuple(sorted(off ^ on)), placed, 1.0 - placed))
        return found

    def placed_limbs(self, pose: Motion) -> frozenset[str]:
        """Roles of limbs that reach for something."""
        found = set()
        for limb in self.body.limbs:
            bones = [int(self.figure.joints[joint]) for joint in limb.chain]
            steps = RigPoses(self.rig, pose, bones).plan.steps
            if any(isinstance(each, Chain) for each in steps):
                found.add(limb.role)
        return frozenset(found)

    def planted_joints(self, pose: Motion, contacts: Collection[str]) -> set[int]:
        """Joints of the figure in limbs that reach for something and have one of some joints in contact."""
        names, placed = self.figure.skeleton.names, self.placed_limbs(pose)
        limbs = [limb.joints for limb in self.body.limbs if limb.role in placed]
        return {joint for limb in limbs if any(names[each] in contacts for each in limb) for joint in limb}

    def at_rest(self, like: Motion, skeleton: Skeleton) -> Motion:
        """Channels of the rig at rest, for as many frames as a motion has."""
        rest = quaternion.identity(len(like), len(skeleton))
        return Motion.build(skeleton, rest, rate=like.rate, times=like.times)

    def shown_joints(self, pose: Motion) -> Mask:
        """(K,) joints of the figure that controls can show, the object among them."""
        roles = self._roles(pose, np.zeros(len(self.rig.names), dtype=np.bool_))
        gains = np.concatenate([np.zeros((len(roles.gains), 1)), roles.gains], axis=1)
        parents = np.maximum(self.figure.skeleton.parents, 0)
        # What turns as the joint that it hangs on does has no control of its own.
        shown: Mask = np.abs(gains - gains[:, parents]).max(axis=0, initial=0.0) > 0.3
        shown[[0, *self.body.torso]] = True
        for limb in self.body.limbs:
            if any(joint - 1 in roles.placing for joint in limb.joints):
                shown[list(limb.chain)] = True
        return shown

    def _roles(self, pose: Motion, keyed: Mask) -> ControlRoles:
        """Which control does what in a pose; joints count from the first bone of the figure."""
        key = _digest(pose, keyed)
        return self._known_roles.get(key) or self._known_roles.keep(key, self._find_roles(pose, keyed))

    def _find_roles(self, pose: Motion, keyed: Mask) -> ControlRoles:
        responses = self._responses(pose, self.usable & (keyed | ~self.spared))
        return find_roles(responses, self.body, keyed[list(responses.controls)])

    def _responses(self, pose: Motion, usable: Mask) -> Responses:
        """How the figure answers to those of some controls (J,) that act in a pose."""
        steps = RigPoses(self.rig, pose, self._bones).plan.steps
        controls = [each for each in steps if isinstance(each, int) and usable[each]]
        return find_responses(self.rig, pose, self._bones, controls, self.locks, self.size)


def _digest(pose: Motion, keyed: Mask) -> bytes:
    """All that roles follow from."""
    digest = blake2b(keyed.tobytes(), digest_size=16)
    for values in (pose.rotations, pose.locations, pose.scales, pose.scalars):
        digest.update(np.ascontiguousarray(values).tobytes())
    return digest.digest()


def placements(motion: Motion) -> Array:
    """(F, 4, 4) of the object that carries a skeleton, in the scene."""
    skeleton = motion.skeleton
    turns = quaternion.multiply(skeleton.rest_rotations[0], motion.rotations[:, 0])
    way = quaternion.rotate(skeleton.rest_rotations[0], motion.locations[:, 0])
    return matrices.affine(
        quaternion.to_matrix(turns) * motion.scales[:, 0][:, None, :], skeleton.rest_positions[0] + way
    )

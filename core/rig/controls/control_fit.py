"""The motion of a figure laid on the controls of its rig."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...motion import Indices, Mask, Motion
from ...numerics import Array, ease, quaternion, unit
from .. import matrices
from ..constraints import ChildOf, FollowBones
from ..rig import Rig
from ..rig_poses import RigPoses
from .control_roles import ControlRoles, Swivel
from .locks import Locks

# Rounds in which controls are corrected at most, and when they are right: in units of the figure's size, and radians.
_ROUNDS, _EXACT_PLACE, _EXACT_TURN = 20, 2e-5, 2e-4
# Rounds in which all of what is missing is corrected.
_WHOLE_ROUNDS = 3
# Change of a control in a round, in radians or parts of the figure's size, below which it is left.
_SETTLED = 1e-5
# Part of a limb's length by which its middle has to stand out for the limb to be bent.
_STRAIGHT = 0.04
# Channels that differ by less than this have not changed.
_SAME = 1e-6


@dataclass(frozen=True, eq=False)
class _Wish:
    """What a control is asked for: (F, 4, 4) matrices, and which part of them counts."""

    pose: Array
    turns: bool
    goes: bool


class _WantedPoses(RigPoses):
    """Poses of a rig in which some bones have the matrices that they are asked to have, as far as locks allow."""

    def __init__(
        self, rig: Rig, motion: Motion, joints: Iterable[int], wanted: dict[int, "_Wish"], locks: Locks
    ) -> None:
        """Work out all bones that are needed; channels of those that are asked for follow."""
        self._wanted, self._locks = wanted, locks
        self.locals: dict[int, Array] = {}
        super().__init__(rig, motion, joints)

    def _local(self, joint: int) -> Array:
        own = super()._local(joint)
        if joint not in self._wanted:
            return own
        wish, local = self._wanted[joint], self._start(joint).local(self._before_carried(joint))
        turn = matrices.straight(local if wish.turns and not self._locks.turns[joint] else own)
        stays = self._locks.places[joint] | (not wish.goes or self.rig.connected[joint])
        place = np.where(stays, own[:, :3, 3], local[:, :3, 3])
        self.locals[joint] = matrices.affine(turn * matrices.sizes(own)[:, None, :], place)
        return self.locals[joint]

    def _before_carried(self, joint: int) -> Array:
        """The matrices that a bone is asked to have, without what constraints carry it by."""
        pose = self._wanted[joint].pose
        for constraint in reversed(self._constraints_of(joint)):
            if isinstance(constraint, FollowBones):
                moved = self._deformation(constraint.targets)
                pose = pose if moved is None else matrices.inverse(moved) @ pose
            elif isinstance(constraint, ChildOf):
                carrier = self._target(constraint.targets[0], constraint, joint, None)
                pose = matrices.inverse(carrier @ constraint.inverse) @ pose
        return pose


@dataclass(frozen=True, eq=False)
class ControlFit:
    """A motion of a rig's channels, and how near the figure that it shows is to the one that was asked for.

    Attributes:
        motion: Channels of the whole rig.
        places: (F, K) how far each joint is off.
        turns: (F, K) by how many radians it is turned otherwise.
    """

    motion: Motion
    places: Array
    turns: Array


def fit_controls(
    rig: Rig, motion: Motion, wanted: Array, joints: Sequence[int], roles: ControlRoles, locks: Locks, size: float
) -> ControlFit:
    """Find channels with which the figure has the poses that are wanted.

    Args:
        rig: Whose channels.
        motion: The channels as they are; all but those of controls stay.
        wanted: (F, K, 4, 4) matrices of the figure's bones in the space of the armature.
        joints: K bones of the rig that make up the figure; roles count in these.
        roles: Which control does what.
        locks: What may not change.
        size: Of the figure.
    """
    fitting = _Fitting(rig, motion, wanted, joints, roles, locks)
    best = fitting.measured()
    for _round in range(_ROUNDS):
        if best.places.max(initial=0.0) < _EXACT_PLACE * size and best.turns.max(initial=0.0) < _EXACT_TURN:
            break
        change = fitting.correct(size)
        best = min(best, fitting.measured(), key=lambda each: _badness(each, size))
        if change < _SETTLED:
            break
    return best


def _badness(fit: ControlFit, size: float) -> float:
    return float((fit.places**2).sum() / size**2 + 0.01 * (fit.turns**2).sum())


class _Fitting:
    def __init__(
        self, rig: Rig, motion: Motion, wanted: Array, joints: Sequence[int], roles: ControlRoles, locks: Locks
    ) -> None:
        self._rig, self._wanted, self._joints, self._roles, self._locks = rig, wanted, list(joints), roles, locks
        self.motion, self._first = motion, motion
        self._rounds = 0
        self._asked = [*self._joints, *roles.controls]
        self._poses: RigPoses = RigPoses(rig, motion, self._asked)
        self._resting = roles.resting(self._turned())

    def _turned(self) -> Mask:
        """(K,) joints that are to turn against those that they hang on."""
        seen = np.stack([self._poses[joint] for joint in self._joints], axis=1)
        now, then = (_own_turns(matrices.axes(each), self._roles.parents) for each in (seen, self._wanted))
        turned: Mask = quaternion.angle_between(now, then).max(axis=0) > _SETTLED
        return turned

    def measured(self) -> ControlFit:
        """How near the figure is."""
        seen = np.stack([self._poses[joint] for joint in self._joints], axis=1)
        places = np.linalg.norm(seen[..., :3, 3] - self._wanted[..., :3, 3], axis=-1)
        between = matrices.axes(seen).swapaxes(-1, -2) @ matrices.axes(self._wanted)
        turns = np.linalg.norm(quaternion.log(quaternion.from_matrix(between)), axis=-1)
        return ControlFit(self.motion, places, turns)

    def correct(self, size: float) -> float:
        """Bring every control to where its joint is right, if nothing else about the rig changes.

        Gives the largest change of a control, in radians or parts of the figure's size.
        """
        self._rounds += 1
        turns = self._turns()
        places = {control: joint for joint, control in self._roles.placing.items()}
        wishes = {}
        for control in dict.fromkeys((*self._roles.turning, *places)):
            own, turn = self._poses[control], turns.get(control)
            pose = own if turn is None else matrices.affine(turn @ own[:, :3, :3], own[:, :3, 3])
            if control in self._resting:
                continue
            if control in places:
                pose = self._placed(pose, places[control], own, turn)
            wishes[control] = _Wish(pose, turns=turn is not None, goes=control in places)
        for swivel in self._roles.swivels:
            pose = self._swivelled(swivel)
            wishes[swivel.control] = _Wish(pose, turns=not swivel.is_place, goes=swivel.is_place)
        solved = _WantedPoses(self._rig, self.motion, self._asked, wishes, self._locks)
        before, self.motion, self._poses = self.motion, self._with_channels(solved.locals), solved
        turned = np.abs(self.motion.rotations - before.rotations).max(initial=0.0)
        return float(max(turned, np.abs(self.motion.locations - before.locations).max(initial=0.0) / size))

    @property
    def _share(self) -> float:
        """How much of a correction is made: less after some rounds, since controls may work against each other."""
        return 1.0 if self._rounds <= _WHOLE_ROUNDS else 0.6

    def _turns(self) -> dict[int, Array]:
        """(F, 3, 3) how each control has to turn, together with those that it follows."""
        seen = np.stack([self._poses[joint] for joint in self._joints], axis=1)
        missing = _missing_turns(seen, self._wanted, self._roles.untwisted)
        own = np.einsum("ck,fkx->fcx", self._roles.shares, missing) * self._share
        whole = np.einsum("ca,fcx->fax", self._roles.follows, own)
        turns = quaternion.to_matrix(quaternion.exp(whole))
        return {control: turns[:, number] for number, control in enumerate(self._roles.turning)}

    def _placed(self, pose: Array, joint: int, own: Array, turn: Array | None) -> Array:
        """A control's pose where it brings its joint to the right place."""
        seen = self._seen(joint)[:, :3, 3]
        away = own[:, :3, 3] - seen
        turned = away if turn is None else (turn @ away[..., None])[..., 0]
        return matrices.affine(pose[:, :3, :3], self._wanted[:, joint, :3, 3] + turned)

    def _seen(self, joint: int) -> Array:
        return self._poses[self._joints[joint]]

    def _swivelled(self, swivel: Swivel) -> Array:
        """(F, 4, 4) of a control that brings a knee or elbow to the right side."""
        own = self._poses.alone(swivel.control)
        upper, end = (self._wanted[:, joint, :3, 3] for joint in (swivel.upper, swivel.end))
        axis = unit(end - upper)
        seen = self._seen(swivel.middle)[:, :3, 3] - self._seen(swivel.upper)[:, :3, 3]
        wanted = self._wanted[:, swivel.middle, :3, 3] - upper
        angle = _angle_round(axis, seen, wanted)
        # A straight limb has no side: its roll tells, where the control turns it, else the control stays.
        bent = np.minimum(*(np.linalg.norm(_across(way, axis), axis=-1) for way in (seen, wanted)))
        share = ease(bent / (_STRAIGHT * np.maximum(np.linalg.norm(end - upper, axis=-1), 1e-12)))
        rest = np.zeros_like(angle)
        if not swivel.is_place and (share < 1.0).any():
            rest = _angle_round(axis, self._seen(swivel.upper)[:, :3, 0], self._wanted[:, swivel.upper, :3, 0])
        angle = rest + share * _wrapped(angle - rest)
        turn = quaternion.to_matrix(quaternion.from_axis_angle(axis, angle))
        if not swivel.is_place:
            return matrices.affine(turn @ own[:, :3, :3], own[:, :3, 3])
        away = own[:, :3, 3] - upper
        return matrices.affine(own[:, :3, :3], upper + (turn @ away[..., None])[..., 0])

    def _with_channels(self, found: dict[int, Array]) -> Motion:
        """The motion with channels that have changed; what differs by rounding alone stays bit for bit."""
        rotations, locations = np.array(self.motion.rotations), np.array(self.motion.locations)
        for joint, local in found.items():
            turns = quaternion.from_matrix(matrices.axes(local))
            turns = quaternion.aligned(turns, self._first.rotations[:, joint])
            same = np.abs(turns - self._first.rotations[:, joint]).max(axis=-1) < _SAME
            rotations[:, joint] = np.where(same[:, None], self._first.rotations[:, joint], turns)
            places = local[:, :3, 3]
            same = np.abs(places - self._first.locations[:, joint]).max(axis=-1) < _SAME
            locations[:, joint] = np.where(same[:, None], self._first.locations[:, joint], places)
        return replace(self.motion, rotations=quaternion.sign_continuous(rotations), locations=locations)


def _own_turns(axes: Array, parents: Indices) -> Array:
    """(F, K, 4) turns of joints against those that they hang on, for (F, K, 3, 3) axes."""
    above = np.where((parents < 0)[:, None, None], np.eye(3), axes[:, np.maximum(parents, 0)])
    turns: Array = quaternion.from_matrix(above.swapaxes(-1, -2) @ axes)
    return turns


def _angle_round(axis: Array, start: Array, end: Array) -> Array:
    """(F,) angle about an axis from one direction to another."""
    one, other = _across(start, axis), _across(end, axis)
    angle: Array = np.arctan2((axis * np.cross(one, other)).sum(axis=-1), (one * other).sum(axis=-1))
    return angle


def _wrapped(angles: Array) -> Array:
    """The same angles between -pi and pi."""
    wrapped: Array = (angles + np.pi) % (2.0 * np.pi) - np.pi
    return wrapped


def _across(ways: Array, axis: Array) -> Array:
    """The part of (F, 3) ways at right angles to an axis."""
    across: Array = ways - (ways * axis).sum(axis=-1, keepdims=True) * axis
    return across


def _missing_turns(seen: Array, wanted: Array, untwisted: Mask) -> Array:
    """(F, K, 3) turns from what is seen to what is wanted; of some joints without turns about themselves."""
    between = matrices.axes(wanted) @ matrices.axes(seen).swapaxes(-1, -2)
    missing = quaternion.log(quaternion.from_matrix(between))
    for joint in np.flatnonzero(untwisted):
        start, end = unit(seen[:, joint, :3, 1]), unit(wanted[:, joint, :3, 1])
        missing[:, joint] = quaternion.log(quaternion.from_matrix(matrices.shortest_turns(start, end)))
    return missing

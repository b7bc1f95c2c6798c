"""What the controls of a rig do with its figure, tried out: each is turned and moved a little."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...motion import Mask, Motion
from ...numerics import Array, quaternion, unit
from .. import matrices
from ..rig import Rig
from ..rig_poses import RigPoses
from .locks import Locks

# How far a control is turned, in radians, and moved, in parts of the figure's size.
_TURN, _WAY = 0.02, 0.01
# No axis of a rig lies along these, so that nothing stays still by chance.
_AXIS, _DIRECTION = unit(np.array([0.61, 0.47, -0.64])), unit(np.array([-0.52, 0.68, 0.52]))
# Part of a control's own turn or way by which something has to answer, and by which it may differ from it.
_ANSWERS, _DIFFERS = 0.02, 0.1


@dataclass(frozen=True, eq=False)
class Responses:
    """How a figure answers to controls.

    Attributes:
        controls: C bones of the rig.
        gains: (C, K) how much joints turn with the control, about the same axis; 0 where they turn otherwise.
        twists: (C, K) the same about the joint's own length alone.
        turned: (C, K) joints that turn when the control turns, in whatever way.
        follows: (C, C) how much controls turn with each other, those that are turned first.
        swung: (C, K) joints that go elsewhere when the control turns.
        moved: (C, K) joints that go elsewhere when the control is moved.
        moved_with: (C, K) those that go as far and do not turn.
        bent: (C, K) joints that turn when the control is moved.
        away: (C, K) from the control to the joint.
    """

    controls: tuple[int, ...]
    gains: Array
    twists: Array
    turned: Mask
    follows: Array
    swung: Mask
    moved: Mask
    moved_with: Mask
    bent: Mask
    away: Array


def find_responses(
    rig: Rig, pose: Motion, joints: Sequence[int], controls: Sequence[int], locks: Locks, size: float
) -> Responses:
    """Try out controls.

    Args:
        rig: Whose.
        pose: Channels of one frame.
        joints: K bones of the figure.
        controls: Bones that can be moved.
        locks: Channels of theirs that may not change.
        size: Of the figure.
    """
    trial = _Trial(rig, pose, joints, controls, locks, size)
    # A straight limb does not follow a control that goes away from it: either way counts.
    far = np.linalg.norm(trial.own_ways, axis=-1)[..., None]
    goes_along = np.linalg.norm(trial.ways - trial.own_ways[:, :, None], axis=-1) < _DIFFERS * far
    turned = np.linalg.norm(trial.way_turns, axis=-1)
    return Responses(
        tuple(controls),
        gains=trial.gains(trial.turns, trial.along),
        twists=trial.twists(),
        turned=np.linalg.norm(trial.turns, axis=-1) > _DIFFERS * _TURN,
        follows=trial.gains(trial.control_turns, None),
        swung=np.linalg.norm(trial.swings, axis=-1) > 0.1 * _ANSWERS * _TURN * size,
        moved=(np.linalg.norm(trial.ways, axis=-1) > _ANSWERS * np.maximum(far, 1e-9 * size)).any(axis=0),
        moved_with=(goes_along & (turned < _ANSWERS)).any(axis=0),
        bent=(turned > _ANSWERS * _WAY).any(axis=0),
        away=trial.away,
    )


class _Trial:
    """Poses of a rig with its controls as they are, then each turned, then each moved there and back."""

    def __init__(
        self, rig: Rig, pose: Motion, joints: Sequence[int], controls: Sequence[int], locks: Locks, size: float
    ) -> None:
        count = len(controls)
        rows = pose.rows(np.zeros(3 * count + 1, dtype=np.intp))
        rotations, locations = np.array(rows.rotations), np.array(rows.locations)
        for number, joint in enumerate(controls):
            turn = quaternion.exp((0.0 if locks.turns[joint] else _TURN) * _AXIS)
            rotations[1 + number, joint] = quaternion.multiply(rotations[0, joint], turn)
            if not locks.places[joint].any():
                locations[1 + count + number, joint] += _WAY * size * _DIRECTION
                locations[1 + 2 * count + number, joint] -= _WAY * size * _DIRECTION
        tried = RigPoses(rig, replace(rows, rotations=rotations, locations=locations), [*joints, *controls])
        # A control that is part of a chain is turned before that reaches for something.
        seen = np.stack([tried[joint] for joint in joints], axis=1)
        own = np.stack([tried.alone(joint) for joint in controls], axis=1)
        turns, ways = _changes(seen)
        own_turns, own_ways = _changes(own)
        each, after_turn, after_way = np.arange(count), slice(1, 1 + count), slice(1 + count, None)
        self.turns, self.swings = turns[after_turn], ways[after_turn]
        self.way_turns, self.ways = (part[after_way].reshape(2, count, -1, 3) for part in (turns, ways))
        self.control_turns, self.own_turns = own_turns[after_turn], own_turns[1 + each, each]
        self.own_ways = np.stack([own_ways[1 + block * count + each, each] for block in (1, 2)])
        self.along = unit(seen[0, :, :3, 1])
        self.away = np.linalg.norm(own[0, :, None, :3, 3] - seen[0, None, :, :3, 3], axis=-1)

    def gains(self, turns: Array, along: Array | None) -> Array:
        """(C, N) how much (C, N, 3) turns are like those of the controls; about what lies along does not count."""
        own = np.broadcast_to(self.own_turns[:, None], turns.shape)
        if along is not None:
            own, turns = _across(own, along), _across(turns, along)
        squares = (own**2).sum(axis=-1)
        gains = (own * turns).sum(axis=-1) / np.maximum(squares, 1e-12)
        other = np.linalg.norm(turns - gains[..., None] * own, axis=-1)
        turned = np.linalg.norm(self.own_turns, axis=-1)[:, None]
        like = (other < _DIFFERS * turned) & (gains > _ANSWERS) & (turned > 0.5 * _TURN)
        return np.where(like, gains, 0.0)

    def twists(self) -> Array:
        """(C, K) how much joints turn about themselves with a control."""
        own = (self.own_turns[:, None] * self.along).sum(axis=-1)
        found = (self.turns * self.along).sum(axis=-1)
        # Where a control turns across a joint it does not tell: as much as it points elsewhere then.
        tells = np.abs(own) > 0.2 * _TURN
        share = np.clip(found / np.where(tells, own, 1.0), 0.0, 1.0)
        return np.where(tells, np.where(share > _ANSWERS, share, 0.0), self.gains(self.turns, self.along))


def _changes(poses: Array) -> tuple[Array, Array]:
    """(N, K, 3) turns and ways of (N, K, 4, 4) matrices against the first of them."""
    axes = matrices.axes(poses)
    turns = quaternion.log(quaternion.from_matrix(axes @ axes[:1].swapaxes(-1, -2)))
    ways: Array = poses[..., :3, 3] - poses[:1, :, :3, 3]
    return turns, ways


def _across(vectors: Array, along: Array) -> Array:
    """The part of (C, K, 3) vectors at right angles to (K, 3) directions."""
    across: Array = vectors - (vectors * along).sum(axis=-1, keepdims=True) * along
    return across

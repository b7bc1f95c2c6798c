"""Loops: what goes on over the seam between the last and the first frame, seen as it is played.

A loop's last frame is its first one again, maybe further along the ground. A contact there goes on from the end to
the beginning, and what fades out beside it does so on both sides. So frames of the rounds before and after are laid
beside the loop while its contacts are held, and taken off again.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...analysis import feature_joints, horizontal_alignment
from ...body import Body
from ...motion import GlobalPoses, GroundMove, Indices, Mask, Motion
from ...numerics import Array, quaternion

# Fewest frames of a loop: of fewer it cannot be told.
_FEWEST = 6
# Part of a usual step near the seam that may lie between both ends: they are one pose.
_NEAR = 0.5
# Frames beyond the fade that have a say in it.
_MORE = 2
# Radians between first and last pose of a joint that closes.
_CLOSED = 1e-5
# Part of the figure's size that is rounding.
_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class Rounds:
    """Frames of a motion with those of its rounds before and after beside them; none if it is no loop.

    Attributes:
        frames: (N,) which frame of the motion each is.
        laps: (N,) -1 in the round before, 0 in the motion itself, 1 in the round after.
        trip: How a round carries the character along the ground, as a move of one frame; None on the spot.
        is_shared: The last frame of a round is the first one of the next; else that follows a frame later.
    """

    frames: Indices
    laps: Indices
    trip: GroundMove | None = None
    is_shared: bool = True

    @classmethod
    def none(cls, frames: int) -> "Rounds":
        """Those of a motion of so many frames that is no loop."""
        return cls(np.arange(frames), np.zeros(frames, dtype=np.intp))

    def laid_out(self, motion: Motion) -> Motion:
        """The motion with the frames beside it; itself if it is no loop."""
        if not self.laps.any():
            return motion
        rows = self.frames
        period = motion.times[-1] - motion.times[0] + (0.0 if self.is_shared else 1.0 / motion.rate)
        laid = replace(
            motion,
            times=motion.times[rows] + self.laps * period,
            rotations=quaternion.sign_continuous(motion.rotations[rows]),
            locations=motion.locations[rows],
            scales=motion.scales[rows],
            scalars=motion.scalars[rows],
            carriers=motion.carriers and motion.carriers.rows(rows),
        )
        return laid if self.trip is None else self._moves(self.trip).applied(laid)

    def laid_out_poses(self, poses: GlobalPoses) -> GlobalPoses:
        """Positions and rotations of a motion's joints with those of the frames beside it; tips are not."""
        if not self.laps.any():
            return poses
        positions, rotations = poses.positions[self.frames], poses.rotations[self.frames]
        if self.trip is not None:
            moves = self._moves(self.trip)
            positions = positions + moves.change_of(positions)
            rotations = quaternion.multiply(moves.rotations[:, None], rotations)
        return replace(poses, positions=positions, rotations=rotations)

    def laid_out_frames(self, active: Mask) -> Mask:
        """(N,) frames in contact, of those of the motion (F,); both ends of a loop are one moment."""
        laid = active.copy()
        if self.laps.any() and self.is_shared:
            laid[[0, -1]] = active[0] | active[-1]
        return laid[self.frames]

    def motion_itself(self, laid: Motion, like: Motion) -> Motion:
        """What was laid out without the frames beside it; rotations have the signs that they have in a motion."""
        if not self.laps.any():
            return laid
        own = np.flatnonzero(self.laps == 0)
        part = self._closed(laid.part(own[0], own[-1] + 1), like)
        signs = np.where(quaternion.dot(part.rotations[0], like.rotations[0]) < 0.0, -1.0, 1.0)
        return replace(part, times=like.times, rotations=part.rotations * signs[:, None], carriers=like.carriers)

    def _closed(self, part: Motion, like: Motion) -> Motion:
        """One round whose last pose is its first one again, as far as that is so in a motion."""
        if not self.is_shared:
            return part
        rotations = np.array(part.rotations.T).T
        changed: Mask = np.any(np.abs(rotations[[0, -1]]) != np.abs(like.rotations[[0, -1]]), axis=(0, 2))
        # Of ends that only nearly meet one would be drawn off its contacts.
        if (quaternion.angle_between(like.rotations[0, changed], like.rotations[-1, changed]) > _CLOSED).any():
            return part
        middle = quaternion.slerp(rotations[0], rotations[-1], np.full(rotations.shape[1], 0.5))
        locations = np.array(part.locations.T).T
        moves = locations[[0, -1]] - like.locations[[0, -1]]
        for end in (0, -1):
            rotations[end] = np.where(changed[:, None], quaternion.aligned(middle, rotations[end]), rotations[end])
            moved = (moves != 0.0).any(axis=(0, 2), keepdims=True)[0]
            locations[end] = np.where(moved, like.locations[end] + moves.mean(axis=0), locations[end])
        return replace(part, rotations=rotations, locations=locations)

    def _moves(self, trip: GroundMove) -> GroundMove:
        back = trip.inverse()
        there, before = self.laps == 1, self.laps == -1
        angles = there * trip.angles[0] + before * back.angles[0]
        return GroundMove(angles, there[:, None] * trip.shifts[0] + before[:, None] * back.shifts[0], trip.up)


def rounds_of(motion: Motion, body: Body, seconds: float, *, cyclic: bool = False, whole: bool = False) -> Rounds:
    """The frames of a motion, and if it is a loop those of the rounds beside it, some seconds to both sides.

    Args:
        motion: What may be a loop.
        body: Tells which joints count.
        seconds: To both sides.
        cyclic: It is known to be one: where its ends do not meet, the first frame follows upon the last one.
        whole: All of the rounds, not some seconds of them.
    """
    count = len(motion)
    own = np.arange(count)
    if count < _FEWEST:
        return Rounds.none(count)
    since, until = motion.times - motion.times[0], motion.times[-1] - motion.times
    near = since <= seconds, until <= seconds
    is_loop, trip = _trip(motion, body, near)
    if not is_loop and not cyclic:
        return Rounds.none(count)
    shared = int(is_loop)
    most = count - shared
    before, after = (most if whole else min(int(frames.sum()) + _MORE, most) for frames in reversed(near))
    rows = np.concatenate([own[count - before - shared : count - shared], own, own[shared : after + shared]])
    laps = np.repeat([-1, 0, 1], [before, count, after])
    return Rounds(rows, laps, trip) if is_loop else Rounds(rows, laps, _onward(motion, body), is_shared=False)


def _onward(motion: Motion, body: Body) -> GroundMove | None:
    """The move along the ground from the first pose to the one after the last; None on the spot."""
    places = motion.poses.positions[:, list(feature_joints(body))]
    if body.up is None:
        return None
    angle, shift = horizontal_alignment(places[0], 2.0 * places[-1] - places[-2], body.up.vector)
    step = float(np.linalg.norm(np.diff(places, axis=0), axis=-1).max())
    return GroundMove.build(angle, shift, body.up.vector, frames=1) if np.linalg.norm(shift) > step else None


def _trip(motion: Motion, body: Body, near: tuple[Mask, Mask]) -> tuple[bool, GroundMove | None]:
    """Whether the ends of a motion meet, and along the ground by which move if they do not do so on the spot."""
    # Joints that stay where they are while the character goes away, such as its object, have no say.
    places = motion.poses.positions[:, list(feature_joints(body))]
    size = np.ptp(places[0], axis=0).max()
    steps = np.linalg.norm(np.diff(places, axis=0), axis=-1).max(axis=1)
    usual = np.median(np.concatenate([steps[near[0][1:]], steps[near[1][:-1]], steps[[0, -1]]]))
    allowed = max(_NEAR * float(usual), _ROUNDING * size)
    if _gap(places[0], places[-1]) <= allowed:
        return True, None
    if body.up is None:
        return False, None
    angle, shift = horizontal_alignment(places[0], places[-1], body.up.vector)
    move = GroundMove.build(angle, shift, body.up.vector, frames=1)
    return _gap(places[0] + move.change_of(places[:1])[0], places[-1]) <= allowed, move


def _gap(one: Array, other: Array) -> float:
    return float(np.linalg.norm(one - other, axis=-1).max())

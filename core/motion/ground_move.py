"""Moving a whole character along the ground: a turn about the up axis and a shift for every frame."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..numerics import Array, quaternion
from .carriers import carriers_of
from .motion import Motion
from .skeleton import Indices


@dataclass(frozen=True, eq=False)
class GroundMove:
    """Where the character is carried in every frame; the pose stays as it is.

    Attributes:
        angles: (F,) turn about the up axis through the scene's origin, in radians, anticlockwise seen
            from above.
        shifts: (F, 3) added after the turn, in units of the scene.
        up: (3,) unit vector away from the ground.
    """

    angles: Array
    shifts: Array
    up: Array

    @classmethod
    def build(cls, angles: Any, shifts: Any, up: Any, *, frames: int) -> "GroundMove":
        """A move of so many frames from one turn and shift, or from one for each frame."""
        return cls(
            np.broadcast_to(np.asarray(angles, dtype=np.float64), (frames,)),
            np.broadcast_to(np.asarray(shifts, dtype=np.float64), (frames, 3)),
            np.asarray(up, dtype=np.float64),
        )

    @classmethod
    def about(cls, angles: Any, pivots: Any, places: Any, up: Any) -> "GroundMove":
        """Turn by angles (F,) about pivots (F, 3), each of which comes to lie at its place (F, 3)."""
        pivots, places = np.asarray(pivots, dtype=np.float64), np.asarray(places, dtype=np.float64)
        turned = _turn_change(np.asarray(angles, dtype=np.float64), np.asarray(up), pivots)
        return cls.build(angles, (places - pivots) - turned, up, frames=len(pivots))

    def __len__(self) -> int:
        return len(self.angles)

    @property
    def rotations(self) -> Array:
        """(F, 4) the turns as quaternions."""
        return quaternion.from_axis_angle(self.up, self.angles)

    def change_of(self, points: Any) -> Array:
        """(F, ..., 3) by how much points are moved; exactly nothing where neither turned nor shifted."""
        points = np.asarray(points, dtype=np.float64)
        extra = (1,) * (points.ndim - 2)
        turned = _turn_change(self.angles.reshape(-1, *extra), self.up, points)
        change: Array = turned + self.shifts.reshape(-1, *extra, 3)
        return change

    def frozen(self, frames: Indices) -> "GroundMove":
        """The move of which frame f is that of frame `frames[f]` of this one."""
        return GroundMove(self.angles[frames], self.shifts[frames], self.up)

    def inverse(self) -> "GroundMove":
        """The move back."""
        back = quaternion.rotate(quaternion.from_axis_angle(self.up, -self.angles), self.shifts)
        return GroundMove(-self.angles, -back, self.up)

    def applied(self, motion: Motion) -> Motion:
        """The motion moved; frames that are neither turned nor shifted stay bit for bit.

        What moves are the joints that carry the character; everything else hangs on them.
        """
        carriers = carriers_of(motion)
        rotations, locations = np.array(motion.rotations.T).T, np.array(motion.locations.T).T
        for joint in carriers.turned:
            turns = carriers.acting(joint, len(motion)) & (self.angles != 0.0)
            rotations[:, joint] = np.where(turns[:, None], self._turned(motion, joint), motion.rotations[:, joint])
        for joint in carriers.moved:
            moves = carriers.acting(joint, len(motion))
            locations[:, joint] += np.where(moves[:, None], self._shift_of(motion, joint), 0.0)
        return motion.with_rotations(rotations).with_locations(locations)

    def _turned(self, motion: Motion, joint: int) -> Array:
        """(F, 4) rotations of a joint that is turned in the scene."""
        axes = _rotation_axes(motion, joint)
        turn = quaternion.multiply(quaternion.conjugate(axes), quaternion.multiply(self.rotations, axes))
        turned = quaternion.multiply(turn, motion.rotations[:, joint])
        return quaternion.aligned(turned, motion.rotations[:, joint])

    def _shift_of(self, motion: Motion, joint: int) -> Array:
        """(F, 3) what is added to a joint's location."""
        above, size = _parent_space(motion, joint)
        change = self.change_of(motion.poses.positions[:, joint])
        within = quaternion.rotate(quaternion.conjugate(above), change) / size
        if motion.skeleton.local_location[joint]:
            within = quaternion.rotate(quaternion.conjugate(motion.skeleton.rest_offsets[0][joint]), within)
        return np.where((change == 0.0).all(axis=1)[:, None], 0.0, within)


def location_axes(motion: Motion, joint: int) -> Array:
    """(F, 4) orientation in the scene of the axes in which the location of a joint is told."""
    above, _ = _parent_space(motion, joint)
    if not motion.skeleton.local_location[joint]:
        return above
    return quaternion.multiply(above, motion.skeleton.rest_offsets[0][joint])


def _rotation_axes(motion: Motion, joint: int) -> Array:
    """(F, 4) orientation in the scene of the axes in which the rotation of a joint is told."""
    skeleton = motion.skeleton
    if skeleton.inherits_rotation[joint]:
        return quaternion.multiply(_parent_space(motion, joint)[0], skeleton.rest_offsets[0][joint])
    rest = skeleton.rest_rotations[joint]
    if not skeleton.has_placement:
        return np.broadcast_to(rest, (len(motion), 4))
    below = quaternion.multiply(quaternion.conjugate(skeleton.rest_rotations[0]), rest)
    return quaternion.multiply(motion.poses.rotations[:, 0], below)


def _parent_space(motion: Motion, joint: int) -> tuple[Array, Array]:
    """Rotation (F, 4) and scale (F, 3) of what a joint hangs on, in the scene."""
    above = motion.skeleton.ancestors(joint)
    if not above:
        return quaternion.identity(len(motion)), np.ones((len(motion), 3))
    return motion.poses.rotations[:, above[0]], motion.scales[:, above].prod(axis=1)


def _turn_change(angles: Array, up: Array, points: Array) -> Array:
    """R p - p, exactly nothing for an angle of nothing."""
    sine, versine = np.sin(angles)[..., None], 2.0 * (np.sin(0.5 * angles) ** 2)[..., None]
    across = np.cross(up, points)
    change: Array = sine * across + versine * np.cross(up, across)
    return change

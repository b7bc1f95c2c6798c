"""Moving a whole character along the ground: a turn about the up axis and a shift for every frame."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import quaternion
from ..motion import Motion
from ..quaternion import Array
from ..skeleton import Indices, Skeleton


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

        What moves are the joints without parent, or those right below the object that places the
        skeleton in the scene; everything else hangs on them. Joints that do not turn with their parent
        are turned too.
        """
        rotations, locations = np.array(motion.rotations.T).T, np.array(motion.locations.T).T
        above, size = _placement(motion)
        for joint in turning_joints(motion.skeleton):
            turned = self._turned(motion, joint, above)
            rotations[:, joint] = np.where((self.angles == 0.0)[:, None], motion.rotations[:, joint], turned)
        for joint in top_joints(motion.skeleton):
            locations[:, joint] += self._shift_of(motion, joint, above, size)
        return motion.with_rotations(rotations).with_locations(locations)

    def _turned(self, motion: Motion, joint: int, above: Array) -> Array:
        """(F, 4) rotations of a joint that is turned in the scene."""
        axes = quaternion.multiply(above, _rest_below_placement(motion.skeleton, joint))
        turn = quaternion.multiply(quaternion.conjugate(axes), quaternion.multiply(self.rotations, axes))
        turned = quaternion.multiply(turn, motion.rotations[:, joint])
        return quaternion.aligned(turned, motion.rotations[:, joint])

    def _shift_of(self, motion: Motion, joint: int, above: Array, size: Array) -> Array:
        """(F, 3) what is added to a joint's location."""
        change = self.change_of(motion.poses.positions[:, joint])
        within = quaternion.rotate(quaternion.conjugate(above), change) / size
        if motion.skeleton.local_location[joint]:
            within = quaternion.rotate(quaternion.conjugate(motion.skeleton.rest_offsets[0][joint]), within)
        return np.where((change == 0.0).all(axis=1)[:, None], 0.0, within)


def top_joints(skeleton: Skeleton) -> list[int]:
    """Joints that carry the character: without parent, or right below the object that places it."""
    if skeleton.has_placement:
        return list(skeleton.children[0])
    return np.flatnonzero(skeleton.parents < 0).tolist()


def turning_joints(skeleton: Skeleton) -> list[int]:
    """Joints whose orientation does not follow from their parents': the top ones and those set free."""
    free = set(np.flatnonzero(~skeleton.inherits_rotation).tolist()) - ({0} if skeleton.has_placement else set())
    return sorted({*top_joints(skeleton), *free})


def _rest_below_placement(skeleton: Skeleton, joint: int) -> Array:
    """(4,) orientation of a joint at rest, seen from the object that places the skeleton."""
    rest: Array = skeleton.rest_rotations[joint]
    return (
        quaternion.multiply(quaternion.conjugate(skeleton.rest_rotations[0]), rest) if skeleton.has_placement else rest
    )


def location_axes(motion: Motion, joint: int) -> Array:
    """(F, 4) orientation in the scene of the axes in which the location of a top joint is told."""
    above, _ = _placement(motion)
    if not motion.skeleton.local_location[joint]:
        return above
    return quaternion.multiply(above, motion.skeleton.rest_offsets[0][joint])


def _placement(motion: Motion) -> tuple[Array, Array]:
    """Rotation (F, 4) and scale (F, 3) of the object that places the skeleton."""
    if not motion.skeleton.has_placement:
        return quaternion.identity(len(motion)), np.ones((len(motion), 3))
    return motion.poses.rotations[:, 0], motion.scales[:, 0]


def _turn_change(angles: Array, up: Array, points: Array) -> Array:
    """R p - p, exactly nothing for an angle of nothing."""
    sine, versine = np.sin(angles)[..., None], 2.0 * (np.sin(0.5 * angles) ** 2)[..., None]
    across = np.cross(up, points)
    change: Array = sine * across + versine * np.cross(up, across)
    return change

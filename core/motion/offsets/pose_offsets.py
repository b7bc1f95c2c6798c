"""What an edit did to the poses of a motion, as offsets that other poses can take.

A rotation's offset is told in the joint's own axes, so that it means the same wherever the body stands
and faces. Where the character as a whole was shifted, the shift is told relative to its heading.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array, quaternion
from ..motion import Motion

# Radians below which a rotation was not edited: rounding of a rotation that was read twice.
_ROUNDING = 1e-12
# Frames that correspond this closely are the same: what was not edited there stays as it is. Windows
# are saved in single precision.
_SAME_FRAME = 2e-3
# Fields of a motion whose offsets are plain differences, and all kinds of offsets.
_NUMBERS = ("locations", "scales", "scalars")
OFFSETS = ("turns", *_NUMBERS)


@dataclass(frozen=True, eq=False)
class PoseOffsets:
    """Offsets of N poses; exactly 0 where nothing was edited.

    Attributes:
        turns: (N, J, 3) rotation vectors in the joints' own axes, in radians.
        locations: (N, J, 3) in the axes of the channels.
        scales: (N, J, 3).
        scalars: (N, S).
        steps: (S,) scalars that are edited as a whole or not at all; none if not given.
    """

    turns: Array
    locations: Array
    scales: Array
    scalars: Array
    steps: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(1, dtype=np.bool_), kw_only=True)

    @classmethod
    def between(cls, before: Motion, after: Motion) -> "PoseOffsets":
        """What leads from each frame of one motion to that of another."""
        turns = quaternion.log(quaternion.multiply(quaternion.conjugate(before.rotations), after.rotations))
        turns[np.abs(turns).max(axis=-1) < _ROUNDING] = 0.0
        numbers = (getattr(after, name) - getattr(before, name) for name in _NUMBERS)
        return cls(turns, *numbers, steps=before.steps)

    def at(self, places: Array) -> "PoseOffsets":
        """Offsets at places between the poses, counted from 0; the ends are held."""
        whole = np.round(places)
        held = np.clip(np.where(np.abs(places - whole) < _SAME_FRAME, whole, places), 0.0, len(self.turns) - 1.0)
        first = np.minimum(held.astype(np.intp), max(0, len(self.turns) - 2))
        second, share = np.minimum(first + 1, len(self.turns) - 1), held - first
        one, other = (quaternion.exp(self.turns[chosen]) for chosen in (first, second))
        turns = quaternion.log(quaternion.slerp(one, other, share[:, None]))
        # Through exp and log zero could come back as rounding.
        for chosen, exact in ((first, share == 0.0), (second, share == 1.0)):
            turns[exact] = self.turns[chosen[exact]]
        turns[~(self.turns[first].any(axis=-1) | self.turns[second].any(axis=-1))] = 0.0
        locations, scales, scalars = (_mixed(getattr(self, name), first, second, share) for name in _NUMBERS)
        held = self.scalars[np.where(share == 1.0, second, first)]
        return replace(
            self, turns=turns, locations=locations, scales=scales, scalars=np.where(self.steps, held, scalars)
        )

    def scaled(self, weights: "PoseOffsets | float") -> "PoseOffsets":
        """Offsets times a number, or times weights of the same shape; half of a switch is all of it, less is none."""
        turns, locations, scales, scalars = (
            getattr(weights, name) if isinstance(weights, PoseOffsets) else weights for name in OFFSETS
        )
        return replace(
            self,
            turns=self.turns * turns,
            locations=self.locations * locations,
            scales=self.scales * scales,
            scalars=self.scalars * np.where(self.steps, np.asarray(scalars) >= 0.5, scalars),
        )

    def limited(self, joints: NDArray[np.bool_]) -> "PoseOffsets":
        """Only the offsets of chosen joints (J,); scalars belong to none."""
        flags = joints[:, None]
        kept: dict[str, Any] = {name: getattr(self, name) * flags for name in ("turns", "locations", "scales")}
        return replace(self, **kept, scalars=0.0 * self.scalars)

    def applied(self, motion: Motion) -> Motion:
        """The motion with the offsets added; what has none stays bit for bit."""
        turned = quaternion.multiply(motion.rotations, quaternion.exp(self.turns))
        moved: dict[str, Any] = {}
        for name in _NUMBERS:
            value, offset = getattr(motion, name), getattr(self, name)
            moved[name] = np.where(offset != 0.0, value + offset, value)
        edited = np.asarray(self.turns != 0.0).any(axis=-1, keepdims=True)
        return replace(motion, rotations=np.where(edited, turned, motion.rotations), **moved)


def in_own_heading(shifts: Array, source: Motion, target: Motion, joints: list[int], up: Array) -> Array:
    """(N, R, 3) shifts of joints turned by what the target faces elsewhere than the source.

    Args:
        shifts: (N, R, 3) in the axes of the source's location channels.
        source: N poses that the shifts were made to.
        target: N poses that take them.
        joints: The R joints.
        up: (3,) direction away from the ground.
    """
    rotations = (motion.poses.rotations[:, joints] for motion in (target, source))
    turn = quaternion.multiply(next(rotations), quaternion.conjugate(next(rotations)))
    heading = quaternion.from_axis_angle(up, 2.0 * np.arctan2(turn[..., 1:] @ up, turn[..., 0]))
    seen = quaternion.rotate(heading, quaternion.rotate(_location_axes(source, joints), shifts))
    return quaternion.rotate(quaternion.conjugate(_location_axes(target, joints)), seen)


def _location_axes(motion: Motion, joints: list[int]) -> Array:
    """(N, R, 4) global rotation of the axes in which joints' locations are told."""
    skeleton = motion.skeleton
    rest = np.where(skeleton.local_location[joints, None], skeleton.rest_offsets[0][joints], quaternion.IDENTITY)
    parents = skeleton.parents[joints]
    above = np.where((parents >= 0)[:, None], motion.poses.rotations[:, parents], quaternion.IDENTITY)
    return quaternion.multiply(above, rest)


def _mixed(values: Array, first: Any, second: Any, share: Array) -> Array:
    weight = share.reshape(-1, *[1] * (values.ndim - 1))
    mixed: Array = values[first] + weight * (values[second] - values[first])
    return mixed

"""Feet that go through the floor, and lifting them out of it.

Where all feet are too low the whole character is lifted by what the least of them needs; what is left
to the single legs is done by limb IK. From where a foot goes below its level to where it comes up again it is
put on it; beside that a lift fades out.
"""

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np

from ..analysis.contacts import detect_contacts, estimate_floor
from ..analysis.flaws import Flaw, FlawKind
from ..body import Body, Limb
from ..motion import Motion
from ..numerics import Array, first_and_last, quaternion
from ..solve import reach_targets
from ..solve.contact_lock import smooth_fall
from ..solve.whole_body import lowered, solvable
from .standing_levels import standing_levels

# Lifted feet stand for longer, which shows more of where the floor is: so it is done again.
_ROUNDS = 3
# Seconds that are no time.
_SHORT = 1e-9


def find_below_floor(
    motion: Motion, body: Body, *, floor: float | None = None, tolerance: float = 0.02
) -> tuple[Flaw, ...]:
    """List when feet and toes are below the level on which they stand before and after.

    Args:
        body: Its feet, up axis and height are needed.
        floor: Height of the floor along the up axis, in units of the scene, the same everywhere; by default it is
            where the feet stand.
        tolerance: Body heights that are not yet worth a correction; floors of captured clips are uneven by as much.

    Raises:
        MissingRoleError: Feet, up axis or height are not known.
    """
    ground = _Ground.of(motion, body, floor, tolerance)
    found = []
    for leg in body.require("legs"):
        for joint in _foot_joints(leg):
            depth = ground.depths(motion, joint)
            for first, last in first_and_last(depth > 0.0):
                size, name = float(depth[first : last + 1].max()), motion.skeleton.names[joint]
                found.append(Flaw(FlawKind.BELOW_FLOOR, name, "location", first, last, size))
    return tuple(found)


def lifted(
    motion: Motion, body: Body, *, floor: float | None = None, tolerance: float = 0.02, fade: float = 0.15
) -> tuple[Motion, tuple[Flaw, ...]]:
    """Lift feet out of the floor, up to the level on which they stand.

    Args:
        body: Its root, legs, up axis and height are needed.
        floor: As for `find_below_floor`.
        tolerance: As for `find_below_floor`.
        fade: Seconds beside the frames that need it over which a lift dies away.

    Returns:
        The motion, bit for bit the same beyond the fades, and what was found. Legs without a knee and
        feet that are controls of their own are lifted with the root only.
    """
    found = find_below_floor(motion, body, floor=floor, tolerance=tolerance)
    for _ in range(_ROUNDS):
        ground = _Ground.of(motion, body, floor, tolerance)
        legs = body.require("legs")
        if not any(ground.lifts(motion, leg, fade).any() for leg in legs if _foot_joints(leg)):
            break
        motion = _with_root_lifted(motion, body, ground, legs, fade)
        for leg in legs:
            motion = _with_leg_lifted(motion, ground, leg, fade)
    return motion, found


@dataclass(frozen=True, eq=False)
class _Ground:
    """What every joint stands on.

    Attributes:
        up: (3,) unit vector.
        levels: By joint, (F,) heights along it below which it is too low.
        tolerance: Units of the scene.
    """

    up: Array
    levels: dict[int, Array]
    tolerance: float

    @classmethod
    def of(cls, motion: Motion, body: Body, floor: float | None, tolerance: float) -> "_Ground":
        """Levels from the heights at which feet and toes stand; the lowest of them stands on a given floor."""
        up, height = body.require("up axis").vector, float(body.require("height"))
        contacts, levels = detect_contacts(motion, body), dict[int, Array]()
        for alike in zip_longest(*map(_foot_joints, body.require("legs"))):
            joints = [joint for joint in alike if joint is not None]
            levels |= standing_levels(motion, joints, contacts, up, height)
        if floor is not None:
            levels = _raised_to(floor, levels, motion, up)
        return cls(up, levels, tolerance * height)

    def depths(self, motion: Motion, joint: int) -> Array:
        """(F,) units by which a joint is too low; 0 where it goes below its level by no more than the tolerance."""
        depth = np.maximum(self.levels[joint] - motion.poses.positions[:, joint] @ self.up, 0.0)
        for first, last in first_and_last(depth > 0.0):
            if depth[first : last + 1].max() <= self.tolerance:
                depth[first : last + 1] = 0.0
        return depth

    def lifts(self, motion: Motion, leg: Limb, fade: float) -> Array:
        """(F,) units by which a foot has to be lifted, and beside these frames what is left of it."""
        lifts: Array = np.max([self._joint_lifts(motion, joint, fade) for joint in _foot_joints(leg)], axis=0)
        return lifts

    def _joint_lifts(self, motion: Motion, joint: int, fade: float) -> Array:
        """(F,) what puts a joint on its level; beside that it keeps to it ever less, as far as it is below."""
        lifts = self.depths(motion, joint)
        heights, times = motion.poses.positions[:, joint] @ self.up, motion.times
        for first, last in first_and_last(lifts > 0.0):
            for edge in (first, last):
                near = slice(*np.searchsorted(times, times[edge] + np.array([-fade, fade])))
                share = np.abs(times[near] - times[edge]) / max(fade, _SHORT)
                kept = np.maximum(self.levels[joint][edge] - heights[near], 0.0) * smooth_fall(share)
                outside = np.arange(near.start, near.stop)
                kept[(outside >= first) & (outside <= last)] = 0.0
                np.maximum(lifts[near], kept, out=lifts[near])
        return lifts


def _raised_to(floor: float, levels: dict[int, Array], motion: Motion, up: Array) -> dict[int, Array]:
    """The same level at all times for each joint; the lowest of them is that of the floor."""
    stood = {joint: own[np.isfinite(own)] for joint, own in levels.items()}
    lowest = {
        joint: float(own.min()) if len(own) else estimate_floor(motion.poses.positions, up)
        for joint, own in stood.items()
    }
    raised = floor - min(lowest.values())
    return {joint: np.full(len(motion), level + raised) for joint, level in lowest.items()}


def _foot_joints(leg: Limb) -> tuple[int, ...]:
    """Ankle and the first joint of each toe."""
    end = () if leg.end is None else (leg.end,)
    return (*end, *(digit[0] for digit in leg.digits))


def _with_root_lifted(motion: Motion, body: Body, ground: _Ground, legs: Any, fade: float) -> Motion:
    root = int(body.require("root"))
    carried = [leg for leg in legs if _foot_joints(leg)]
    if motion.skeleton.connected[root] or not carried:
        return motion
    lift = np.min([ground.lifts(motion, leg, fade) for leg in carried], axis=0)
    return lowered(motion, root, -lift, ground.up) if lift.any() else motion


def _with_leg_lifted(motion: Motion, ground: _Ground, leg: Limb, fade: float) -> Motion:
    joints = solvable(motion.skeleton, leg, motion.poses)
    lift = ground.lifts(motion, leg, fade) if _foot_joints(leg) else np.zeros(len(motion))
    if joints is None or not lift.any():
        return motion
    targets = motion.poses.positions[:, joints.end] + lift[:, None] * ground.up
    solved = reach_targets(motion, joints, targets, softness=0.0)
    bent = quaternion.aligned(solved.rotations, motion.rotations)
    return motion.with_rotations(np.where((lift != 0.0)[:, None, None], bent, motion.rotations))

"""Feet that go through the floor, and lifting them out of it.

Where all feet are too low the whole character is lifted by what the least of them needs; what is left
to the single legs is done by limb IK. Beside the frames that need it a lift fades out.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import quaternion
from ..body import Body, Limb
from ..contact_lock.held_limb import solvable
from ..contact_lock.root_lowering import lowered
from ..contact_lock.windows import faded
from ..contacts import ContactSpans, detect_contacts, estimate_floor
from ..limb_ik import reach_targets
from ..motion import Motion
from ..quaternion import Array
from .flaw import Flaw, FlawKind, runs

# Share of the frames in contact that may be lower than the level on which a foot stands: some of them
# are too low, and raised heels and steps on things are higher.
_STANDING = 0.25


def find_below_floor(
    motion: Motion, body: Body, *, floor: float | None = None, tolerance: float = 0.02
) -> tuple[Flaw, ...]:
    """List when feet and toes are below the level on which they stand.

    Args:
        motion: To search.
        body: Its feet, up axis and height are needed.
        floor: Height of the floor along the up axis, in units of the scene; estimated by default.
        tolerance: Body heights that are not yet worth a correction; floors of captured clips are uneven by as much.

    Raises:
        MissingRoleError: Feet, up axis or height are not known.
    """
    ground = _Ground.of(motion, body, floor, tolerance)
    found = []
    for leg in body.require("legs"):
        for joint in _foot_joints(leg):
            depth = ground.depths(motion, joint)
            for first, last in runs(depth > 0.0):
                size, name = float(depth[first : last + 1].max()), motion.skeleton.names[joint]
                found.append(Flaw(FlawKind.BELOW_FLOOR, name, "location", first, last, size))
    return tuple(found)


def lifted(
    motion: Motion, body: Body, *, floor: float | None = None, tolerance: float = 0.02, fade: float = 0.15
) -> tuple[Motion, tuple[Flaw, ...]]:
    """Lift feet out of the floor, up to the level on which they stand.

    Args:
        motion: To correct.
        body: Its root, legs, up axis and height are needed.
        floor: As for `find_below_floor`.
        tolerance: As for `find_below_floor`.
        fade: Seconds beside the frames that need it over which a lift dies away.

    Returns:
        The motion, bit for bit the same beyond the fades, and what was found. Legs without a knee and
        feet that are controls of their own are lifted with the root only.
    """
    found = find_below_floor(motion, body, floor=floor, tolerance=tolerance)
    if not found:
        return motion, found
    ground = _Ground.of(motion, body, floor, tolerance)
    legs = body.require("legs")
    result = _with_root_lifted(motion, body, ground, legs, fade)
    for leg in legs:
        result = _with_leg_lifted(result, ground, leg, fade)
    return result, found


@dataclass(frozen=True, eq=False)
class _Ground:
    """What every joint stands on.

    Attributes:
        up: (3,) unit vector.
        levels: By joint, height along it below which it is too low.
        tolerance: Units of the scene.
    """

    up: Array
    levels: dict[int, float]
    tolerance: float

    @classmethod
    def of(cls, motion: Motion, body: Body, floor: float | None, tolerance: float) -> "_Ground":
        """Levels from the heights at which feet and toes stand; the lowest of them stands on the floor."""
        up, height = body.require("up axis").vector, float(body.require("height"))
        contacts = detect_contacts(motion, body)
        joints = [joint for leg in body.require("legs") for joint in _foot_joints(leg)]
        levels = {joint: _standing_level(motion, joint, contacts, up) for joint in joints}
        raised = 0.0 if floor is None else floor - min(levels.values())
        return cls(up, {joint: level + raised for joint, level in levels.items()}, tolerance * height)

    def depths(self, motion: Motion, joint: int) -> Array:
        """(F,) units by which a joint is too low; 0 within the tolerance."""
        depth = self.levels[joint] - motion.poses.positions[:, joint] @ self.up
        return np.where(depth > self.tolerance, depth, 0.0)

    def leg_depths(self, motion: Motion, leg: Limb) -> Array:
        """(F,) units by which the lowest part of a foot is too low."""
        deepest: Array = np.max([self.depths(motion, joint) for joint in _foot_joints(leg)], axis=0)
        return deepest


def _standing_level(motion: Motion, joint: int, contacts: ContactSpans, up: Array) -> float:
    """Height at which a joint stands: what most of its frames in contact are above, else the floor."""
    name = motion.skeleton.names[joint]
    if name in contacts.joints:
        standing = contacts.active(name, motion.times)
        if standing.any():
            return float(np.quantile(motion.poses.positions[standing, joint] @ up, _STANDING))
    return estimate_floor(motion.poses.positions, up)


def _foot_joints(leg: Limb) -> tuple[int, ...]:
    """Ankle and the first joint of each toe."""
    end = () if leg.end is None else (leg.end,)
    return (*end, *(digit[0] for digit in leg.digits))


def _with_root_lifted(motion: Motion, body: Body, ground: _Ground, legs: Any, fade: float) -> Motion:
    root = int(body.require("root"))
    carried = [leg for leg in legs if _foot_joints(leg)]
    if motion.skeleton.connected[root] or not carried:
        return motion
    least = np.min([ground.leg_depths(motion, leg) for leg in carried], axis=0)
    lift = _faded(least, motion, fade)
    return lowered(motion, root, -lift, ground.up) if lift.any() else motion


def _with_leg_lifted(motion: Motion, ground: _Ground, leg: Limb, fade: float) -> Motion:
    joints = solvable(motion.skeleton, leg, motion.poses)
    lift = _faded(ground.leg_depths(motion, leg), motion, fade) if _foot_joints(leg) else np.zeros(len(motion))
    if joints is None or not lift.any():
        return motion
    targets = motion.poses.positions[:, joints.end] + lift[:, None] * ground.up
    solved = reach_targets(motion, joints, targets, softness=0.0)
    bent = quaternion.aligned(solved.rotations, motion.rotations)
    return motion.with_rotations(np.where((lift != 0.0)[:, None, None], bent, motion.rotations))


def _faded(lift: Array, motion: Motion, fade: float) -> Array:
    """(F,) the lift, and beside the frames that need it what is left of it."""
    carried: Array = faded(lift[:, None], lift > 0.0, motion.times, fade)[:, 0]
    return carried

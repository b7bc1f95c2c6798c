"""New timing for painted joints alone (pose timeline paper, 3.2 and 5.1).

Painted joints follow the timing with their own channels. A painted hand or foot keeps the path that
it draws in space and only goes along it at other moments; arm or leg are bent to follow.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import MotionEditError
from ...motion import Motion, Skeleton, TimeMap
from ...numerics import Array, quaternion
from ...solve import Limb, reach_targets

# Seconds by which the first and last pose may be missed because of rounding.
_ROUNDING = 1e-6


class ChangedDurationError(MotionEditError):
    """Some joints alone cannot last longer or shorter than the rest."""


def retime_joints(motion: Motion, time_map: TimeMap, joints: Any) -> Motion:
    """Show the channels of some joints with other timing; all others stay bit for bit.

    Frames that the timing leaves in place stay bit for bit too.

    Args:
        time_map: New to old seconds, from the motion's first pose to its last one.
        joints: (J,) true for the joints that follow.

    Raises:
        ChangedDurationError: The motion would start or end at another time.
        MotionEditError: No joint is chosen.
    """
    refuse_changed_duration(motion, time_map)
    painted = np.flatnonzero(_mask(motion, joints))
    if not len(painted):
        raise MotionEditError("No bone is painted; paint the bones that are to follow the new timing")
    old_times = time_map(motion.times)
    channels = (motion.rotations, motion.locations, motion.scales)
    seen = _objects(motion, *(array[:, painted] for array in channels)).at(old_times)
    return replace(
        motion,
        rotations=_with_joints(motion.rotations, painted, seen.rotations),
        locations=_with_joints(motion.locations, painted, seen.locations),
        scales=_with_joints(motion.scales, painted, seen.scales),
    )


def retime_effector(motion: Motion, time_map: TimeMap, limb: Limb, *, seen_from: int | None = None) -> Motion:
    """Let the end of a limb go along its path with other timing; all outside the limb stays bit for bit.

    The end's orientation goes with it. The limb takes over the bend that it had at the old time and is
    then brought to the path. Close to full extension it stays up to 0.4 % of its length short of the
    path, so that knees and elbows do not pop, and beyond its reach it stays as near as it can.

    Args:
        motion: Motion to change. Scales along the limb must be uniform.
        time_map: New to old seconds, from the motion's first pose to its last one.
        limb: Joints from hip or shoulder to the end.
        seen_from: Joint in whose axes the path is kept, such as the chest for the swing of an arm while
            walking. If not given it is the path in the scene: feet keep their places on the floor,
            hands what they hold.

    Raises:
        ChangedDurationError: The motion would start or end at another time.
    """
    chosen = _joints_of(motion.skeleton, limb)
    warped = retime_joints(motion, time_map, np.isin(np.arange(len(motion.skeleton)), chosen))
    old_times = time_map(motion.times)
    places, turns = _path(motion, limb.end, old_times, seen_from)
    reached = reach_targets(warped, limb, places, end_rotations=turns).rotations[:, chosen]
    # Where time is as it was nothing is solved, which would round.
    still = (old_times == motion.times)[:, None, None]
    bent = quaternion.sign_continuous(np.where(still, motion.rotations[:, chosen], reached))
    return replace(warped, rotations=_with_joints(motion.rotations, chosen, bent))


def _mask(motion: Motion, joints: Any) -> NDArray[np.bool_]:
    mask = np.asarray(joints)
    if mask.dtype != np.bool_ or mask.shape != (len(motion.skeleton),):
        raise ValueError(f"joints must be true or false for each of {len(motion.skeleton)} joints")
    return mask


def refuse_changed_duration(motion: Motion, time_map: TimeMap) -> None:
    """Raise ChangedDurationError if the motion would start or end at another time."""
    ends = motion.times[[0, -1]]
    missed = np.abs(time_map(ends) - ends)
    if missed.max() > _ROUNDING:
        raise ChangedDurationError(
            f"The painted bones would start or end {missed.max():.3g} s away from the rest; "
            "move a pose inside the window instead, or clear the painting to change the duration of all"
        )


def _joints_of(skeleton: Skeleton, limb: Limb) -> list[int]:
    """The limb's joints and those between them."""
    above = skeleton.ancestors(limb.end)
    return [limb.end, *above[: above.index(limb.upper) + 1]] if limb.upper in above else [limb.end]


def _path(motion: Motion, end: int, old_times: Array, seen_from: int | None) -> tuple[Array, Array]:
    """Place (F, 3) and orientation (F, 4) in the scene of a joint that follows its path at the old times."""
    places, turns = motion.poses.positions[:, end], motion.poses.rotations[:, end]
    if seen_from is None:
        return _read(motion, places, turns, old_times)
    origin, axes = motion.poses.positions[:, seen_from], motion.poses.rotations[:, seen_from]
    back = quaternion.conjugate(axes)
    local = quaternion.rotate(back, places - origin), quaternion.multiply(back, turns)
    place, turn = _read(motion, *local, old_times)
    return origin + quaternion.rotate(axes, place), quaternion.multiply(axes, turn)


def _read(motion: Motion, places: Array, turns: Array, old_times: Array) -> tuple[Array, Array]:
    """Places (F, 3) and orientations (F, 4) of one joint at the old times."""
    seen = _objects(motion, turns[:, None], places[:, None], None).at(old_times)
    return seen.locations[:, 0], seen.rotations[:, 0]


def _objects(motion: Motion, rotations: Array, locations: Array, scales: Array | None) -> Motion:
    """Channels (F, N, ...) of some joints as a motion of objects without a body, at the motion's times."""
    count = rotations.shape[1]
    skeleton = Skeleton.build([str(number) for number in range(count)], [-1] * count, np.zeros((count, 3)))
    return Motion.build(skeleton, rotations, rate=motion.rate, times=motion.times, locations=locations, scales=scales)


def _with_joints(channels: Array, joints: Any, values: Array) -> Array:
    """Channels (F, J, ...) of which those of some joints are replaced."""
    changed = np.array(channels)
    changed[:, joints] = values
    return changed

"""Samples of motions in the shape in which a warp compares them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...analysis import feature_joints, low_passed, rigid_features, torso_positions
from ...body import Body
from ...errors import SkeletonMismatchError
from ...motion import Motion
from ...numerics import Array

# Seconds on each side of the filter against vibration that thirty samples a second would show as something slower.
_LOW_PASS = 2.0 / 30.0


@dataclass(frozen=True, eq=False)
class Features:
    """What is compared, over time.

    Attributes:
        times: (F,) in seconds.
        values: (F, N, C).
    """

    times: Array
    values: Array

    def at(self, times: Array) -> Array:
        """(n, D) low-passed samples."""
        return low_passed(self.times, self.values, times, radius=_LOW_PASS).reshape(len(times), -1)


def motion_features(
    motion: Motion, body: Body | None, *, positions: Any = None, joints: Sequence[int] | None = None
) -> Features:
    """Joints seen from the torso, those that show most if none are named; location and rotation without a body."""
    if body is None or body.up is None:
        return Features(motion.times, rigid_features(motion, positions=positions))
    places = motion.poses.positions if positions is None else np.asarray(positions, dtype=np.float64)
    return Features(motion.times, torso_positions(places, body, joints=joints))


def reference_features(
    reference: Motion,
    reference_body: Body | None,
    *,
    like: Body | None,
    positions: Any = None,
    joints: Sequence[int] | None = None,
) -> Features:
    """The same joints of the reference, found by name.

    Raises:
        SkeletonMismatchError: The reference lacks joints; the message names them.
    """
    if like is None or reference_body is None:
        if (like is None) != (reference_body is None):
            raise ValueError("Motion and reference must both have a body or both have none")
        return motion_features(reference, None, positions=positions)
    matched = _matched(like, reference_body, feature_joints(like) if joints is None else joints)
    places = reference.poses.positions if positions is None else np.asarray(positions, dtype=np.float64)
    return Features(reference.times, torso_positions(places, reference_body, joints=matched))


def _matched(body: Body, other: Body, joints: Sequence[int]) -> list[int]:
    """The other body's joints with the names of the first one's (J,), prefix and case aside."""
    plain = {_plain(name): number for number, name in enumerate(other.skeleton.names)}
    names = [body.skeleton.names[joint] for joint in joints]
    numbers = [other.skeleton.index.get(name, plain.get(_plain(name), -1)) for name in names]
    missing = [name for name, number in zip(names, numbers, strict=True) if number < 0]
    if missing:
        raise SkeletonMismatchError(
            f"The reference lacks {', '.join(missing)}; use a reference with the same bones or rename them"
        )
    return numbers


def _plain(name: str) -> str:
    return name.rsplit(":", 1)[-1].casefold()

"""Moving in step with another motion: moments that are alike, in order, become keytimes."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..analysis import align
from ..body import Body
from ..motion import Motion
from ..numerics import Array
from .guides.features import motion_features, reference_features
from .guides.movement import RATE
from .timing_limits import Keytime

# Seconds between moments that are held: what lies between them is left to the warp.
_APART = 0.5
# Moments of each motion that are compared at most.
_MOST = 3000


def aligned_keytimes(
    motion: Motion,
    body: Body | None,
    other: Motion,
    other_body: Body | None,
    *,
    joints: Sequence[int] | None = None,
    positions: Any = None,
    other_positions: Any = None,
    speed_limit: float = 4.0,
) -> list[Keytime]:
    """Old times of a motion, and the new ones at which another shows like poses; its first moment stays where it is.

    Args:
        motion: To be retimed.
        body: Its parts; None for a camera or a prop.
        other: What it is to follow, from its beginning to its end.
        other_body: Its parts.
        joints: Joints that are compared; those that show most if not given.
        positions: (F, J, 3) of the motion's joints where they do not follow from it alone.
        other_positions: (F, J, 3) of the other's likewise.
        speed_limit: How many times as fast the motion may run, or as slow.

    Raises:
        UnalignableError: One is too long for the other.
        SkeletonMismatchError: The other lacks joints; the message names them.
    """
    rate = min(RATE, (_MOST - 1) / max(_length(motion), _length(other), 1e-9))
    times, other_times = (_times(each, rate) for each in (motion, other))
    own = motion_features(motion, body, positions=positions, joints=joints).at(times)
    theirs = reference_features(other, other_body, like=body, positions=other_positions, joints=joints)
    path = align(theirs.at(other_times), own, slope_limit=max(2, int(speed_limit))).path
    new = other_times[path[:, 0]] - other_times[0] + times[0]
    old = times[path[:, 1]]
    held = np.linspace(0, len(path) - 1, max(2, round((new[-1] - new[0]) / _APART) + 1)).round().astype(np.intp)
    return [(float(old[place]), float(new[place])) for place in np.unique(held)]


def _length(motion: Motion) -> float:
    return float(motion.times[-1] - motion.times[0])


def _times(motion: Motion, rate: float) -> Array:
    return np.linspace(motion.times[0], motion.times[-1], max(2, round(_length(motion) * rate) + 1))

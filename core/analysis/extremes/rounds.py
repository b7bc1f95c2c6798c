"""A loop with parts of the rounds before and after it, so that its seam is like any other moment."""

from dataclasses import dataclass, replace

import numpy as np

from ...motion import Motion
from ...numerics import Array, quaternion

# Seconds of the rounds beside.
_BESIDE = 0.6


@dataclass(frozen=True, eq=False)
class Rounds:
    """A loop as it is played.

    Attributes:
        motion: Frames of the round before, the loop, and of the round after it.
        places: (F, J, 3) of its joints.
        start: Where the loop's first frame is in it.
        period: Frames of a round.
    """

    motion: Motion
    places: Array
    start: int
    period: int


def rounds_beside(motion: Motion, places: Array, seam: float) -> Rounds:
    """Lay parts of the rounds before and after beside a loop.

    Args:
        motion: One round.
        places: (F, J, 3) of its joints.
        seam: Seconds from its last frame to the first of the next round; 0 if that is the last frame again.
    """
    count = len(motion)
    period = count - 1 + round(seam * motion.rate)
    beside = min(int(np.ceil(_BESIDE * motion.rate)), period)
    numbers = np.arange(-beside, count + beside)
    laps = np.floor_divide(numbers, period)
    laps[(numbers >= 0) & (numbers < count)] = 0
    rows = np.clip(numbers - laps * period, 0, count - 1)
    # What a round travels; a turn of the whole figure is left out, since nothing looks at where it faces.
    travel = places[-1] - places[0] if seam <= 0.0 else places[-1] - places[0] + (places[-1] - places[-2])
    way = np.where(np.ptp(places, axis=0).max() > 0.0, np.median(travel, axis=0), 0.0)
    laid = replace(
        motion,
        times=motion.times[0] + numbers / motion.rate,
        rotations=quaternion.sign_continuous(motion.rotations[rows]),
        locations=motion.locations[rows],
        scales=motion.scales[rows],
        scalars=motion.scalars[rows],
        carriers=motion.carriers and motion.carriers.rows(rows),
    )
    return Rounds(laid, places[rows] + laps[:, None, None] * way, beside, period)

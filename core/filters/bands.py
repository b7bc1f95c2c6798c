"""Filters that keep the frequencies below, above or between limits (motion editing chapter, 1.6.3.1).

What one low-pass filter keeps and another does not is the turn from the one result to the other.
"""

from typing import Any

from ..motion import Motion, with_channels, with_shapes
from ..numerics import Array, LowPass, quaternion
from .low_pass import even_rate, slow_rotations, slow_vectors
from .mean_poses import mean_rotations
from .turns import turn_between


def filtered(
    motion: Motion,
    *,
    keep_below: LowPass | None = None,
    keep_above: LowPass | None = None,
    strength: float = 1.0,
    joints: Any = None,
) -> Motion:
    """Keep waves below one response, above another, or between the two; nothing is delayed.

    What is kept above a response plays around the motion's mean pose.

    Args:
        motion: With evenly spaced frames.
        keep_below: What passes a low-pass filter; everything by default.
        keep_above: What this low-pass filter would take away; everything by default.
        strength: 0 gives back the same motion, 1 the filtered one, values between a mixture.
        joints: (J,) joints to filter; all by default.

    Raises:
        UnevenFramesError: The frames are at uneven distances.
    """
    if not 0.0 <= strength <= 1.0:
        raise ValueError("strength must lie between 0 and 1")
    if strength == 0.0 or len(motion) < 3 or keep_below is keep_above is None:
        return motion
    rate = even_rate(motion)

    def of_rotations(rotations: Array) -> Array:
        slow, fast = _levels(slow_rotations, rotations, rate, keep_above, keep_below)
        if slow is not None:
            fast = quaternion.multiply(mean_rotations(rotations), turn_between(slow, fast))
        return fast if strength == 1.0 else quaternion.slerp(rotations, fast, strength)

    def of_vectors(vectors: Array) -> Array:
        slow, fast = _levels(slow_vectors, vectors, rate, keep_above, keep_below)
        if slow is not None:
            fast = vectors.mean(axis=0) + fast - slow
        return vectors + strength * (fast - vectors)

    after = with_channels(motion, joints, of_rotations, of_vectors)
    return with_shapes(motion, after, joints, of_vectors)


def _levels(
    slow_of: Any, values: Array, rate: float, lower: LowPass | None, upper: LowPass | None
) -> tuple[Array | None, Array]:
    """What the two responses keep, from one transform; the values themselves in place of the upper one."""
    found = slow_of(values, rate, *(response for response in (lower, upper) if response is not None))
    return None if lower is None else found[0], values if upper is None else found[-1]

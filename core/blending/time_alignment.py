"""Bringing a motion into step with another one before they are blended."""

from typing import Any

import numpy as np

from ..body import Body
from ..errors import TooFewFramesError
from ..motion import Motion
from ..pose_features import low_passed
from ..quaternion import Array
from ..time_map import TimeMap
from ..timeline.smooth_timing import smooth_timing
from ..timeline.temporal_alignment import shared_features

# Samples a second that are compared: enough for the quickest blow, and few enough for minutes.
_RATE = 60.0


def align_in_time(
    reference: Motion, other: Motion, body: Body, *, other_body: Body | None = None, slope_limit: int = 2
) -> TimeMap:
    """The timing that shows another motion in step with a reference: the same poses at the same times.

    Poses are compared by their joints, seen from the torso. First poses come together, and last ones:
    choose parts that begin and end alike. `align_in_time(...).apply(other, reference.times)` has the
    reference's frames.

    Args:
        reference: Whose timing is taken.
        other: Whose timing is changed; its joints are found by name.
        body: Of the reference; its up axis is needed.
        other_body: Of the other motion if its skeleton is another one.
        slope_limit: How many times as fast as its reference a motion may run, and the reverse.

    Raises:
        UnalignableError: One motion is too long for the other.
        SkeletonMismatchError: The other motion lacks joints.
        TooFewFramesError: A motion has less than two frames.
    """
    for motion in (reference, other):
        if len(motion) < 2:
            raise TooFewFramesError("A timing needs 2 frames, the motion has 1; choose a longer part")
    own_body = body if other.skeleton is reference.skeleton else other_body or body
    features = shared_features(reference, body, other, reference_body=own_body)
    rate = min(_RATE, reference.rate)
    (new, one), (old, two) = (
        _sampled(motion, values, rate) for motion, values in zip((reference, other), features, strict=True)
    )
    timing = smooth_timing(one, two, slope_limit=slope_limit)
    return TimeMap.through(_at(new, timing.new_times), _at(old, timing.old_times))


def _sampled(motion: Motion, features: Any, rate: float) -> tuple[Array, Array]:
    """Seconds (N,) and features (N, D) from the first frame to the last at about the given rate."""
    start, end = motion.times[0], motion.times[-1]
    times = np.linspace(start, end, max(3, round((end - start) * rate) + 1))
    return times, low_passed(motion.times, features, times, radius=0.0)


def _at(times: Array, samples: Array) -> Array:
    return np.interp(samples, np.arange(len(times)), times)

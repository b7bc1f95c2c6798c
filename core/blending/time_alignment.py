"""Bringing a motion into step with another one before they are blended."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..analysis import low_passed, shared_features, smooth_timing
from ..body import Body
from ..errors import TooFewFramesError
from ..motion import Motion, TimeMap, matched
from ..numerics import Array
from .motion_blend import checked_weights

# Samples a second that are compared: enough for the quickest blow, and few enough for minutes.
_RATE = 60.0


def align_in_time(reference: Motion, other: Motion, body: Body, *, slope_limit: int = 2) -> TimeMap:
    """The timing that shows another motion in step with a reference: the same poses at the same times.

    Poses are compared by their joints, seen from the torso. First poses come together, and last ones:
    choose parts that begin and end alike. `align_in_time(...).apply(other, reference.times)` has the
    reference's frames.

    Args:
        reference: Whose timing is taken.
        other: Whose timing is changed; its joints are found by name.
        body: Of the reference; its up axis is needed.
        slope_limit: How many times as fast as its reference a motion may run, and the reverse.

    Raises:
        UnalignableError: One motion is too long for the other.
        SkeletonMismatchError: The other motion lacks joints.
        TooFewFramesError: A motion has less than two frames.
    """
    for motion in (reference, other):
        if len(motion) < 2:
            raise TooFewFramesError("A timing needs 2 frames, the motion has 1; choose a longer part")
    features = shared_features(reference, body, other, reference_body=body)
    rate = min(_RATE, reference.rate)
    (new, one), (old, two) = (
        _sampled(motion, values, rate) for motion, values in zip((reference, other), features, strict=True)
    )
    timing = smooth_timing(one, two, slope_limit=slope_limit)
    return TimeMap.through(_at(new, timing.new_times), _at(old, timing.old_times))


def in_step(motions: Sequence[Motion], weights: Any, body: Body, *, slope_limit: int = 2) -> list[Motion]:
    """All motions at the same frames, in step, each moment lasting as long as the weighted mean of its durations.

    So a walk blended with a run has a tempo between theirs, and the blend that has all of one motion's
    weight has that one's timing.

    Args:
        motions: With the same joint names; the others are aligned to the first.
        weights: (M,) as for `blend`.
        body: Of the first motion; its up axis is needed.
        slope_limit: As for `align_in_time`.

    Returns:
        The motions at the first one's rate, from its first time on; `blend` takes them with the same
        weights.
    """
    first = motions[0]
    shares = checked_weights(weights, frames=1, count=len(motions))[0]
    fitting = [first, *(matched(other, first) for other in motions[1:])]
    maps = [align_in_time(first, other, body, slope_limit=slope_limit) for other in fitting[1:]]
    own = np.stack([first.times, *(timing(first.times) for timing in maps)])
    shared = shares @ (own - own[:, :1])
    count = max(2, round(shared[-1] * first.rate) + 1)
    places = np.interp(np.linspace(0.0, shared[-1], count), shared, np.arange(len(first)))
    times = first.times[0] + np.arange(count) / first.rate
    return [
        replace(motion.at(np.interp(places, np.arange(len(first)), when)), times=times, rate=first.rate)
        for motion, when in zip(fitting, own, strict=True)
    ]


def _sampled(motion: Motion, features: Any, rate: float) -> tuple[Array, Array]:
    """Seconds (N,) and features (N, D) from the first frame to the last at about the given rate."""
    start, end = motion.times[0], motion.times[-1]
    times = np.linspace(start, end, max(3, round((end - start) * rate) + 1))
    return times, low_passed(motion.times, features, times, radius=0.0)


def _at(times: Array, samples: Array) -> Array:
    return np.interp(samples, np.arange(len(times)), times)

"""Temporal coordination: which part of a body moves before which, taken from a reference.

Three alignments (pose timeline paper, 5.3 and figure 6) keep one part as it is and shift the other in
time. The window is aligned with the reference by what the fixed part does; seen in that time, the free
part is aligned with the reference's free part; the first alignment is then taken back.
"""

import numpy as np

from ...analysis import sample_count, smooth_timing
from ...errors import MotionEditError
from ...motion import Motion, Skeleton, TimeMap
from ...numerics import Array, PiecewiseCubic
from ..moving_part import MovingPart, matching_curves, named
from ..segment import Segment
from .painted_timing import retime_effector, retime_joints

# Samples; a shift below this comes from rounding.
_ROUNDING = 1e-6


class OverlappingPartsError(MotionEditError):
    """A joint would have to stay and to move, or to move twice."""


def transfer_coordination(
    motion: Motion,
    window: tuple[float, float],
    reference: Segment,
    *,
    fixed: MovingPart,
    free: MovingPart,
    ease: float = 0.1,
    slope_limit: int = 2,
    seen_from: int | None = None,
) -> Motion:
    """Shift the free part in time until it moves before or after the fixed part as in the reference.

    Free joints keep their movement, locations and scales included, with another timing. Free end
    effectors keep their path and pass along it with another timing. All else stays bit for bit.

    Args:
        window: First and last frame of the edit.
        reference: Where the coordination is taken from; joints are found by their names. It may be
            of any length: phases are compared, not seconds.
        fixed: The part that tells the time.
        free: The part that is shifted.
        ease: Share of the window, 0 to 0.5, over which time goes over into the window's ends, where
            nothing is shifted.
        slope_limit: How many times as fast as the reference a part may run, and the reverse.
        seen_from: Joint in whose axes the paths of free effectors are kept, such as the chest of a
            runner; they are kept in the scene if it is not given, so that feet keep their footprints.

    Raises:
        OverlappingPartsError: A joint belongs to both parts, or a free joint carries a free limb.
        StillPartError: A part does not move.
        EmptyWindowError: The window is no part of the motion.
        SkeletonMismatchError: The reference lacks a joint.
    """
    timing = coordination_timing(motion, window, reference, fixed=fixed, free=free, ease=ease, slope_limit=slope_limit)
    edited = motion
    if free.joints:
        edited = retime_joints(motion, timing, np.isin(np.arange(len(motion.skeleton)), free.joints))
    for limb in free.effectors:
        edited = retime_effector(edited, timing, limb, seen_from=seen_from)
    return edited


def coordination_timing(
    motion: Motion,
    window: tuple[float, float],
    reference: Segment,
    *,
    fixed: MovingPart,
    free: MovingPart,
    ease: float = 0.1,
    slope_limit: int = 2,
) -> TimeMap:
    """The timing of the free part in seconds, which leaves time outside the window as it is.

    Arguments and refusals are those of `transfer_coordination`.
    """
    _refuse_overlap(motion.skeleton, fixed, free)
    part = Segment(motion, *window)
    count = sample_count(part.length)
    source, wanted = part.sampled(count), reference.sampled(count)
    names = motion.skeleton, reference.motion.skeleton
    fixed_curves = matching_curves(source, fixed, wanted, fixed.named_in(*names))
    free_curve, wanted_curve = matching_curves(source, free, wanted, free.named_in(*names))
    beat = smooth_timing(*fixed_curves, slope_limit=slope_limit)
    samples = np.arange(count, dtype=np.float64)
    in_step = _read(free_curve, beat.map_key_times(samples))
    shift = smooth_timing(wanted_curve, in_step, slope_limit=slope_limit)
    return _eased(part, beat.map_key_times(shift(beat(samples))), ease)


def _refuse_overlap(skeleton: Skeleton, fixed: MovingPart, free: MovingPart) -> None:
    both = fixed.driven_joints(skeleton) & free.driven_joints(skeleton)
    if both:
        raise OverlappingPartsError(
            f"{named(skeleton, both)} cannot both stay and be shifted; take it out of one of the two parts"
        )
    # Its end would be shifted along with the joint and once more by itself.
    carrying = {joint for limb in free.effectors for joint in (limb.end, *skeleton.ancestors(limb.end))}
    if carrying & set(free.joints):
        raise OverlappingPartsError(
            f"{named(skeleton, carrying & set(free.joints))} carries a limb that is shifted by itself; "
            "shift one of the two first and the other one then"
        )


def _read(values: Array, places: Array) -> Array:
    """(N, D) samples between rows, on straight lines."""
    return np.stack([np.interp(places, np.arange(len(values)), column) for column in values.T], axis=1)


def _eased(part: Segment, old_samples: Array, ease: float) -> TimeMap:
    """The timing from old places of even samples; near both ends of the part it goes over into speed 1."""
    if not 0.0 <= ease <= 0.5:
        raise ValueError("ease must lie between 0 and 0.5")
    last = len(old_samples) - 1
    samples = np.arange(last + 1, dtype=np.float64)
    settled = np.abs(old_samples - samples) < _ROUNDING
    # A sample that is not shifted shows its own time to the last bit.
    places = np.where(settled, samples, old_samples)
    chosen = (samples >= ease * last) & (samples <= (1.0 - ease) * last)
    chosen[[0, -1]] = True
    new, old = (_seconds(part, values[chosen] / last) for values in (samples, places))
    return _with_rest(part.motion.times, PiecewiseCubic.smooth(new, old, monotone=True))


def _seconds(part: Segment, shares: Array) -> Array:
    """Seconds at shares, 0 to 1, of a part."""
    frames = np.where(shares == 1.0, part.end, part.start + shares * part.length)
    return np.interp(frames, np.arange(len(part.motion)), part.motion.times)


def _with_rest(times: Array, curve: PiecewiseCubic) -> TimeMap:
    """A timing between two times of a motion that arrives there at speed 1, and none before and after."""
    slopes = np.array(curve.slopes)
    slopes[0, 0], slopes[-1, 1] = np.minimum(1.0, 3.0 * curve.steepness[[0, -1]])
    before, after = times[:1][times[:1] < curve.knots[0]], times[-1:][times[-1:] > curve.knots[-1]]
    knots, values = (np.concatenate([before, inner, after]) for inner in (curve.knots, curve.values))
    even = np.ones((1, 2))
    return TimeMap(PiecewiseCubic(knots, values, np.concatenate([even[: len(before)], slopes, even[: len(after)]])))

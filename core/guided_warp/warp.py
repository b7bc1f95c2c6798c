"""Guided time warping: a timing that meets keytimes and resembles that of a reference."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..body import Body
from ..motion import Motion, TimeMap
from ..numerics import Array
from .features import Features, motion_features, reference_features
from .grid import RATE, Grid, plan_grid, usual_upsampling
from .options import GuidedWarpOptions, WarpReport, WarpResult
from .search import LONG, search
from .timing_limits import Keytime, checked_keytimes
from .warp_shape import averaged_parts, blended, smooth_map, with_speeds


def guided_warp(
    motion: Motion,
    body: Body | None,
    keytimes: Sequence[Keytime],
    *,
    options: GuidedWarpOptions | None = None,
    reference: Motion | None = None,
    reference_body: Body | None = None,
    positions: Any = None,
    reference_positions: Any = None,
) -> WarpResult:
    """Find a timing that meets the keytimes and moves as the reference does in like poses.

    Everything between the first and last keytime is shown, in order. The cost is the least that
    any choice of samples has (guided warp paper, section 3), unless the motion is long.

    Args:
        motion: Motion to retime, without a leading reference pose.
        body: Its parts; None for a camera or a prop, which are compared by location and rotation.
        keytimes: (old time, new time) in seconds, in order of new time. The first and last are
            the ends; old times that fall play the motion backward.
        options: Influence, smoothness, limits.
        reference: Motion whose timing is wanted, or a part of one; the motion itself if not given.
        reference_body: Its parts, if its skeleton is another; the same joint names are needed.
        positions: (F, J, 3) of the motion's joints where they do not follow from it alone.
        reference_positions: (F, J, 3) of the reference's joints likewise.

    Raises:
        ImpossibleTimingError: A keytime cannot be met; the message says what is possible.
        TimeOrderError: Keytimes are not in order.
        SkeletonMismatchError: The reference lacks joints; the message names them.
        TooFewFramesError: Motion or reference are too short.
    """
    options = options or GuidedWarpOptions()
    old, new = checked_keytimes(motion, keytimes, options.speed_limit, last_is_free=options.free_length)
    if options.speeds and len(options.speeds) != len(old):
        raise ValueError("speeds must name one speed, or None, for each keytime")
    if options.influence == 0.0:
        return WarpResult(_spline(old, new, options), 0.0, WarpReport())
    own = motion_features(motion, body, positions=positions)
    other = own
    if reference is not None:
        other = reference_features(reference, reference_body or body, like=body, positions=reference_positions)
    return _warp(old, new, own, other, options)


def _warp(old: Array, new: Array, own: Features, other: Features, options: GuidedWarpOptions) -> WarpResult:
    upsampling = options.upsampling or usual_upsampling(
        old, new, own_reference=own is other, free_length=options.free_length
    )
    guides_itself = own is other and not options.free_length
    grid = plan_grid(old, new, upsampling=upsampling, speed_limit=options.speed_limit, own_reference=guides_itself)
    coarse = len(grid.old_times) > LONG if options.coarse_to_fine is None else options.coarse_to_fine
    path, cost = search(
        grid, own, other, free=options.free_length, coarse=coarse, keep_unlike=options.keep_unlike and own is not other
    )
    shown, new_times = grid.old_times[path], _output_times(grid, len(path))
    places = np.append(grid.places[:-1], len(path) - 1)
    radius = round(options.smoothness * RATE)
    shown = with_speeds(averaged_parts(shown, places, radius), new_times, places, options.speeds)
    guided = smooth_map(new_times, shown, places, options.speeds)
    report = WarpReport(
        len(grid.old_times), len(path), round((other.times[-1] - other.times[0]) * RATE) + 1,
        grid.upsampling, grid.most_steps, coarse and not options.free_length,
    )  # fmt: skip
    if options.influence == 1.0:
        return WarpResult(guided, cost, report)
    new[-1] = new_times[-1]
    return WarpResult(blended(_spline(old, new, options), guided, options.influence, (new, old)), cost, report)


def _output_times(grid: Grid, count: int) -> Array:
    """New times of the output samples; of a free length they go on at the same rate."""
    pinned = int(grid.places[-2]) + 1
    if count == len(grid.new_times):
        return grid.new_times
    tail = grid.new_times[pinned - 1] + np.arange(1, count - pinned + 1) / RATE
    return np.concatenate([grid.new_times[:pinned], tail])


def _spline(old: Array, new: Array, options: GuidedWarpOptions) -> TimeMap:
    """The smooth warp through the keytimes alone."""
    return smooth_map(new, old, np.arange(len(old)), options.speeds)

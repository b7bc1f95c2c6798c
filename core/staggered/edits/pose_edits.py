"""Changing what a pose looks like (5.1). A pose is a motion of one frame.

An editing knot and its extreme always change by the same amount, so that no short bump arises
between them. Variables that a pose does not hold yet are taken up when they are changed.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion import Motion
from ...numerics import Array
from ..editing_knots import seated, unseated
from ..evaluation import evaluate
from ..model import StaggeredMotion
from ..timing import Timing
from ..track import Track
from ..variables import Variables
from .knot_changes import restructured, with_variables
from .pose_set import clear_offset
from .selection import chosen_variables


def true_pose(model: StaggeredMotion, pose: int) -> Motion:
    """What the motion shows at the time of a pose."""
    return evaluate(model, model.pose_times[pose])


def non_staggered_pose(model: StaggeredMotion, pose: int) -> Motion:
    """The extremes of all variables at once; what a pose does not hold is as in the true pose."""
    motion = true_pose(model, pose)
    values = []
    for track, now in zip(model.tracks, _curves(model.variables, motion), strict=True):
        knots = extreme_knots(model, track, pose)
        values.append(np.where((knots >= 0)[:, None], track.values[knots], now) if len(knots) else now)
    return model.variables.with_numbers(replace(motion, rotations=values[0][None]), values[1].T)


def with_extreme_pose(
    model: StaggeredMotion, pose: int, values: Motion, *, joints: Any = None, tolerance: float = 1e-9
) -> StaggeredMotion:
    """Set the extremes of a pose: all refinements collapsed, posed, and brought back.

    Args:
        pose: Number of the pose.
        values: The non-staggered pose as it should be, one frame.
        joints: Numbers or (J,) flags of joints that may change; all if not given.
        tolerance: Differences up to this many radians or units count as none. Raise it where
            values come back from a rig in single precision.
    """
    model = widened(model, values, tolerance)
    return _changed(model, pose, non_staggered_pose(model, pose), values, joints, tolerance)


def with_true_pose(
    model: StaggeredMotion, pose: int, values: Motion, *, joints: Any = None, tolerance: float = 1e-9
) -> StaggeredMotion:
    """Set what the motion shows at the time of a pose; the extremes change by the same amount.

    The arguments are those of `with_extreme_pose`.
    """
    model = widened(model, values, tolerance)
    return _changed(model, pose, true_pose(model, pose), values, joints, tolerance)


def extreme_knots(model: StaggeredMotion, track: Track, pose: int) -> NDArray[np.intp]:
    """(C,) numbers of a pose's extremes in a track, -1 where the pose does not hold the curve."""
    slots = model.timing.extreme_slots[pose, track.variable]
    knots = track.layout.number[slots, np.arange(len(slots))]
    return np.where(model.timing.present[pose, track.variable], knots, -1)


def _changed(
    model: StaggeredMotion, pose: int, before: Motion, after: Motion, joints: Any, tolerance: float
) -> StaggeredMotion:
    """Apply the difference of two poses to all knots of a pose."""
    allowed = chosen_variables(model, joints)
    touched, changes = [], []
    for track, old, new in zip(
        model.tracks, _curves(model.variables, before), _curves(model.variables, after), strict=True
    ):
        touched.append((track.algebra.distance(old, new) > tolerance) & allowed[track.variable])
        changes.append(track.algebra.factor(new, old))
    if not any(flags.any() for flags in touched):
        return model
    model = _with_knots_for(model, pose, touched)
    tracks = [
        _moved(model, track, pose, change, flags)
        for track, change, flags in zip(model.tracks, changes, touched, strict=True)
    ]
    return model.with_tracks(*tracks)


def _curves(variables: Variables, pose: Motion) -> tuple[Array, Array]:
    """(J, 4) rotations and (C, 1) numbers of a motion of one frame."""
    return pose.rotations[0], variables.numbers(pose).T


def _moved(model: StaggeredMotion, track: Track, pose: int, change: Array, touched: NDArray[np.bool_]) -> Track:
    """Change the knots that belong to a pose: extreme, editing knot, and an end that goes with them."""
    slots = [1 + 2 * pose, 2 + 2 * pose, *_ends_with(model.timing, pose)]
    knots = track.layout.number[slots][:, touched]
    knots = knots[knots >= 0]
    if not knots.size:
        return track
    values = np.array(track.values)
    values[knots] = track.algebra.concatenate(values[knots], change[track.layout.curve[knots]])
    return track.changed(values=values)


def _ends_with(timing: Timing, pose: int) -> list[int]:
    """Slots of the motion's ends that move with a pose: those at whose time the pose is."""
    ends = []
    if pose == 0 and timing.pose_times[0] <= timing.span[0]:
        ends.append(0)
    if pose == len(timing) - 1 and timing.pose_times[-1] >= timing.span[1]:
        ends.append(2 * len(timing) + 1)
    return ends


def _with_knots_for(model: StaggeredMotion, pose: int, touched: list[NDArray[np.bool_]]) -> StaggeredMotion:
    """Make sure that a pose has extremes and editing knots for the curves that are to change."""
    timing, variables = model.settled_timing(), np.zeros(len(model.variables), dtype=np.bool_)
    for track, flags in zip(model.tracks, touched, strict=True):
        variables[track.variable[flags]] = True
    row = np.zeros(timing.present.shape, dtype=np.bool_)
    row[pose] = variables
    missing, before = variables & ~timing.present[pose], timing
    timing = _taken_up(timing, pose, missing)
    # What this pose, or none before or after it, has held is held by those beside: the change reaches no further.
    if pose > 0:
        timing = _taken_up(timing, pose - 1, missing | variables & (model.timing.previous[pose] < 0))
    if pose < len(timing) - 1:
        timing = _taken_up(timing, pose + 1, missing | variables & (model.timing.following[pose] == len(timing)))
    loose = row & unseated(timing)
    if timing is before and not loose.any():
        return model
    return restructured(model, seated(timing, loose), chosen=variables)


def _taken_up(timing: Timing, pose: int, variables: NDArray[np.bool_]) -> Timing:
    """A pose that holds more variables (V,), as far as there is room for their knots where they should be."""
    if not variables.any():
        return timing
    offset, room = clear_offset(timing, pose, pose + 1, timing.wanted_times[pose])
    new = np.zeros_like(timing.present)
    new[pose] = variables & room & ~timing.present[pose]
    shifted = new & (offset != 0.0)
    refinements = np.where(shifted, timing.applied_refinements + offset, timing.refinements)
    collapsed = timing.collapsed & ~shifted
    wanted = timing.pose_times[:, None] + np.where(collapsed, 0.0, refinements)
    return timing.changed(
        present=timing.present | new,
        refinements=refinements,
        collapsed=collapsed,
        extreme_times=np.where(new, wanted, timing.extreme_times),
    )


def widened(model: StaggeredMotion, values: Motion, tolerance: float) -> StaggeredMotion:
    """Make variables of locations and scales that never changed so far and do in the given pose."""
    now = model.source
    moved = (np.abs(values.locations[0] - now.locations[0]) > tolerance).any(axis=1)
    sized = (np.abs(values.scales[0] - now.scales[0]) > tolerance).any(axis=1)
    return with_variables(model, np.flatnonzero(moved), np.flatnonzero(sized))

"""Changing what poses look like (5.1). Poses are frames of a motion.

An editing knot and its extreme always change by the same amount, so that no short bump arises
between them. Variables that a pose does not hold yet are taken up when they are changed.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion import Indices, Motion
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

Flags = NDArray[np.bool_]


def true_pose(model: StaggeredMotion, poses: Any) -> Motion:
    """What the motion shows at the time of a pose, or of several in order of time: a frame for each."""
    return evaluate(model, model.pose_times[poses])


def non_staggered_pose(model: StaggeredMotion, poses: Any) -> Motion:
    """The extremes of all variables at once, a frame for each pose; what it does not hold is as in the true pose."""
    motion, numbers = true_pose(model, poses), np.atleast_1d(poses)
    values = []
    for track, now in zip(model.tracks, _curves(model.variables, motion), strict=True):
        knots = extreme_knots(model, track, numbers)
        values.append(np.where((knots >= 0)[..., None], track.values[knots], now) if knots.size else now)
    return model.variables.with_numbers(replace(motion, rotations=values[0]), values[1][..., 0])


def with_extreme_pose(
    model: StaggeredMotion, poses: Any, values: Motion, *, joints: Any = None, tolerance: float = 1e-9
) -> StaggeredMotion:
    """Set the extremes of poses: all refinements collapsed, posed, and brought back.

    Args:
        poses: Number of a pose, or numbers in order.
        values: The non-staggered poses as they should be, a frame for each.
        joints: Numbers or (J,) flags of joints that may change; all if not given.
        tolerance: Differences up to this many radians or units count as none. Raise it where
            values come back from a rig in single precision.
    """
    model = widened(model, values, tolerance)
    return _changed(model, np.atleast_1d(poses), non_staggered_pose(model, poses), values, joints, tolerance)


def with_true_pose(
    model: StaggeredMotion, poses: Any, values: Motion, *, joints: Any = None, tolerance: float = 1e-9
) -> StaggeredMotion:
    """Set what the motion shows at the times of poses; the extremes change by the same amount.

    The arguments are those of `with_extreme_pose`.
    """
    model = widened(model, values, tolerance)
    return _changed(model, np.atleast_1d(poses), true_pose(model, poses), values, joints, tolerance)


def extreme_knots(model: StaggeredMotion, track: Track, poses: Any) -> Indices:
    """(C,) numbers of a pose's extremes in a track, or (P, C) of several; -1 where a pose does not hold the curve."""
    slots = model.fitted.timing.extreme_slots[poses][..., track.variable]
    knots = track.layout.number[slots, np.arange(len(track.variable))]
    return np.where(model.timing.present[poses][..., track.variable], knots, -1)


def _changed(
    model: StaggeredMotion, poses: Indices, before: Motion, after: Motion, joints: Any, tolerance: float
) -> StaggeredMotion:
    """Apply the differences of poses to all their knots."""
    allowed = chosen_variables(model, joints)
    touched, changes = [], []
    for track, old, new in zip(
        model.tracks, _curves(model.variables, before), _curves(model.variables, after), strict=True
    ):
        flags = _distances(track, old, new) > tolerance
        touched.append(flags & allowed[track.variable])
        changes.append(track.algebra.factor(new, old))
    if not any(flags.any() for flags in touched):
        return model
    if model.timing.is_cyclic:
        poses, touched, changes = _with_both_ends(len(model), poses, touched, changes)
    model = _with_knots_for(model, poses, touched)
    tracks = [
        _moved(model, track, poses, change, flags)
        for track, change, flags in zip(model.tracks, changes, touched, strict=True)
    ]
    return model.with_tracks(*tracks)


def _distances(track: Track, old: Array, new: Array) -> Array:
    """(P, C) how far values (P, C, w) are from each other."""
    shape = old.shape[:2]
    flat = track.algebra.distance(old.reshape(-1, old.shape[2]), new.reshape(-1, old.shape[2]))
    return flat.reshape(shape)


def _with_both_ends(
    count: int, poses: Indices, touched: list[Flags], changes: list[Array]
) -> tuple[Indices, list[Flags], list[Array]]:
    """The same changes for the other end of a loop, which is the same pose."""
    for one, other in ((0, count - 1), (count - 1, 0)):
        if one in poses and other not in poses:
            row = int(np.flatnonzero(poses == one)[0])
            poses = np.append(poses, other)
            touched = [np.concatenate([each, each[[row]]]) for each in touched]
            changes = [np.concatenate([each, each[[row]]]) for each in changes]
    return poses, touched, changes


def _curves(variables: Variables, poses: Motion) -> tuple[Array, Array]:
    """(P, J, 4) rotations and (P, C, 1) numbers of a motion."""
    return poses.rotations, variables.numbers(poses)[..., None]


def _moved(model: StaggeredMotion, track: Track, poses: Indices, change: Array, touched: Flags) -> Track:
    """Change the knots that belong to poses: extremes, editing knots, and ends that go with them."""
    values = np.array(track.values.T).T
    rows, slots = _slots_of(model.timing, poses)
    knots = track.layout.number[slots]
    row, curve = np.nonzero(touched[rows] & (knots >= 0))
    if not len(row):
        return track
    own = knots[row, curve]
    values[own] = track.algebra.concatenate(values[own], change[rows[row], curve])
    return track.changed(values=values)


def _slots_of(timing: Timing, poses: Indices) -> tuple[Indices, Indices]:
    """Slots that move with poses, those of the motion's ends too, and for each which of the poses it is."""
    rows, slots = [], []
    for row, pose in enumerate(poses.tolist()):
        own = [1 + 2 * pose, 2 + 2 * pose, *_ends_with(timing, pose)]
        rows += [row] * len(own)
        slots += own
    return np.array(rows, dtype=np.intp), np.array(slots, dtype=np.intp)


def _ends_with(timing: Timing, pose: int) -> list[int]:
    """Slots of the motion's ends that move with a pose: those at whose time the pose is."""
    ends = []
    if pose == 0 and timing.pose_times[0] <= timing.span[0]:
        ends.append(0)
    if pose == len(timing) - 1 and timing.pose_times[-1] >= timing.span[1]:
        ends.append(2 * len(timing) + 1)
    return ends


def _with_knots_for(model: StaggeredMotion, poses: Indices, touched: list[Flags]) -> StaggeredMotion:
    """Make sure that poses have extremes and editing knots for the curves that are to change."""
    before = timing = model.settled_timing()
    wanted = np.zeros(timing.present.shape, dtype=np.bool_)
    for track, flags in zip(model.tracks, touched, strict=True):
        for row, pose in enumerate(poses.tolist()):
            wanted[pose, track.variable[flags[row]]] = True
    for pose in poses.tolist():
        variables = wanted[pose]
        missing = variables & ~before.present[pose]
        timing = _taken_up(timing, pose, missing)
        # What this pose, or none before or after it, has held is held by those beside: the change reaches no further.
        if pose > 0:
            timing = _taken_up(timing, pose - 1, missing | variables & (before.previous[pose] < 0))
        if pose < len(timing) - 1:
            timing = _taken_up(timing, pose + 1, missing | variables & (before.following[pose] == len(timing)))
    loose = wanted & unseated(timing)
    if timing is before and not loose.any():
        return model
    chosen: Flags = np.any(wanted, axis=0)
    return restructured(model, seated(timing, loose), chosen=chosen)


def _taken_up(timing: Timing, pose: int, variables: Flags) -> Timing:
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
    moved = (np.abs(values.locations - now.locations[0]) > tolerance).any(axis=(0, 2))
    sized = (np.abs(values.scales - now.scales[0]) > tolerance).any(axis=(0, 2))
    return with_variables(model, np.flatnonzero(moved), np.flatnonzero(sized))

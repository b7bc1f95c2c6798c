"""Inserting and deleting poses; the motion stays as it is (5.1)."""

from typing import Any

import numpy as np

from ...errors import MotionEditError
from ...numerics import Array
from ..editing_knots import anchored
from ..model import StaggeredMotion
from ..timing import Flags, Timing
from .knot_changes import restructured
from .selection import chosen_poses, chosen_variables


def insert_pose(model: StaggeredMotion, time: float, *, joints: Any = None) -> StaggeredMotion:
    """Add a pose at a time, with the values that the motion has there.

    Where another pose's knots lie around the time, the new knot keeps clear of them and gets a
    refinement of its own.

    Args:
        time: In seconds, within the motion.
        joints: Numbers or (J,) flags of the joints that the pose holds; all if not given.

    Raises:
        MotionEditError: There is a pose already, or the time lies outside the motion.
    """
    timing, place = model.settled_timing(), int(np.searchsorted(model.pose_times, time))
    if not timing.span[0] <= time <= timing.span[1]:
        raise MotionEditError(f"A pose at {time:.3f} s would lie outside the motion")
    if (np.abs(model.pose_times - time) < timing.margin).any():
        raise MotionEditError(f"There is a pose at {time:.3f} s already")
    offset, room = clear_offset(timing, place, place, time)
    timing = timing.changed(
        pose_times=np.insert(timing.pose_times, place, time),
        refinements=np.insert(timing.refinements, place, np.where(room, offset, 0.0), axis=0),
        collapsed=np.insert(timing.collapsed, place, False, axis=0),
        amounts=np.insert(timing.amounts, place, 1.0),
        present=np.insert(timing.present, place, room & chosen_variables(model, joints), axis=0),
        extreme_times=np.insert(timing.extreme_times, place, time + np.where(room, offset, 0.0), axis=0),
        companions=np.insert(timing.companions, place, 0.0, axis=0),
    )
    origin = np.insert(np.arange(len(model)), place, -1)
    return restructured(model, anchored(timing), pose_origin=origin)


def clear_offset(timing: Timing, before: int, after: int, time: float | Array) -> tuple[Array, Flags]:
    """(V,) smallest refinement of a knot at a time that keeps it clear of other poses' knots.

    Args:
        timing: All knots.
        before: Poses up to, not including, this one lie before.
        after: Poses from this one on lie after.
        time: In seconds; one, or that of every variable (V,).

    Returns:
        Refinements, and whether there is room at all.
    """
    times = np.where(timing.slots_used, timing.slot_times, np.nan)
    low = np.fmax.reduce(times[1 : 1 + 2 * before], axis=0, initial=-np.inf) + timing.margin
    high = np.fmin.reduce(times[1 + 2 * after : -1], axis=0, initial=np.inf) - timing.margin
    return np.minimum(np.maximum(time, low), high) - time, low <= high


def with_presence(model: StaggeredMotion, present: Any) -> StaggeredMotion:
    """The same motion with poses that hold other control variables, (K, V) flags."""
    held = np.asarray(present, dtype=np.bool_)
    if (held == model.timing.present).all():
        return model
    return restructured(model, anchored(model.settled_timing().changed(present=held)))


def delete_poses(model: StaggeredMotion, poses: Any) -> StaggeredMotion:
    """Remove poses; the motion between their neighbours stays as it is.

    Args:
        poses: Numbers or (K,) flags.

    Raises:
        MotionEditError: No pose would be left.
    """
    keep = np.flatnonzero(~chosen_poses(model, poses))
    if not keep.size:
        raise MotionEditError("At least one pose must stay")
    timing = model.settled_timing()
    timing = timing.changed(
        pose_times=timing.pose_times[keep],
        refinements=timing.refinements[keep],
        collapsed=timing.collapsed[keep],
        amounts=timing.amounts[keep],
        present=timing.present[keep],
        extreme_times=timing.extreme_times[keep],
        companions=timing.companions[keep],
    )
    return restructured(model, anchored(timing), pose_origin=keep)

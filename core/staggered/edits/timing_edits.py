"""Changing when poses and their parts happen (5.2).

Values, splines and displacement maps live on normalised time and simply follow. Every function
gives a new model; `timing_warnings` tells what became tight.
"""

from typing import Any

import numpy as np

from ...editing import mirrored_names
from ...motion import Indices, Skeleton
from ...numerics import Array
from ...rig import BodyOrder
from ..model import StaggeredMotion
from ..timing import Flags, Timing
from .selection import chosen_knots, chosen_poses, variables_of

# How many times as fast the motion between two poses may become.
_FASTEST = 4.0


def retime(model: StaggeredMotion, poses: Any, times: Any) -> StaggeredMotion:
    """Move poses to other times, refinements with them.

    A pose stays between its neighbours, which the motion has to reach in time (see `time_limits`). If
    the first or the last pose is at an end of the motion, that end moves with it.

    Args:
        poses: One number, or numbers in order of time.
        times: New time of each, in seconds.
    """
    chosen, moved = np.atleast_1d(poses), np.array(model.pose_times)
    moved[chosen] = times
    for pose in chosen:
        low, high = _limits(model, moved, int(pose), chosen)
        moved[pose] = min(max(moved[pose], low), high)
    for pose in chosen[::-1]:
        moved[pose] = min(moved[pose], _limits(model, moved, int(pose), np.empty(0))[1])
    timing, span = model.timing, np.array(model.timing.span)
    if timing.pose_times[0] <= span[0]:
        span[0] += moved[0] - timing.pose_times[0]
    if timing.pose_times[-1] >= span[1]:
        span[1] += moved[-1] - timing.pose_times[-1]
    return model.with_timing(pose_times=moved, span=span)


def ripple(model: StaggeredMotion, pose: int, time: float) -> StaggeredMotion:
    """Move a pose to another time, and all poses after it by as much: the motion becomes longer or shorter."""
    low, _high = _limits(model, model.pose_times, pose, np.arange(pose, len(model)))
    later = max(time, low) - model.pose_times[pose]
    numbers = np.arange(pose, len(model))
    return retime(model, numbers, model.pose_times[numbers] + later)


def time_limits(model: StaggeredMotion, pose: int) -> tuple[float, float]:
    """Times between which a pose can be moved; infinite at the ends of the motion."""
    return _limits(model, model.pose_times, pose, np.empty(0))


def with_times_of(model: StaggeredMotion, edited: StaggeredMotion) -> StaggeredMotion:
    """A model at the times that it has after edits, with its own curves; edits may have added control variables."""
    columns = [edited.variables.keys.index(key) for key in model.variables.keys]
    timing = edited.timing
    return model.with_timing(
        pose_times=timing.pose_times,
        refinements=timing.refinements[:, columns],
        collapsed=timing.collapsed[:, columns],
        amounts=timing.amounts,
        span=timing.span,
    )


def _limits(model: StaggeredMotion, times: Array, pose: int, moving: Any) -> tuple[float, float]:
    """Limits of a pose; neighbours after it that are still to be placed do not bind it."""
    start, end = model.timing.span
    apart = np.maximum(np.diff(model.fitted.timing.pose_times) / _FASTEST, model.timing.margin)
    low = start if model.pose_times[0] > start else -np.inf
    high = end if model.pose_times[-1] < end else np.inf
    if pose > 0:
        low = times[pose - 1] + apart[pose - 1]
    if pose < len(times) - 1:
        high = np.inf if pose + 1 in moving else times[pose + 1] - apart[pose]
    return float(low), float(high)


def succession(
    model: StaggeredMotion,
    joint: int,
    offset: float,
    *,
    exponent: float = 1.0,
    poses: Any = None,
    joints: Any = None,
    order: BodyOrder | None = None,
) -> StaggeredMotion:
    """Let a motion travel down the limbs: every joint is late by offset × depth^exponent.

    Args:
        joint: Where the motion starts; the depth of its children is 1, of theirs 2.
        offset: Seconds for the first step; negative lets the ends lead.
        exponent: 1 is an even succession, more makes the ends drag as if by inertia.
        poses: Numbers or (K,) flags; all poses if not given.
        joints: Numbers or (J,) flags of joints that may change; all below `joint` if not given.
        order: Of the controls of a rig down the body, in the place of the hierarchy.
    """
    depth = depths_below(model.source.skeleton, joint) if order is None else order.depths_below(joint)
    late = np.where(depth > 0, offset * np.maximum(depth, 1.0) ** exponent, 0.0)
    return _with_added(model, np.tile(late, (len(model), 1)), poses, joints)


def depths_below(skeleton: Skeleton, joint: int) -> Indices:
    """(J,) steps down the hierarchy from a joint; 0 for itself and for what is not below it."""
    depth = np.zeros(len(skeleton), dtype=np.intp)
    for below in skeleton.descendants(joint):
        depth[below] = depth[skeleton.parents[below]] + 1
    return depth


def random_stagger(
    model: StaggeredMotion, reach: float, *, seed: int = 0, poses: Any = None, joints: Any = None
) -> StaggeredMotion:
    """Shift every joint of every pose by a random time, evenly spread within ± reach.

    Args:
        reach: Seconds.
        seed: Another number gives another result; the same number the same, also for a joint or
            pose on its own.
        poses: Numbers or (K,) flags; all poses if not given.
        joints: Numbers or (J,) flags; all joints if not given.
    """
    random = np.random.default_rng(seed)
    shift = random.uniform(-reach, reach, size=(len(model), model.variables.joints))
    return _with_added(model, shift, poses, joints)


def scale_stagger(model: StaggeredMotion, factor: float, *, poses: Any = None, joints: Any = None) -> StaggeredMotion:
    """Make existing stagger smaller or larger: 1 leaves it, 2 doubles it, 0 takes it away.

    Stagger that was taken away is remembered; `restagger` brings it back exactly.
    """
    chosen, timing = chosen_knots(model, poses, joints, shapes=True), model.timing
    amounts = _freed(timing, chosen)
    if factor == 0.0:
        return model.with_timing(collapsed=timing.collapsed | chosen, amounts=amounts)
    scaled = np.where(chosen & ~timing.collapsed, factor * timing.refinements, timing.refinements)
    return model.with_timing(refinements=scaled, amounts=amounts)


def restagger(model: StaggeredMotion, *, poses: Any = None, joints: Any = None) -> StaggeredMotion:
    """Bring back the stagger that `scale_stagger` with factor 0 took away."""
    chosen = chosen_knots(model, poses, joints, shapes=True)
    return model.with_timing(
        collapsed=model.timing.collapsed & ~chosen, amounts=_freed(model.timing, chosen & model.timing.collapsed)
    )


def copy_stagger(
    model: StaggeredMotion, pose: int, *, poses: Any = None, joints: Any = None, mirror: Any = None
) -> StaggeredMotion:
    """Give other poses the stagger of one.

    Args:
        pose: The one to copy from.
        poses: Numbers or (K,) flags of those to change; all others if not given.
        joints: Numbers or (J,) flags of joints to change; all if not given.
        mirror: (J,) the joint on the other side (`Body.mirror`), to let left and right swap.
    """
    variables = model.variables
    partner = np.arange(variables.joints) if mirror is None else np.asarray(mirror)
    keys = {key: number for number, key in enumerate(variables.keys)}
    sides = range(variables.scalars) if mirror is None else mirrored_names(model.source.scalar_names)
    # A joint whose partner lacks the variable takes the timing of the partner's rotation.
    origin = [
        keys[kind, sides[number]] if kind == "scalar" else keys.get((kind, int(partner[number])), int(partner[number]))
        for kind, number in variables.keys
    ]
    targets = chosen_poses(model, poses)
    if poses is None:
        targets[pose] = False
    table = np.tile(model.refinements[pose, origin], (len(model), 1))
    return _refined(model, table, chosen_knots(model, targets, joints, shapes=True))


def on_whole_frames(model: StaggeredMotion, before: StaggeredMotion) -> StaggeredMotion:
    """The model with all poses and extremes that differ from those before on whole frames, as people set keys."""
    timing, rate = model.timing, model.source.rate
    times = np.where(
        timing.pose_times != before.timing.pose_times, np.round(timing.pose_times * rate) / rate, timing.pose_times
    )
    moved = timing.present & (timing.extreme_times != before.timing.extreme_times)
    placed = np.round(timing.extreme_times * rate) / rate - times[:, None]
    refinements = np.where(moved & ~timing.collapsed, placed, timing.refinements)
    if (times == timing.pose_times).all() and (refinements == timing.refinements).all():
        return model
    return model.with_timing(pose_times=times, refinements=refinements)


def with_refinements(
    model: StaggeredMotion, refinements: Any, *, poses: Any = None, joints: Any = None
) -> StaggeredMotion:
    """Set refinements: one number, or a (K, J) table, of which only chosen poses and joints are used."""
    table = np.broadcast_to(np.asarray(refinements, dtype=np.float64), (len(model), model.variables.joints))
    return _with_refinements(model, model.variables.from_joints(table, 0.0), poses, joints)


def with_channel_refinements(
    model: StaggeredMotion, refinement: float, *, poses: Any = None, channels: Any = None
) -> StaggeredMotion:
    """Set the refinement of scalar channels, given as numbers or flags; all if not given."""
    chosen = chosen_poses(model, poses)[:, None] & variables_of(model, channels) & model.timing.present
    return _refined(model, np.full(chosen.shape, refinement), chosen)


def _with_added(model: StaggeredMotion, shift: Array, poses: Any, joints: Any) -> StaggeredMotion:
    """Add a (K, J) table to the refinements in use."""
    added = model.variables.from_joints(shift, 0.0)
    return _with_refinements(model, model.refinements + added, poses, joints, only=added != 0.0)


def _with_refinements(
    model: StaggeredMotion, table: Array, poses: Any, joints: Any, *, only: Any = True
) -> StaggeredMotion:
    return _refined(model, table, chosen_knots(model, poses, joints) & only)


def _refined(model: StaggeredMotion, table: Array, chosen: Flags) -> StaggeredMotion:
    timing = model.timing
    return model.with_timing(
        refinements=np.where(chosen, table, timing.refinements),
        collapsed=timing.collapsed & ~chosen,
        amounts=_freed(timing, chosen),
    )


def _freed(timing: Timing, chosen: Flags) -> Array:
    """(K,) amounts that poses with chosen knots (K, V) may have: what is asked of these anew is done at first."""
    return np.where(chosen.any(axis=1), 1.0, timing.amounts)

"""Staggered poses of a motion: knots at given times, splines and displacement maps between (4.1.1)."""

from typing import Any

import numpy as np

from ..errors import TooFewFramesError
from ..motion import Motion
from ..numerics import Array
from .construction import build
from .curve_fit.rotation_fit import FitOptions
from .editing_knots import seated
from .model import StaggeredMotion
from .timing import Flags, Timing
from .variables import Variables
from .warping.knot_order import in_order

# Knots of one variable stay at least this many frames apart.
_MARGIN = 0.5


def fit(
    motion: Motion,
    pose_times: Any,
    refinements: Any = None,
    *,
    root_refinements: Any = None,
    present: Any = None,
    is_cyclic: bool = False,
    seam: float = 0.0,
    options: FitOptions | None = None,
) -> StaggeredMotion:
    """Describe a motion by staggered poses; evaluated unchanged they give it back.

    Args:
        motion: Two frames or more.
        pose_times: (K,) increasing, in seconds, within the motion.
        refinements: (K, J) seconds from each pose to the extreme of each joint, whose location and
            scale share it; or (K, V) for each control variable. No stagger if not given.
        root_refinements: (K,) the same for the location of the uppermost joint that moves; NaN where it goes
            with the joint.
        present: (K, J) or (K, V) joints or variables that a pose holds; all if not given.
        is_cyclic: The motion plays round and round; its first and last pose are one, at its ends.
        seam: Seconds from its last frame to the first of the next round; 0 if that is the last frame again.
        options: How hard the rotation solver tries.

    Raises:
        TooFewFramesError: The motion has a single frame.
    """
    if len(motion) < 2:
        raise TooFewFramesError(f"Staggered poses need 2 frames, the motion has {len(motion)}")
    variables, times = Variables.of(motion), np.array(pose_times, dtype=np.float64)
    _refuse_bad_times(times, motion)
    table = _per_variable(variables, refinements, len(times), 0.0)
    top = top_location(motion, variables)
    if root_refinements is not None and top is not None:
        table[:, top] = np.where(np.isnan(root_refinements), table[:, top], root_refinements)
    held = _per_variable(variables, present, len(times), 1.0).astype(np.bool_)
    return build(
        motion, variables, first_timing(motion, times, table, held, is_cyclic=is_cyclic, seam=seam), options=options
    )


def first_timing(
    motion: Motion, times: Array, refinements: Array, present: Flags, *, is_cyclic: bool = False, seam: float = 0.0
) -> Timing:
    """Timing with an editing knot where a refinement is not 0, and knots at the ends of the motion."""
    margin = _MARGIN * float(np.median(np.diff(motion.times)))
    closed = is_cyclic and len(times) > 1 and times[0] <= motion.times[0] and times[-1] >= motion.times[-1]
    if closed:
        refinements = np.concatenate([refinements[:-1], refinements[:1]])
    timing = Timing(
        pose_times=times,
        refinements=refinements,
        collapsed=np.zeros_like(present),
        amounts=np.ones(len(times)),
        present=present,
        extreme_times=in_order(times[:, None] + refinements, present, margin),
        companions=np.zeros_like(refinements),
        span=np.array(motion.times[[0, -1]]),
        anchors=np.zeros((2, present.shape[1]), dtype=np.bool_),
        margin=margin,
        is_cyclic=closed,
        seam=seam if closed else 0.0,
    )
    return seated(timing, present)


def _refuse_bad_times(times: Array, motion: Motion) -> None:
    if times.ndim != 1 or (np.diff(times) <= 0.0).any():
        raise ValueError("Pose times must increase")
    if times.size and (times[0] < motion.times[0] or times[-1] > motion.times[-1]):
        raise ValueError("Pose times must lie within the motion")


def _per_variable(variables: Variables, table: Any, poses: int, usual: float) -> Array:
    """(K, V) table of one that is given for joints, for variables or not at all."""
    if table is None:
        return np.full((poses, len(variables)), usual)
    given: Array = np.array(table, dtype=np.float64)
    if given.shape == (poses, len(variables)):
        return given
    if given.shape != (poses, variables.joints):
        raise ValueError(f"A table for {poses} poses needs a column for each joint or control variable")
    result: Array = variables.from_joints(given, usual)
    return result


def top_location(motion: Motion, variables: Variables) -> int | None:
    """The variable that is the location of the joint nearest to the root; None if no joint moves."""
    depth = [len(motion.skeleton.ancestors(joint)) for joint in variables.locations]
    return variables.joints + int(np.argmin(depth)) if depth else None

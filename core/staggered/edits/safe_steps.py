"""As much of a timing edit as lets no joint jump.

Smooth time keeps single joints from hurrying. But many of them together move a foot or a hand, and
one that stands still while all joints above it move stays so only as long as they move in step.
"""

from dataclasses import replace

import numpy as np

from ...motion import Motion
from ...numerics import Array
from ..evaluation import evaluate
from ..model import StaggeredMotion
from ..timing import Timing

# How many times as far as ever before a joint may go in a frame, and how far in any case: sizes of the figure a
# second. Somewhat less than people would take for a jump.
_TIMES_OWN, _FREE = 3.6, 0.25
# What is left of an edit in every round, and how many rounds there are before it is given up.
_LESS, _ROUNDS = 0.7, 8


def within_steps(model: StaggeredMotion) -> StaggeredMotion:
    """The model with timing edits of poses made smaller, or taken back, around frames at which a joint would jump."""
    if not model.warps.moved.any():
        return model
    bound = _bound(_as_fitted(model))
    for turn in range(_ROUNDS + 1):
        frames = _jumps(evaluate(model), bound)
        chosen = _poses_around(model, frames) & _moved_poses(model)
        if not chosen.any():
            break
        model = _with_less(model, chosen, _LESS if turn < _ROUNDS else 0.0)
    return model


def _as_fitted(model: StaggeredMotion) -> Motion:
    """What the poses show with the timing that they had."""
    return evaluate(replace(model, timing=model.fitted.timing))


def _bound(motion: Motion) -> Array:
    """(J,) how far each joint may go in a frame."""
    size = float(np.ptp(motion.skeleton.rest_positions, axis=0).max(initial=0.0))
    steps = np.diff(motion.times)
    found: Array = _TIMES_OWN * _steps(motion).max(axis=0, initial=0.0) + _FREE * size * float(np.median(steps))
    return found


def _steps(motion: Motion) -> Array:
    """(F - 1, J) how far each joint goes from frame to frame."""
    moves = np.diff(motion.poses.positions, axis=0)
    squares: Array = np.einsum("fjc,fjc->fj", moves, moves)
    return np.sqrt(squares)


def _jumps(motion: Motion, bound: Array) -> Array:
    """(N,) times at which a joint goes too far."""
    found: Array = motion.times[1:][(_steps(motion) > bound).any(axis=1)]
    return found


def _poses_around(model: StaggeredMotion, times: Array) -> Array:
    """(K,) poses beside which, or between whose neighbours, any of the times lies."""
    after = np.searchsorted(model.pose_times, times)
    flags = np.zeros(len(model), dtype=np.bool_)
    for number in (after - 1, after):
        flags[np.clip(number, 0, len(model) - 1)] = True
    if model.timing.is_cyclic:
        flags[[0, -1]] = flags[0] | flags[-1]
    return flags


def _moved_poses(model: StaggeredMotion) -> Array:
    """(K,) poses of which something is asked that can still be made less."""
    fitted, timing = model.fitted.timing, model.timing
    staggered = (timing.applied_refinements != fitted.applied_refinements).any(axis=1) & (timing.amounts > 0.0)
    flags: Array = staggered | (timing.pose_times != fitted.pose_times)
    return flags


def _with_less(model: StaggeredMotion, chosen: Array, share: float) -> StaggeredMotion:
    """Chosen poses (K,) nearer to where they were, and less of what is asked of their refinements."""
    timing, fitted = model.timing, model.fitted.timing
    times = np.where(chosen, fitted.pose_times + share * (timing.pose_times - fitted.pose_times), timing.pose_times)
    amounts = np.where(chosen, share * timing.amounts, timing.amounts)
    return model.with_timing(pose_times=times, amounts=amounts, span=_span(fitted, times))


def _span(fitted: Timing, times: Array) -> Array:
    """Ends of the motion that move with the first and last pose, if these are at them."""
    span = np.array(fitted.span)
    if fitted.pose_times[0] <= span[0]:
        span[0] += times[0] - fitted.pose_times[0]
    if fitted.pose_times[-1] >= span[1]:
        span[1] += times[-1] - fitted.pose_times[-1]
    return span

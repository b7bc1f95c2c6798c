"""As much of a timing edit as lets no joint jump.

Smooth time keeps single joints from hurrying. But many of them together move a foot or a hand, and
one that stands still while all joints above it move stays so only as long as they move in step.
"""

from collections.abc import Callable
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from ...motion import Motion
from ...numerics import Array, quaternion
from ..evaluation import evaluate
from ..model import StaggeredMotion
from ..timing import Flags, Timing
from ..track import Track

# How many times as far as ever before a joint may go or turn in a frame, and how far in any case: sizes of the
# figure, and radians, a second. Somewhat less than people would take for a jump.
_TIMES_OWN, _FREE_WAY, _FREE_TURN = 3.6, 0.25, np.radians(130.0)
# What is left of an edit in every round, and how many rounds there are before it is given up.
_LESS, _ROUNDS = 0.7, 8


def within_steps(
    model: StaggeredMotion,
    *,
    size: float | None = None,
    show: Callable[[StaggeredMotion], Motion] = evaluate,
    rounds: int = _ROUNDS,
) -> StaggeredMotion:
    """The model with timing edits of poses made smaller, or taken back, around frames at which a joint would jump.

    Args:
        size: Height of the figure in units; a third of its length at rest if not given.
        show: Gives what is seen of a model, if that is more than what its poses describe.
        rounds: How often edits are made smaller before they are taken back.
    """
    if not model.warps.moved.any():
        return model
    # Smooth time has seen to it already that nothing turns too fast.
    bounds = _bounds(model, size)[: 1 if show is evaluate else 2]
    for turn in range(rounds + 1):
        frames = _jumps(show(model), bounds)
        chosen = _poses_around(model, frames) & _moved_poses(model)
        if not chosen.any():
            break
        model = _with_less(model, chosen, _LESS if turn < rounds else 0.0)
    return model


def jumps(model: StaggeredMotion, motion: Motion, *, size: float | None = None) -> Array:
    """(N,) times at which a joint of a motion of the poses goes, or turns, too far in a frame."""
    return _jumps(motion, _bounds(model, size))


_known: WeakKeyDictionary[Track, tuple[Array, Array]] = WeakKeyDictionary()


def _bounds(model: StaggeredMotion, size: float | None) -> tuple[Array, Array]:
    """(J,) how far each joint may go, and turn, in a frame: by what the poses show with the timing that they had."""
    source = model.source
    if model.rotations not in _known:
        motion = evaluate(replace(model, timing=model.fitted.timing))
        ways, turns = (_TIMES_OWN * measure(motion).max(axis=0, initial=0.0) for measure in _MEASURES)
        _known[model.rotations] = ways, turns
    ways, turns = _known[model.rotations]
    length = float(np.ptp(source.skeleton.rest_positions, axis=0).max(initial=0.0))
    step = float(np.median(np.diff(source.times)))
    return ways + _FREE_WAY * (size or length / 3.0) * step, turns + _FREE_TURN * step


def _ways(motion: Motion) -> Array:
    """(F - 1, J) how far each joint goes from frame to frame."""
    places = motion.poses.positions.T
    squares = np.zeros((places.shape[1], places.shape[2] - 1))
    for axis in places:
        moves = np.diff(axis, axis=-1)
        squares += moves * moves
    found: Array = np.sqrt(squares).T
    return found


def _turns(motion: Motion) -> Array:
    """(F - 1, J) how far each joint turns from frame to frame."""
    return quaternion.angle_between(motion.rotations[1:], motion.rotations[:-1])


_MEASURES = (_ways, _turns)


def _jumps(motion: Motion, bounds: tuple[Array, ...]) -> Array:
    """(N,) times at which a joint goes, or turns, too far."""
    far = [(measure(motion) > most).any(axis=1) for measure, most in zip(_MEASURES, bounds, strict=False)]
    found: Array = motion.times[1:][np.any(far, axis=0)]
    return found


def _poses_around(model: StaggeredMotion, times: Array) -> Flags:
    """(K,) poses beside which, or between whose neighbours, any of the times lies."""
    after = np.searchsorted(model.pose_times, times)
    flags = np.zeros(len(model), dtype=np.bool_)
    for number in (after - 1, after):
        flags[np.clip(number, 0, len(model) - 1)] = True
    if model.timing.is_cyclic:
        flags[[0, -1]] = flags[0] | flags[-1]
    return flags


def _moved_poses(model: StaggeredMotion) -> Flags:
    """(K,) poses of which something is asked that can still be made less."""
    fitted, timing = model.fitted.timing, model.timing
    staggered = (timing.applied_refinements != fitted.applied_refinements).any(axis=1) & (timing.amounts > 0.0)
    flags: Flags = staggered | (timing.pose_times != fitted.pose_times)
    return flags


def _with_less(model: StaggeredMotion, chosen: Flags, share: float) -> StaggeredMotion:
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

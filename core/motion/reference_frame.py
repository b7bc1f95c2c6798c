"""Noticing a reference pose in front of a motion, such as the T-pose that converters add.

Such a frame does not belong to the movement: everything that looks at speeds, contacts or the
range of a motion sees a pop at its start.
"""

from typing import Any

import numpy as np

from ..numerics import Array, quaternion
from .motion import Motion

# Steps after the jump that show how fast the motion really starts.
_NEAR, _WINDOW = 3, 20
# Share of the body's size (the diagonal of its box) by which the farthest joint must jump, seen from
# the body's middle. T-poses of captured clips jump by 0.3 to 0.8, a fast fist by 0.15 in a film frame.
_LEAST_JUMP = 0.2
# How much larger than the steps that follow the jump is: with rotations that say the same, by
# positions alone, and where there are too few steps to know the motion's speed.
_RATIO, _RATIO_ALONE, _RATIO_SHORT = 3.5, 8.0, 20.0
# The same for poses that were found to be references before, whose motion may have been edited since.
_RATIO_AGAIN = 3.0
# Further jumps of half the size that captured motion may have (dropped markers); with more of them
# the frames are unrelated poses, or held ones, and the first is as good as any other.
_MOST_POPS = 2


def leading_reference_frames(motion: Motion, *, positions: Any = None, most: int = 2) -> int:
    """Count the frames at the start that show a reference pose instead of the motion.

    It is told by a jump from a still pose to the motion that is many times larger than the
    steps right after it, in joint positions and, as far as they move, in rotations. Where the
    motion itself starts with such a pop, nothing can tell the two apart.

    Args:
        motion: Motion of three frames or more; fewer show no speed to compare with.
        positions: (F, J, 3) places of joints where they do not follow from the motion alone
            (constraints, IK); of the motion's own joints if not given.
        most: Longest reference, in frames, that is looked for.

    Returns:
        Number of leading frames to leave out, 0 if there is no reference.
    """
    if len(motion) < 3:
        return 0
    places = motion.poses.positions if positions is None else np.asarray(positions, dtype=np.float64)
    farthest, moved = _position_steps(places)
    turned = _rotation_steps(motion.rotations[: most + _WINDOW + 1])
    for count in range(1, min(most, len(motion) - 2) + 1):
        jump = count - 1
        if farthest[jump] >= _LEAST_JUMP and _stands_out(moved, turned, jump):
            pops = np.count_nonzero(moved[count:] > 0.5 * moved[jump])
            return count if pops <= _MOST_POPS else 0
    return 0


def still_leading(values: Any, most: int) -> int:
    """Count the reference frames at the start that are left, of those that were found once.

    Frames may have been deleted since. A pose that was found to break with the motion is believed again if its
    jump still is several times as large as the steps after it.

    Args:
        values: (F, N) channels of the motion, such as the values of its curves, in the first frames.
        most: How many reference frames were found.
    """
    steps = np.sqrt((np.diff(np.asarray(values, dtype=np.float64), axis=0) ** 2).mean(axis=1))
    for count in range(min(most, len(steps) - _NEAR), 0, -1):
        if steps[count - 1] >= _RATIO_AGAIN * _speed_after(steps, count - 1):
            return count
    return 0


def _position_steps(positions: Array) -> tuple[Array, Array]:
    """(F - 1,) farthest and root mean square way of the joints in each step, in body sizes.

    Travel of the body as a whole is left out: a reference pose stands anywhere, and so may a motion.
    """
    shapes = positions - positions.mean(axis=1, keepdims=True)
    size = float(np.median(np.linalg.norm(np.ptp(shapes, axis=1), axis=-1)))
    if size == 0.0:
        return np.zeros(len(positions) - 1), np.zeros(len(positions) - 1)
    steps = np.diff(shapes, axis=0) / size
    squares = quaternion.dot(steps, steps)
    return np.sqrt(squares.max(axis=1)), np.sqrt(squares.mean(axis=1))


def _rotation_steps(rotations: Array) -> Array:
    """(F - 1,) root mean square angle of each step over the joints."""
    angles = quaternion.angle_between(rotations[1:], rotations[:-1])
    root: Array = np.sqrt((angles**2).mean(axis=1))
    return root


def _stands_out(moved: Array, turned: Array, jump: int) -> bool:
    """The jump breaks with the steps after it, and with those before, where the pose is still."""
    if jump and moved[:jump].max() * _RATIO_SHORT > moved[jump]:
        return False
    following = len(moved) - jump - 1
    alone = moved[jump] / _speed_after(moved, jump)
    if following < _NEAR:
        return bool(alone >= _RATIO_SHORT)
    together = min(alone, turned[jump] / _speed_after(turned, jump))
    return bool(together >= _RATIO or alone >= _RATIO_ALONE)


def _speed_after(steps: Array, jump: int) -> float:
    """Usual step of the motion after the jump; a single spike does not count.

    The nearest steps count by themselves, lest a fast start that slows down looks like a jump.
    """
    after = steps[jump + 1 : jump + 1 + _WINDOW]
    usual = max(float(np.median(after[:_NEAR])), float(np.quantile(after, 0.75)))
    return max(usual, 1e-9)

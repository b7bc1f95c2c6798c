"""Low-pass filtering of rotations, locations and scales (motion editing chapter, 1.6.3).

A sample becomes the mean of the motion around it. The mean is taken twice over straight lines
between the samples, each time over half the radius: together a tent-shaped weight that falls to
nothing at the radius. A single mean lets through waves that are shorter than its window, some
of them turned round; the tent lets a twentieth of them through and turns none.

Both means use the same span on either side, and towards the ends of the motion the span narrows.
So a steady movement stays as it is everywhere, and the first and last pose stay bit for bit.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..numerics import Array, quaternion
from .joint_blocks import Mask, chosen_joints, moving_blocks
from .motion import Motion
from .shapes import with_shapes

# A change below this share of a value is rounding: single precision keys cannot hold it.
_ROUNDING = 1e-9
# Squared length of a mean of quaternions below which its direction means nothing.
_LOST = 1e-6


def smooth(motion: Motion, *, radius: float, strength: float = 1.0, joints: Any = None) -> Motion:
    """Average every joint's rotation, location and scale over its neighbourhood in time.

    The mean of rotations is the normalized quaternion mean; it differs from the geodesic mean
    where poses within the radius are far apart. Shapes of a face are averaged too; other
    scalar channels stay, since many of them are switches.

    Args:
        motion: Motion to smooth, with any spacing of its frames.
        radius: Seconds on each side that count. Waves shorter than the radius are gone, those
            longer than six radii keep nine tenths of their size or more.
        strength: 0 gives back the same motion, 1 the mean, values between a mixture.
        joints: (J,) true for the joints to smooth; all if not given.

    Raises:
        ValueError: The radius is negative or the strength is not from 0 to 1.
    """
    if not radius >= 0.0 or not 0.0 <= strength <= 1.0:
        raise ValueError("radius must not be negative, strength must lie between 0 and 1")
    if radius == 0.0 or strength == 0.0 or len(motion) < 3:
        return motion
    chosen = chosen_joints(motion, joints)
    window = _Window(motion.times, 0.5 * radius)
    after = replace(
        motion,
        rotations=quaternion.sign_continuous(_mixed(_mean_rotations, window, motion.rotations, strength, chosen)),
        locations=_mixed(_mean_vectors, window, motion.locations, strength, chosen),
        scales=_mixed(_mean_vectors, window, motion.scales, strength, chosen),
    )
    return with_shapes(motion, after, joints, lambda shapes: _mean_vectors(window, shapes.T, strength).T)


class _Window:
    """The part of the time line around every sample over which means are taken."""

    def __init__(self, times: Array, reach: float) -> None:
        """A span of `reach` seconds to both sides, less where an end of the motion is nearer."""
        room = np.minimum(times - times[0], times[-1] - times)
        self.times, self.steps = times, np.diff(times)
        self.reach = np.minimum(reach, room)
        self.inner = self.reach > 0.0
        self.low, self.high = (self._place(times + side * self.reach) for side in (-1.0, 1.0))

    def _place(self, at: Array) -> tuple[Any, Array, Array]:
        """The sample before each time, and what it and the next one weigh in the area between it and the time."""
        before = np.clip(np.searchsorted(self.times, at, side="right") - 1, 0, len(self.times) - 2)
        step = at - self.times[before]
        weight_after = 0.5 * step * step / self.steps[before]
        return before, step - weight_after, weight_after

    def means(self, values: Array) -> Array:
        """Mean of the straight lines between values (..., F) around every sample."""
        areas = np.zeros_like(values)
        np.cumsum(0.5 * (values[..., 1:] + values[..., :-1]) * self.steps, axis=-1, out=areas[..., 1:])
        spans = np.where(self.inner, 2.0 * self.reach, 1.0)
        result = (self._area(values, areas, self.high) - self._area(values, areas, self.low)) / spans
        return np.where(self.inner, result, values)

    @staticmethod
    def _area(values: Array, areas: Array, places: tuple[Any, Array, Array]) -> Array:
        """Area below the lines from the first sample up to the given places."""
        before, weight_before, weight_after = places
        area: Array = areas.take(before, axis=-1)
        area += weight_before * values.take(before, axis=-1)
        area += weight_after * values.take(before + 1, axis=-1)
        return area


_Means = Callable[[_Window, Array, float], Array]


def _mixed(means: _Means, window: _Window, values: Array, strength: float, chosen: Mask) -> Array:
    """Values (F, J, C) with the chosen joints that move brought towards their means."""
    memory = np.array(values.T)  # (C, J, F): each channel in one piece, which is how motions store it
    for block in moving_blocks(values, chosen):
        before = memory[:, block]
        memory[:, block] = _unless_rounding(before, means(window, before, strength))
    return memory.T


def _mean_vectors(window: _Window, values: Array, strength: float) -> Array:
    """Vectors (C, J, F) brought towards the mean of the mean around each sample."""
    mean: Array = values + strength * (window.means(window.means(values)) - values)
    return mean


def _mean_rotations(window: _Window, values: Array, strength: float) -> Array:
    """Quaternions (4, J, F) turned towards the mean of the mean around each sample.

    They get unit length and continuous signs after each mean: quaternions that the first one
    has shortened would count less in the second, and towards the ends it shortens less.
    """
    rotations = once = values.T
    for _time in range(2):
        mean = window.means(once.T).T
        # A spin of whole turns within the window has no mean: there the rotation stays.
        lost = quaternion.dot(mean, mean) < _LOST
        once = quaternion.sign_continuous(np.where(lost[..., None], once, quaternion.normalize(mean)))
    return (once if strength == 1.0 else quaternion.slerp(rotations, once, strength)).T


def _unless_rounding(before: Array, after: Array) -> Array:
    """New samples (C, J, F), but the old ones bit for bit where the difference is rounding."""
    settled = (np.abs(after - before) <= _ROUNDING * np.maximum(np.abs(before), 1.0)).all(axis=0)
    return np.where(settled, before, after)

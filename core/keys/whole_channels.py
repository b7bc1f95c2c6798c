"""Key reduction with a bound on a joint's whole rotation or location, not on each channel."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..numerics import Array, quaternion
from .bezier.curves import reduce_curves
from .bezier.keyed_curves import KeyedCurves, evaluate_keys, join
from .channels import both_ways, reader_of, with_middles

# A joint that misses its bound is fitted again with tolerances that much smaller at least,
# and at most; between the two it is what the measured error suggests.
_LEAST_TIGHTENING, _MOST_TIGHTENING = 0.9, 0.4
# Share of the bound that is kept back for curves stored in single precision.
_ROUNDING = 1e-4
# After this many rounds only every sample as a key is left, which has no error.
_MOST_ROUNDS = 40

# error(fitted (G, n, C), reference (G, n, C)) -> (G, n)
Error = Callable[[Array, Array], Array]


@dataclass(frozen=True, eq=False)
class ReducedChannels:
    """Keys of J joints with C channels each.

    Attributes:
        keys: Curves joint by joint: curve joint * C + channel.
        errors: (J,) largest error of each joint on all samples and in the middles between
            them, in degrees or in the unit of the locations; never above the bound.
    """

    keys: KeyedCurves
    errors: Array

    @property
    def largest_error(self) -> float:
        """The largest error of all joints."""
        return float(self.errors.max(initial=0.0))


def reduce_rotations(
    times: Any,
    channels: Any,
    mode: str,
    *,
    degrees: float = 0.5,
    kind: str = "SMOOTH",
    fixed: Any = None,
    held: Any = None,
    between: Any = None,
) -> ReducedChannels:
    """Fit keys to rotation channels so that each joint's whole rotation keeps a bound.

    Args:
        times: (F,) increasing, in any unit.
        channels: (F, J, C) continuous channels; C is 4 for quaternions (w, x, y, z) and
            for axis and angle (angle first), 3 for Euler angles. Angles are in radians.
        mode: 'QUATERNION', 'AXIS_ANGLE' or an Euler order such as 'XYZ'.
        degrees: Largest angle between a fitted and a sampled rotation. A quarter of a
            degree cannot be seen on most joints; feet and hips deserve less.
        kind: 'SMOOTH' or 'FEWEST', as in reduce_curves.
        fixed: Frame numbers (M,) that must be keys.
        held: (F - 1, J, C) intervals over which a channel stands still, as in reduce_curves.
        between: (F - 1, J, C) what channels have halfway to the next sample, as in reduce_curves.
    """
    channels = np.asarray(channels, dtype=np.float64)
    as_rotations = reader_of(mode)

    def error(fitted: Array, reference: Array) -> Array:
        angle = quaternion.angle_between(as_rotations(fitted), as_rotations(reference))
        return np.rad2deg(angle)

    first_try = _first_tolerances(channels, mode, np.deg2rad(degrees))
    fit = _Fit(times, channels, held, between, kind, fixed)
    return _reduce_whole(fit, first_try, error, bound=degrees)


def reduce_locations(
    times: Any,
    locations: Any,
    *,
    distance: float,
    kind: str = "SMOOTH",
    fixed: Any = None,
    held: Any = None,
    between: Any = None,
) -> ReducedChannels:
    """Fit keys to locations (F, J, 3) so that no fitted point is farther than `distance` from its sample.

    Args:
        times: (F,) increasing, in any unit.
        locations: (F, J, 3) in the unit of `distance`.
        distance: Largest distance; a thousandth of the character's height is hard to see.
        kind: 'SMOOTH' or 'FEWEST', as in reduce_curves.
        fixed: Frame numbers (M,) that must be keys.
        held: (F - 1, J, 3) intervals over which a channel stands still, as in reduce_curves.
        between: (F - 1, J, 3) what channels have halfway to the next sample, as in reduce_curves.
    """
    locations = np.asarray(locations, dtype=np.float64)

    def error(fitted: Array, reference: Array) -> Array:
        length: Array = np.linalg.norm(fitted - reference, axis=-1)
        return length

    first_try = np.full(locations.shape[1:], distance)
    fit = _Fit(times, locations, held, between, kind, fixed)
    return _reduce_whole(fit, first_try, error, bound=distance)


def _first_tolerances(channels: Array, mode: str, bound: float) -> Array:
    """(J, C) tolerances that are just enough if one channel alone is off; bound in radians."""
    tolerances = np.full(channels.shape[1:], bound)
    if mode == "QUATERNION":
        tolerances *= 0.5 * np.sqrt((channels**2).sum(axis=-1)).min(axis=0, initial=1.0)[:, None]
    elif mode == "AXIS_ANGLE":
        # Turning the axis by some angle moves the rotation by up to twice the sine of half its angle.
        effect = 2.0 * np.abs(np.sin(0.5 * channels[..., :1])).max(axis=0, initial=0.0)
        tolerances[:, 1:] /= np.maximum(effect, bound)
    return tolerances


class _Fit:
    """Channels (F, J, C) that are fitted joint by joint, and measured."""

    def __init__(self, times: Any, channels: Array, held: Any, between: Any, kind: str, fixed: Any) -> None:
        self.times, self.channels = np.asarray(times, dtype=np.float64), channels
        shape = (len(channels) - 1, *channels.shape[1:])
        self.held = np.zeros(shape, dtype=np.bool_) if held is None else np.asarray(held)
        self.between = np.full(shape, np.nan) if between is None else np.asarray(between)
        self.kind, self.fixed = kind, fixed

    def keys(self, joints: Any, tolerances: Array) -> KeyedCurves:
        """Keys of some joints within tolerances (n, C) of their channels."""
        values, held, between = self._curves(joints)
        return reduce_curves(
            self.times, values, tolerances.ravel(), kind=self.kind, fixed=self.fixed, held=held, between=between
        )

    def largest_errors(self, joints: Any, keys: KeyedCurves, error: Error) -> Array:
        """(n,) largest error of each joint at the samples and in the middles between them.

        In a middle the reference is what is known to be there; else the straight or the smooth
        way between the two samples, whichever is nearer.
        """
        shape = (-1, *self.channels[:, joints].shape[1:])
        fitted = evaluate_keys(keys, with_middles(self.times)).reshape(shape)
        ways = both_ways(self.times, *self._curves(joints))
        largest: Array = np.minimum(*(error(fitted, way.reshape(shape)) for way in ways)).max(axis=0)
        return largest

    def _curves(self, joints: Any) -> tuple[Array, Any, Array]:
        """Values, held intervals and known middles of some joints, curve by curve."""
        width = len(joints) * self.channels.shape[2]
        values, held, between = (
            array[:, joints].reshape(len(array), width) for array in (self.channels, self.held, self.between)
        )
        return values, held, between


def _reduce_whole(fit: _Fit, tolerances: Array, error: Error, *, bound: float) -> ReducedChannels:
    """Fit, measure, and fit again with smaller tolerances those joints that miss the bound."""
    joints, width = tolerances.shape
    parts: list[KeyedCurves] = [reduce_curves([0.0], np.zeros((1, 0)), 0.0)] * joints
    errors, goal = np.zeros(joints), (1.0 - _ROUNDING) * bound
    open_joints = np.arange(joints)
    for attempt in range(_MOST_ROUNDS):
        if not open_joints.size:
            break
        if attempt == _MOST_ROUNDS - 1:
            tolerances[open_joints] = 0.0
        keys = fit.keys(open_joints, tolerances[open_joints])
        errors[open_joints] = fit.largest_errors(open_joints, keys, error)
        for place, joint in enumerate(open_joints):
            parts[joint] = keys.part(place * width, (place + 1) * width)
        open_joints = np.flatnonzero((errors > goal) & tolerances.any(axis=-1))
        factor = np.clip(goal / errors[open_joints], _MOST_TIGHTENING, _LEAST_TIGHTENING)
        tolerances[open_joints] *= factor[:, None]
    return ReducedChannels(join(parts), errors)

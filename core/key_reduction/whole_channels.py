"""Key reduction with a bound on a joint's whole rotation or location, not on each channel."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import quaternion
from ..quaternion import Array
from .channels import reader_of
from .corridor import build_corridor
from .curves import reduce_curves
from .keyed_curves import KeyedCurves, evaluate_keys, join

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
    """
    channels = np.asarray(channels, dtype=np.float64)
    as_rotations = reader_of(mode)

    def error(fitted: Array, reference: Array) -> Array:
        angle = quaternion.angle_between(as_rotations(fitted), as_rotations(reference))
        return np.rad2deg(angle)

    first_try = _first_tolerances(channels, mode, np.deg2rad(degrees))
    return _reduce_whole(times, channels, first_try, error, bound=degrees, kind=kind, fixed=fixed, held=held)


def reduce_locations(
    times: Any, locations: Any, *, distance: float, kind: str = "SMOOTH", fixed: Any = None, held: Any = None
) -> ReducedChannels:
    """Fit keys to locations (F, J, 3) so that no fitted point is farther than `distance` from its sample.

    Args:
        times: (F,) increasing, in any unit.
        locations: (F, J, 3) in the unit of `distance`.
        distance: Largest distance; a thousandth of the character's height is hard to see.
        kind: 'SMOOTH' or 'FEWEST', as in reduce_curves.
        fixed: Frame numbers (M,) that must be keys.
        held: (F - 1, J, 3) intervals over which a channel stands still, as in reduce_curves.
    """
    locations = np.asarray(locations, dtype=np.float64)

    def error(fitted: Array, reference: Array) -> Array:
        length: Array = np.linalg.norm(fitted - reference, axis=-1)
        return length

    first_try = np.full(locations.shape[1:], distance)
    return _reduce_whole(times, locations, first_try, error, bound=distance, kind=kind, fixed=fixed, held=held)


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


def _reduce_whole(
    times: Any, channels: Array, tolerances: Array, error: Error, *, bound: float, kind: str, fixed: Any, held: Any
) -> ReducedChannels:
    """Fit, measure, and fit again with smaller tolerances those joints that miss the bound."""
    joints, width = channels.shape[1:]
    parts: list[KeyedCurves] = [reduce_curves([0.0], np.zeros((1, 0)), 0.0)] * joints
    errors, goal = np.zeros(joints), (1.0 - _ROUNDING) * bound
    open_joints = np.arange(joints)
    holding = np.zeros((len(channels) - 1, joints, width), dtype=np.bool_) if held is None else np.asarray(held)
    for attempt in range(_MOST_ROUNDS):
        if not open_joints.size:
            break
        if attempt == _MOST_ROUNDS - 1:
            tolerances[open_joints] = 0.0
        chosen = channels[:, open_joints]
        flat = chosen.reshape(len(chosen), -1)
        steps = holding[:, open_joints].reshape(len(holding), open_joints.size * width)
        keys = reduce_curves(times, flat, tolerances[open_joints].ravel(), kind=kind, fixed=fixed, held=steps)
        errors[open_joints] = _largest_errors(times, chosen, steps, keys, error)
        for place, joint in enumerate(open_joints):
            parts[joint] = keys.part(place * width, (place + 1) * width)
        open_joints = np.flatnonzero((errors > goal) & tolerances.any(axis=-1))
        factor = np.clip(goal / errors[open_joints], _MOST_TIGHTENING, _LEAST_TIGHTENING)
        tolerances[open_joints] *= factor[:, None]
    return ReducedChannels(join(parts), errors)


def _largest_errors(times: Any, channels: Array, held: Any, keys: KeyedCurves, error: Error) -> Array:
    """(n,) largest error of each joint at the samples and in the middles between them.

    In a middle the reference is the straight or the smooth way between the two samples,
    whichever is nearer; where a channel stands still both are its value.
    """
    times = np.asarray(times, dtype=np.float64)
    at_samples = error(evaluate_keys(keys, times).reshape(channels.shape), channels)
    if len(times) == 1:
        return np.array(at_samples[0])
    flat = channels.reshape(len(channels), -1)
    straight = np.where(held, flat[:-1], 0.5 * (flat[1:] + flat[:-1])).reshape(-1, *channels.shape[1:])
    corridor = build_corridor(times, np.ascontiguousarray(flat.T), 0.0, held.T)
    smooth = corridor.target[:, 1::2].T.reshape(straight.shape)
    fitted = evaluate_keys(keys, corridor.times[1::2]).reshape(straight.shape)
    between = np.minimum(error(fitted, straight), error(fitted, smooth))
    largest: Array = np.maximum(at_samples.max(axis=0), between.max(axis=0))
    return largest

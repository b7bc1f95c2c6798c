"""How far each curve may stray at each sample, so that bones and their ends keep their bounds."""

import numpy as np

from ..motion import Indices, Skeleton
from ..numerics import Array
from .bezier.keyed_curves import KeyedCurves
from .channels import Channel
from .measures import Errors, Yardstick

# Lever below which turning does not move an end, as part of the bound on its distance.
_NO_LEVER = 1e-6
# Part of a bound that one joint may use up at first: the errors of a chain add up, mostly not all one way.
_FIRST_SHARE = 0.8
# A piece that misses its bound gets tolerances that much smaller at least, and at most.
_LEAST_TIGHTENING, _MOST_TIGHTENING = 0.9, 0.4


def ends_below(skeleton: Skeleton, joint: int) -> Indices:
    """Ends that move when a joint turns: its own tip, and all joints and tips below; tips follow the joints."""
    below = skeleton.descendants(joint)
    tips = [len(skeleton) + each for each in (joint, *below)]
    return np.array([*below, *tips], dtype=np.intp)


def first_tolerances(yardstick: Yardstick) -> Array:
    """(F, N) tolerances that are just enough if each joint alone is off."""
    channels = yardstick.channels
    tolerances = np.empty_like(channels.values)
    for number, channel in enumerate(channels.channels):
        tolerances[:, channels.curves_of(number)] = _first(yardstick, channel, yardstick.own_bounds[number])
    return _FIRST_SHARE * tolerances


def _first(yardstick: Yardstick, channel: Channel, bound: float) -> Array:
    """(F, C) tolerances of one channel."""
    if channel.part == "value":
        return np.full(channel.values.shape, bound)
    if channel.part == "location":
        return np.repeat(np.minimum(bound, _moving(yardstick, channel.joint))[:, None], channel.size, axis=1)
    turn = _turning(yardstick, channel.joint)
    if channel.part == "scale":
        return np.repeat(np.minimum(bound, turn)[:, None], channel.size, axis=1)
    angle = np.minimum(np.deg2rad(bound), turn)
    return angle[:, None] * _per_angle(channel, float(np.deg2rad(bound)))


def _moving(yardstick: Yardstick, joint: int) -> Array:
    """(F,) shift of a joint that brings no end below it out of its bound."""
    ends = np.append(ends_below(yardstick.channels.motion.skeleton, joint), joint)
    smallest: Array = yardstick.end_bounds[::2, ends].min(axis=1) / yardstick.size_of(joint)
    return smallest


def _turning(yardstick: Yardstick, joint: int) -> Array:
    """(F,) turn of a joint, in radians, that brings no end below it out of its bound."""
    ends = ends_below(yardstick.channels.motion.skeleton, joint)
    levers = _levers(yardstick.reference_ends[::2], joint, ends)
    bounds = yardstick.end_bounds[::2, ends]
    smallest: Array = (bounds / np.maximum(levers, _NO_LEVER * bounds)).min(axis=1)
    return smallest


def _levers(all_ends: Array, joint: int, ends: Indices) -> Array:
    levers: Array = np.linalg.norm(all_ends[:, ends] - all_ends[:, joint, None], axis=-1)
    return levers


def _per_angle(channel: Channel, bound: float) -> Array:
    """(F, C) or (C,) change of a rotation's channels that turns the joint by one radian."""
    if channel.mode == "QUATERNION":
        length: Array = np.repeat(0.5 * np.linalg.norm(channel.values, axis=1)[:, None], 4, axis=1)
        return length
    scale = np.ones(channel.size)
    if channel.mode == "AXIS_ANGLE":
        # Turning the axis by some angle moves the rotation by up to twice the sine of half its angle.
        scale[1:] /= max(2.0 * np.abs(np.sin(0.5 * channel.values[:, 0])).max(), bound)
    return scale


def blame(yardstick: Yardstick, errors: Errors, *, all_of_them: bool) -> Array:
    """(G, P) how many times too large the errors are that each channel has to answer for.

    For an end that is too far off, those channels of the chain above it answer that contribute at
    least as much as they do on average.

    Args:
        yardstick: Gives the bounds.
        errors: What was measured.
        all_of_them: Let all channels of a chain answer.
    """
    blamed: Array = errors.own / yardstick.own_bounds
    ratios = errors.ends / yardstick.end_bounds
    for end in np.flatnonzero((ratios > 1.0).any(axis=0)):
        rows = np.flatnonzero(ratios[:, end] > 1.0)
        shares = _contributions(yardstick, errors, int(end), rows)
        chain = np.array(list(shares), dtype=np.intp)
        parts = np.stack([shares[number] for number in chain], axis=1) if len(chain) else np.empty((len(rows), 0))
        guilty = (parts >= parts.mean(axis=1, keepdims=True)) | all_of_them
        place = np.ix_(rows, chain)
        blamed[place] = np.maximum(blamed[place], np.where(guilty, ratios[rows, end, None], 0.0))
    return blamed


def _contributions(yardstick: Yardstick, errors: Errors, end: int, rows: Indices) -> dict[int, Array]:
    """By channel of the chain above an end, about how far (M,) it moves it in the given rows of the grid."""
    channels, skeleton = yardstick.channels, yardstick.channels.motion.skeleton
    joint, is_tip = end % len(skeleton), end >= len(skeleton)
    places, found = yardstick.reference_ends[rows], {}
    for owner in (joint, *skeleton.ancestors(joint)):
        for number in channels.by_joint.get(owner, ()):
            part, own = channels.channels[number].part, errors.own[rows, number]
            if part == "location":
                found[number] = own * yardstick.size_of(owner)
            elif owner != joint or is_tip:  # a joint's turn does not move the joint itself
                lever = np.linalg.norm(places[:, end] - places[:, owner], axis=1)
                found[number] = lever * (np.deg2rad(own) if part == "rotation" else own)
    return found


def tightened(tolerances: Array, keys: KeyedCurves, frames: Indices, blamed: Array, *, to_nothing: bool) -> Array:
    """Tolerances (F, n) made smaller in those pieces that are to blame.

    Args:
        tolerances: Of the n curves of one channel.
        keys: Of the same curves.
        frames: Sample number of every key.
        blamed: (G,) how many times too large the channel's errors are.
        to_nothing: Ask for no error at all instead of for less.
    """
    smaller = np.array(tolerances)
    for curve in range(len(keys)):
        own = frames[keys.offsets[curve] : keys.offsets[curve + 1]]
        worst = np.maximum.reduceat(blamed, 2 * own[:-1])
        worst[-1] = max(worst[-1], blamed[-1])
        factors = np.where(worst > 1.0, 0.0 if to_nothing else _factor(worst), 1.0)
        smaller[:, curve] *= _on_samples(factors, own)
    return smaller


def _factor(ratios: Array) -> Array:
    factors: Array = np.clip(1.0 / np.maximum(ratios, 1.0), _MOST_TIGHTENING, _LEAST_TIGHTENING)
    return factors


def _on_samples(factors: Array, frames: Indices) -> Array:
    """(F,) the factors of the pieces between key frames; at a key the smaller of its two."""
    spread = np.append(np.repeat(factors, np.diff(frames)), factors[-1])
    inner = frames[1:-1]
    spread[inner] = np.minimum(factors[:-1], factors[1:])
    return spread

"""Weighted means of motions, pose by pose (motion editing chapter, 1.6.4)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionEditError
from ..motion import Motion, matched
from ..numerics import Array, quaternion, strongest
from ..wording import counted
from .rotation_mean import weighted_mean

# Part of a frame by which the times of two motions may differ because of rounding.
_ROUNDING = 1e-3


class BlendError(MotionEditError):
    """Motions cannot be blended as asked."""


def blend(motions: Sequence[Motion], weights: Any) -> Motion:
    """The weighted mean of motions with the same frames.

    Rotations of two are turned from one to the other the shorter way; of more, they are the rotations
    with the least weighted sum of squared angles, in whatever order the motions are listed. A motion
    that has all the weight is given back bit for bit (rotations up to the sign of their quaternions
    where weights change), and so is what is the same in all.

    Args:
        motions: One or more, with the same joint names in any order.
        weights: (M,) or, changing over time, (F, M); none below 0. They are scaled to a sum of one.

    Returns:
        With skeleton, times and rate of the first motion.

    Raises:
        BlendError: Frames or weights do not fit.
        SkeletonMismatchError: A motion lacks joints of the first.
    """
    first, *others = motions
    fitting = [first, *(matched(other, first) for other in others)]
    refuse_other_frames(fitting)
    shares = checked_weights(weights, frames=len(first), count=len(fitting))
    for number, motion in enumerate(fitting):
        if (shares[:, number] == 1.0).all():
            return replace(motion, times=first.times, rate=first.rate)
    return replace(
        first,
        rotations=quaternion.sign_continuous(_mixed_rotations([motion.rotations for motion in fitting], shares)),
        locations=mixed([motion.locations for motion in fitting], shares),
        scales=mixed([motion.scales for motion in fitting], shares),
        scalars=_mixed_scalars(fitting, shares),
        stepped=frozenset().union(*(motion.stepped for motion in fitting)),
    )


def checked_weights(weights: Any, *, frames: int, count: int) -> Array:
    """(F, M) weights with a sum of one in every frame.

    Raises:
        BlendError: They do not fit the motions, are negative, or nothing has weight in some frame.
    """
    given = np.asarray(weights, dtype=np.float64)
    if given.shape not in ((count,), (frames, count)):
        raise BlendError(f"Give {count} weights, or {count} for each of {frames} frames, not {given.shape}")
    if not np.isfinite(given).all() or (given < 0.0).any():
        raise BlendError("Weights must be numbers that are not below 0")
    shares = np.broadcast_to(given, (frames, count))
    total = shares.sum(axis=1, keepdims=True)
    if not (total > 0.0).all():
        raise BlendError(f"All weights are 0 at frame {int(np.argmin(total))}; give one motion a weight there")
    scaled: Array = shares / total
    return scaled


def refuse_other_frames(motions: Sequence[Motion]) -> None:
    """Raise BlendError unless all motions have the first one's frames, wherever they begin in time."""
    first = motions[0]
    for motion in motions[1:]:
        if len(motion) != len(first):
            raise BlendError(
                f"A motion of {counted(len(motion), 'frame')} cannot be blended with one of {len(first)}; "
                "align them in time first"
            )
        steps = (motion.times - motion.times[0]) - (first.times - first.times[0])
        if np.abs(steps).max() * first.rate > _ROUNDING:
            raise BlendError("The motions' frames come at different times; sample them at the same times first")


def mixed(values: Sequence[Array], shares: Array) -> Array:
    """Weighted mean of M arrays (F, ...); what has all the weight, or is the same in all, is kept exactly."""
    result = np.array(values[0])
    extra = (1,) * (result.ndim - 1)
    for number, value in enumerate(values[1:], start=1):
        result += shares[:, number].reshape(-1, *extra) * (value - values[0])
    return _with_exact(result, values, shares)


def _mixed_scalars(motions: Sequence[Motion], shares: Array) -> Array:
    """Weighted means; what jumps in any of the motions is that of the one with the most weight."""
    values = [motion.scalars for motion in motions]
    stepped = np.any([motion.steps for motion in motions], axis=0)
    return np.where(stepped, strongest(values, shares), mixed(values, shares))


def _with_exact(result: Array, values: Sequence[Array], shares: Array) -> Array:
    for number, value in enumerate(values):
        alone = shares[:, number] == 1.0
        result[alone] = value[alone]
    return result


def _mixed_rotations(rotations: Sequence[Array], shares: Array) -> Array:
    """(F, J, 4) means; only rotations that differ are computed."""
    memory = np.array(rotations[0].T)
    differ = _differing(rotations) & ~(shares == 1.0).any(axis=1)[:, None]
    # Joint after joint, each component in one piece, which is how motions store rotations.
    places = np.flatnonzero(differ.T)
    if len(places):
        several = [rotation.T.reshape(4, -1).take(places, axis=1).T for rotation in rotations]
        own_shares = shares.T.take(places % len(shares), axis=1)
        memory.reshape(4, -1)[:, places] = _means(several, own_shares).T
    return _with_exact(memory.T, rotations, shares)


def _means(rotations: Sequence[Array], shares: Array) -> Array:
    """(N, 4) means of M arrays (N, 4) with shares (M, N)."""
    if len(rotations) == 2:
        return quaternion.normalize(quaternion.slerp(rotations[0], rotations[1], shares[1]))
    return weighted_mean(rotations, shares)


def _differing(rotations: Sequence[Array]) -> NDArray[np.bool_]:
    """(F, J) whether the motions do not all have the same rotation."""
    differ = np.zeros(rotations[0].shape[:2], dtype=np.bool_)
    for other in rotations[1:]:
        differ |= (other != rotations[0]).any(axis=-1)
    return differ

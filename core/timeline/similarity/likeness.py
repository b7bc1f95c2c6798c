"""How unlike two parts of a motion are, told so that repetitions stand out from everything else.

Plain distances of joints say little by themselves: two punches at different heights are farther apart
than a punch and standing still, and a step with something in the hands is farther from a free step
than from a pause. What repeats is how the body moves and on which foot it stands. So, after the best
horizontal alignment,

- joints that move differently count fully, joints that are only held elsewhere by half;
- the sum is compared with how much both parts move, so that small motions are told as well as large
  ones;
- support on the ground that is not shared counts in addition.

Where limbs are at the same places by chance, they rarely move the same way: raising the guard passes
the place of a punch, but does not strike. So parts are also no more alike than their velocities are,
and no more than their faces are where these count.
"""

import numpy as np
from numpy.typing import NDArray

from ...analysis import screen_axes
from ...numerics import Array
from .match_web import MatchWeb

# Movement of joints, in body heights, to which distances are scaled: that of an ordinary step.
_USUAL = 0.05
# Movement that counts at least, lest noise of two pauses is compared.
_LEAST = 0.01
# What a joint held elsewhere counts beside one that moves differently, squared.
_HELD = 0.25
# What support that is not shared at all adds to the squared ratio of distance and movement.
_SUPPORT = 8.0
# Distance of parts whose velocities have nothing in common. Repetitions in captured motion share about
# three fifths of them or more, chance likenesses less than half.
_NOTHING_SHARED = 0.215
# Distance of parts whose faces differ by a whole shape all the time, where the face counts.
_OTHER_FACE = 0.3
# Velocity that counts at least, in movement of `_LEAST` a window: pauses are alike.
_LEAST_SPEED = _LEAST * np.pi
# Body heights: joints whose floor is this near to the lowest one can carry the body, and do so less
# and less up to this height above it.
_CARRIES, _LIFTED = 0.08, 0.08


def unlikeness(web: MatchWeb, frames: Array, others: Array) -> Array:
    """(N,) how unlike parts are to one, in body heights as if they all moved like an ordinary step.

    Args:
        frames: (S,) of the one, with fractions.
        others: (N, S) corresponding frames of the others.
    """
    one, other = (_seen(web, chosen) for chosen in (frames[None], others))
    other = _laid_onto(one, other)
    movement = 0.5 * (_movement(one) + _movement(other)) + _LEAST**2
    support = _support_not_shared(one[2], other[2], web.floors)
    ratio: Array = np.sqrt(_different(one, other) / movement + _SUPPORT * support)
    unlike = np.maximum(_USUAL * ratio, _NOTHING_SHARED * (1.0 - _velocity_shared(one, other)))
    return unlike if web.face is None else np.maximum(unlike, _OTHER_FACE * _face_gaps(web.face, frames, others))


def _face_gaps(face: Array, frames: Array, others: Array) -> Array:
    """(N,) how far the face (F, M) of each part is from that of the one, by what differs most: 1 is a whole shape."""
    gaps = np.zeros(len(others))
    for curve in face.T:
        one, other = (np.interp(chosen, np.arange(len(curve)), curve) for chosen in (frames, others))
        gaps = np.maximum(gaps, np.sqrt(np.mean((other - one) ** 2, axis=1)))
    return gaps


def _seen(web: MatchWeb, frames: Array) -> Array:
    """(3, N, S, J) joints at frames (N, S): to the right, away, up; the middle of each part on the ground is 0.

    Frames have fractions; outside the motion its ends are held. Directions come first since sums
    over contiguous numbers are several times faster.
    """
    place = np.clip(frames / web.stride, 0.0, len(web.positions) - 1.0)
    before = np.minimum(place.astype(np.intp), max(0, len(web.positions) - 2))
    share = (place - before)[..., None, None]
    after = np.minimum(before + 1, len(web.positions) - 1)
    sampled = web.positions[before] * (1.0 - share) + web.positions[after] * share
    right, up, towards = screen_axes(0.0, web.up)
    seen = np.ascontiguousarray(np.moveaxis(sampled @ np.stack([right, towards, up], axis=1), -1, 0))
    seen[:2] -= seen[:2].mean(axis=(2, 3), keepdims=True)
    return seen


def _laid_onto(one: Array, other: Array) -> Array:
    """The others turned about the up axis so that they lie on the one as well as possible."""
    x, y, height = other
    along = (one[0] * x + one[1] * y).sum(axis=(1, 2))
    across = (one[1] * x - one[0] * y).sum(axis=(1, 2))
    angle = np.arctan2(across, along)[:, None, None]
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.stack([cosine * x - sine * y, sine * x + cosine * y, height])


def _different(one: Array, other: Array) -> Array:
    """(N,) mean squares of what moves differently and, less, of what is held elsewhere."""
    gaps = one - other
    return np.maximum(_mean_squares(gaps) - (1.0 - _HELD) * _mean_squares(gaps.mean(axis=2, keepdims=True)), 0.0)


def _velocity_shared(one: Array, other: Array) -> Array:
    """(N,) from 1, the same velocities, over 0, nothing in common, to -1, opposite ones.

    Told with the travel of the body and without, whichever have more in common: strides of a walk
    are alike in how it travels, gestures in how limbs move about the body.
    """
    shares = []
    for points, others in ((one, other), (_from_middle(one), _from_middle(other))):
        velocity, velocities = (np.diff(part, axis=2) * (part.shape[2] - 1) for part in (points, others))
        least = _LEAST_SPEED**2
        apart, both = _mean_squares(velocity - velocities), _mean_squares(velocity) + _mean_squares(velocities)
        shares.append(1.0 - apart / (both + least))
    return np.maximum(*shares)


def _movement(points: Array) -> Array:
    """(N,) mean squares of joints about their mean place, seen from the middle of the body."""
    shape = _from_middle(points)
    shape -= shape.mean(axis=2, keepdims=True)
    return _mean_squares(shape)


def _from_middle(points: Array) -> Array:
    """Joints seen from above the middle of the body at every moment."""
    shape = points.copy()
    shape[:2] -= shape[:2].mean(axis=3, keepdims=True)
    return shape


def _mean_squares(vectors: Array) -> Array:
    """(N,) of vectors (3, N, S, J)."""
    squares: Array = np.einsum("cnsj,cnsj->n", vectors, vectors) / (vectors.shape[2] * vectors.shape[3])
    return squares


def _support_not_shared(one: Array, other: Array, floor: Array) -> Array:
    """(N,) from 0, the same joints are on the ground at the same times, to 1, never the same.

    Args:
        one: (1, S, J) heights of joints.
        other: (N, S, J).
        floor: (J,) lowest heights of the joints in the whole motion.
    """
    carrying: NDArray[np.bool_] = floor - floor.min() < _CARRIES
    near, nears = (np.clip(1.0 - (part[..., carrying] - floor[carrying]) / _LIFTED, 0.0, 1.0) for part in (one, other))
    support = np.maximum(near, nears).sum(axis=(1, 2))
    differing = ((near - nears) ** 2).sum(axis=(1, 2))
    share: Array = np.divide(differing, support, out=np.zeros_like(support), where=support > 0.0)
    return share

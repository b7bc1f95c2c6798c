"""How unlike two parts of a motion are, told so that repetitions stand out from everything else.

Plain distances of joints say little by themselves: two punches at different heights are farther apart
than a punch and standing still, and a step with something in the hands is farther from a free step
than from a pause. What repeats is how the body moves and on which foot it stands. So, after the best
horizontal alignment,

- joints that move differently count fully, joints that are only held elsewhere by half;
- the sum is compared with how much both parts move, so that small motions are told as well as large
  ones;
- support on the ground that is not shared counts in addition.
"""

import numpy as np
from numpy.typing import NDArray

from ..pose_picture.view import screen_axes
from ..quaternion import Array
from .match_web import MatchWeb

# Movement of joints, in body heights, to which distances are scaled: that of an ordinary step.
_USUAL = 0.05
# Movement that counts at least, lest noise of two pauses is compared.
_LEAST = 0.01
# What a joint held elsewhere counts beside one that moves differently, squared.
_HELD = 0.25
# What support that is not shared at all adds to the squared ratio of distance and movement.
_SUPPORT = 8.0
# Body heights: joints whose floor is this near to the lowest one can carry the body, and do so less
# and less up to this height above it.
_CARRIES, _LIFTED = 0.08, 0.08


def unlikeness(web: MatchWeb, frames: Array, others: Array) -> Array:
    """(N,) how unlike parts are to one, in body heights as if they all moved like an ordinary step.

    Args:
        web: Of the motion.
        frames: (S,) of the one, with fractions.
        others: (N, S) corresponding frames of the others.
    """
    right, up, towards = screen_axes(0.0, web.up)
    axes = np.stack([right, towards, up], axis=1)
    one, other = (_centred(_sampled(web, chosen) @ axes) for chosen in (frames[None], others))
    moved = _different(one, _laid_onto(one, other))
    movement = 0.5 * (_movement(one) + _movement(other)) + _LEAST**2
    support = _support_not_shared(one[..., 2], other[..., 2], web.floors)
    ratio: Array = np.sqrt(moved / movement + _SUPPORT * support)
    return _USUAL * ratio


def _sampled(web: MatchWeb, frames: Array) -> Array:
    """(..., J, 3) joints at frames with fractions; outside the ends are held."""
    place = np.clip(frames / web.stride, 0.0, len(web.positions) - 1.0)
    before = np.minimum(place.astype(np.intp), max(0, len(web.positions) - 2))
    share = (place - before)[..., None, None]
    after = np.minimum(before + 1, len(web.positions) - 1)
    sampled: Array = web.positions[before] * (1.0 - share) + web.positions[after] * share
    return sampled


def _centred(points: Array) -> Array:
    """Points (N, S, J, 3) with the horizontal middle of each part taken out."""
    points[..., :2] -= points[..., :2].mean(axis=(1, 2), keepdims=True)
    return points


def _laid_onto(one: Array, other: Array) -> Array:
    """The others turned about the up axis so that they lie on the one as well as possible."""
    along = (one[..., :2] * other[..., :2]).sum(axis=(1, 2, 3))
    across = (one[..., 1] * other[..., 0] - one[..., 0] * other[..., 1]).sum(axis=(1, 2))
    angle = np.arctan2(across, along)[:, None, None]
    cosine, sine = np.cos(angle), np.sin(angle)
    x, y, height = np.moveaxis(other, -1, 0)
    return np.stack([cosine * x - sine * y, sine * x + cosine * y, height], axis=-1)


def _different(one: Array, other: Array) -> Array:
    """(N,) mean squares of what moves differently and, less, of what is held elsewhere."""
    gaps = one - other
    held = gaps.mean(axis=1)
    different: Array = (gaps**2).sum(axis=-1).mean(axis=(1, 2)) - (1.0 - _HELD) * (held**2).sum(axis=-1).mean(axis=1)
    return np.maximum(different, 0.0)


def _movement(points: Array) -> Array:
    """(N,) mean squares of joints about their mean place, seen from the middle of the body."""
    shape = points.copy()
    shape[..., :2] -= shape[..., :2].mean(axis=2, keepdims=True)
    movement: Array = shape.var(axis=1).sum(axis=-1).mean(axis=-1)
    return movement


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

"""When two characters touch: all pairs of their bones in all frames, in bounded memory.

Far pairs are sorted out cheaply first: frames in which the boxes around the characters are apart, then
pairs of bones whose bounding balls are apart. Only what is left is measured.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import NotFiniteError
from ...motion import Indices
from ...numerics import Array
from .capsules import Capsules
from .found import Collisions
from .segment_distance import closest_points

# Pairs of bones that are looked at together: some 20 MB.
_PAIRS_AT_ONCE = 1 << 18
# Share by which bounding balls are widened, so that rounding never sorts out bones that touch.
_ROUNDING = 1e-6

_Segments = tuple[Array, Array]


def collisions(
    first_positions: Any,
    first_capsules: Capsules,
    second_positions: Any,
    second_capsules: Capsules,
    *,
    margin: float = 0.0,
) -> Collisions:
    """Find all pairs of bones, one of each character, that touch.

    Args:
        first_positions: (F, J, 3) joints of the first character in the scene, or (F, 2 J, 3) joints and
            then tips of their bones.
        first_capsules: Its bones.
        second_positions: The same of the second character, at the same times.
        second_capsules: Its bones.
        margin: Gap up to which bones count as touching, in units of the scene; negative to let soft
            parts overlap.

    Raises:
        ValueError: The two characters have different numbers of frames.
        NotFiniteError: A position is NaN or infinite.
    """
    first = _checked(first_capsules.segments(first_positions))
    second = _checked(second_capsules.segments(second_positions))
    count = len(first[0])
    if len(second[0]) != count:
        raise ValueError(f"Both characters must be sampled on the same frames, not on {count} and {len(second[0])}")
    radii = first_capsules.radii[:, None] + second_capsules.radii + margin
    close = _close_frames(first, second, float(radii.max()))
    found = [_touches(first, second, radii, frames) for frames in _blocks(close, radii.size)]
    frames, one, other, depths, places = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Collisions(count, first_capsules, second_capsules, frames, one, other, depths, places)


def _checked(segments: _Segments) -> _Segments:
    if not all(np.isfinite(points).all() for points in segments):
        raise NotFiniteError("A bone's position is NaN or infinite; repair the motion's curves first")
    return segments


def _close_frames(first: _Segments, second: _Segments, reach: float) -> Indices:
    """Frames in which the boxes around the two characters come within reach of each other."""
    low, high = _boxes(first)
    other_low, other_high = _boxes(second)
    return np.flatnonzero(np.all((low - other_high <= reach) & (other_low - high <= reach), axis=-1))


def _boxes(segments: _Segments) -> tuple[Array, Array]:
    """(F, 3) lowest and (F, 3) highest coordinates."""
    starts, ends = segments
    return np.minimum(starts.min(1), ends.min(1)), np.maximum(starts.max(1), ends.max(1))


def _blocks(frames: Indices, pairs: int) -> Iterator[Indices]:
    """The frames, as many at a time as memory is for; at least one block, which may be empty."""
    size = max(1, _PAIRS_AT_ONCE // pairs)
    for start in range(0, max(1, len(frames)), size):
        yield frames[start : start + size]


def _touches(
    first: _Segments, second: _Segments, radii: Array, frames: Indices
) -> tuple[Indices, Indices, Indices, Array, Array]:
    """Frames, bones of both characters, depths and places of all touches in some frames."""
    one_start, one_end = (points[frames] for points in first)
    other_start, other_end = (points[frames] for points in second)
    near = _near_balls(one_start, one_end, other_start, other_end, radii)
    row, one, other = np.nonzero(near)
    p, q = closest_points(one_start[row, one], one_end[row, one], other_start[row, other], other_end[row, other])
    depths = radii[one, other] - np.linalg.norm(p - q, axis=1)
    kept = depths >= 0.0
    places = 0.5 * (p + q)[kept]
    return frames[row[kept]], one[kept], other[kept], depths[kept], places


def _near_balls(
    one_start: Array, one_end: Array, other_start: Array, other_end: Array, radii: Array
) -> NDArray[np.bool_]:
    """(F, B, C) whether the balls around two bones meet."""
    one, other = 0.5 * (one_start + one_end), 0.5 * (other_start + other_end)
    # Squares of coordinates far from the origin would swallow the distances.
    origin = one.mean(axis=1, keepdims=True)
    one, other = one - origin, other - origin
    one_half = 0.5 * np.linalg.norm(one_end - one_start, axis=-1)
    other_half = 0.5 * np.linalg.norm(other_end - other_start, axis=-1)
    reach = np.maximum(one_half[:, :, None] + other_half[:, None, :] + radii, 0.0)
    one_square, other_square = (np.einsum("fbi,fbi->fb", points, points) for points in (one, other))
    square = one_square[:, :, None] + other_square[:, None, :]
    near: NDArray[np.bool_] = square - 2.0 * (one @ other.swapaxes(1, 2)) <= reach * reach + _ROUNDING * square
    return near

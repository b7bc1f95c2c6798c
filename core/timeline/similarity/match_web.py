"""The match web: which parts of a motion are like which others, found once and looked up at once.

(Kovar and Gleicher 2004, as used by the pose timeline paper, 4.2.) Chains of local minima in the grid
of all pairs of moments are led along the cheapest slope-limited paths. A path tells for every frame
of one part the frame of another that belongs to it, so that an operation window is answered by its
propagation windows with their frame correspondence.
"""

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...analysis import WindowGrid, align_table, feature_joints
from ...body import Body
from ...motion import Motion
from ...numerics import Array
from .chains import Cells, chains_of, find_minima

# Share of its lowest places that a joint's own floor lies above: skips outliers.
_LOWEST = 0.05
# Frames of a long motion that tell the floors.
_FLOOR_FRAMES = 1000
# Share of the work that is done when the grid has been looked at; the rest goes into the paths.
_GRID_SHARE = 0.7

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class MatchOptions:
    """How the web is woven.

    Attributes:
        sample_rate: Moments a second that are compared, at most the motion's own. Raise it for very
            quick motions; time grows with its square.
        window: Seconds that a moment lasts. Longer ones take more notice of speed and direction.
        similar: Largest distance of two moments that are alike, in body heights: the root mean
            square over joints. Generous, since a lookup looks closer at what the paths lead to; lower
            it if the web gets too dense.
        shortest: Seconds that a path lasts at least.
        bridged: Seconds without similarity that a path may cross. Short: the next repetition's valley
            must not be reached.
        slope_limit: How many times as fast one part may run as the other.
    """

    sample_rate: float = 30.0
    window: float = 0.4
    similar: float = 0.18
    shortest: float = 0.35
    bridged: float = 0.08
    slope_limit: int = 2


@dataclass(frozen=True, eq=False)
class MatchWeb:
    """Paths through the grid of all pairs of moments.

    Attributes:
        paths: Of each path (P, 2) corresponding frames, with fractions; both columns increase, and
            the second is the later part. Frames are those of the motion, whatever was compared.
        frames: Frames of the motion.
        positions: (N, J, 3) compared joints in body heights, of every `stride`-th frame.
        stride: Frames from one compared moment to the next.
        up: (3,) direction away from the ground.
        face: (F, M) what the face does, from `face_path`, where it counts too.
    """

    paths: tuple[Array, ...]
    frames: int
    positions: Array
    stride: int
    up: Array
    face: Array | None = None

    @cached_property
    def bounds(self) -> tuple[Array, Array]:
        """First and last frames (N, 2) of all paths."""
        first, last = (np.array([path[end] for path in self.paths]).reshape(-1, 2) for end in (0, -1))
        return first, last

    @cached_property
    def floors(self) -> Array:
        """(J,) height above which each joint stays nearly always, in body heights."""
        some = self.positions[:: max(1, len(self.positions) // _FLOOR_FRAMES)]
        return np.asarray(np.quantile(some @ self.up, _LOWEST, axis=0))


def match_web(motion: Motion, body: Body, *, options: MatchOptions | None = None, positions: Any = None) -> MatchWeb:
    """Weave the match web of a motion; `weave_match_web` shows progress and can be stopped."""
    weaving = weave_match_web(motion, body, options=options, positions=positions)
    while True:
        try:
            next(weaving)
        except StopIteration as done:
            web: MatchWeb = done.value
            return web


def weave_match_web(
    motion: Motion, body: Body, *, options: MatchOptions | None = None, positions: Any = None
) -> Generator[float, None, MatchWeb]:
    """Yield the share that is done, from 0 to 1, and return the match web at the end.

    Args:
        motion: Its frames must be evenly spaced in time.
        body: Its up axis is needed; places are compared in its height.
        options: How the web is woven.
        positions: (F, J, 3) if they do not follow from the motion alone.

    Raises:
        TooFewFramesError: The motion is shorter than a moment.
        MissingRoleError: The up axis is not known.
    """
    options = options or MatchOptions()
    up = np.asarray(body.require("up axis").vector, dtype=np.float64)
    places = motion.poses.positions if positions is None else np.asarray(positions, dtype=np.float64)
    stride = max(1, round(motion.rate / options.sample_rate))
    points = compared_points(places, body, stride)
    per_second = motion.rate / stride
    grid = WindowGrid.build(points, up, window=_odd(options.window * per_second))
    paths = yield from _paths(grid, options, per_second)
    frames = tuple(stride * (path + 0.5 * (grid.window - 1)) for path in paths)
    return MatchWeb(frames, len(places), points, stride, up)


def compared_points(places: Array, body: Body, stride: int) -> Array:
    """(N, J, 3) joints that show what the body does, in body heights, of every `stride`-th frame."""
    points: Array = places[::stride, list(feature_joints(body))] / _size(places, body)
    return points


def _size(places: Array, body: Body) -> float:
    """Height of the body, or how far its joints are apart where that is not known."""
    return body.height or float(np.median(np.ptp(places, axis=1).max(axis=1))) or 1.0


def _odd(count: float) -> int:
    """The nearest odd number, so that a window has a middle frame."""
    return max(1, 2 * round((count - 1.0) / 2.0) + 1)


def _paths(grid: WindowGrid, options: MatchOptions, rate: float) -> Generator[float, None, list[Array]]:
    """Cells of the cheapest path along every chain that lasts long enough."""
    gap = max(grid.window, round(options.shortest * rate))
    minima = yield from _share(find_minima(grid, threshold=options.similar, gap=gap), 0.0, _GRID_SHARE)
    chains = chains_of(
        minima, width=len(grid), longest_gap=max(2, round(options.bridged * rate)), slope_limit=options.slope_limit
    )
    least = options.shortest * rate
    long_enough = [chain for chain in chains if (chain[-1] - chain[0]).min() >= least]
    paths = []
    for number, chain in enumerate(long_enough):
        paths.append(cheapest_path(grid, chain, options.slope_limit))
        yield _GRID_SHARE + (1.0 - _GRID_SHARE) * (number + 1) / len(long_enough)
    return paths


def _share(work: Generator[float, None, _Result], start: float, end: float) -> Generator[float, None, _Result]:
    """Work that is a part of the whole: what it yields from 0 to 1 becomes start to end."""
    while True:
        try:
            done = next(work)
        except StopIteration as finished:
            result: _Result = finished.value
            return result
        yield start + (end - start) * done


def cheapest_path(grid: WindowGrid, chain: Cells, slope_limit: int, *, piece: int = 128) -> Array:
    """(P, 2) cells from the chain's first to its last, within pieces that begin and end on the chain.

    Args:
        chain: (N, 2) cells that both rise.
        slope_limit: Of the path.
        piece: Rows that are led through at once: bounds the memory.
    """
    parts = [chain[:1].astype(np.float64)]
    start = chain[0]
    while (start != chain[-1]).any():
        ahead = chain[(chain > start).all(axis=1)]
        near = ahead[(ahead[:, 0] <= start[0] + piece) & _within(ahead - start, slope_limit)]
        end = near[-1] if len(near) else ahead[0]
        rows, columns = slice(start[0], end[0] + 1), slice(start[1], end[1] + 1)
        if len(near):
            inner: NDArray[Any] = align_table(grid.distances(rows, columns), slope_limit=slope_limit).path + start
        else:
            inner = np.stack([start, end])
        parts.append(inner[1:].astype(np.float64))
        start = end
    return np.concatenate(parts)


def _within(steps: Cells, slope_limit: int) -> NDArray[np.bool_]:
    down, right = steps.T
    fits: NDArray[np.bool_] = (down <= slope_limit * right) & (right <= slope_limit * down)
    return fits

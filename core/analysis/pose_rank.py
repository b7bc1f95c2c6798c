"""Which frames show best what happens in a motion (pose timeline paper, 3.1).

Poses without their place and heading are points of a space of few dimensions, in which the motion
is a curve. Its extremes are found one after the other: the next key pose is always the frame that
lies farthest from where it would be if time ran evenly between the key poses found so far. All
frames are ranked once; any number of them can then be asked for without computing again.
"""

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..body import Body
from ..errors import NotFiniteError, TooFewFramesError
from ..motion import Motion
from ..numerics import Array
from .pose_features import torso_positions

Frames = NDArray[np.intp]

# What a frame in the middle of a span of all frames gains, as share of the curve's size: frames of
# a pause, which are all alike, are taken from the middle and not in a row.
_EVENNESS = 1e-6


@dataclass(frozen=True, eq=False)
class KeyPoses:
    """Frames of a motion, the most telling ones first.

    Attributes:
        order: (F,) frame numbers by rank; fewer if no more were asked for.
        deviations: (F,) by rank: how far each frame lay from what the frames before it tell, in the
            units of the features, with what its weight adds.
    """

    order: Frames
    deviations: Array

    def frames(self, count: int, *, first: int | None = None, last: int | None = None) -> Frames:
        """Frame numbers of the best key poses, in order of time.

        Args:
            count: How many; fewer if there are not as many frames.
            first: First frame that may be chosen, for a strip that shows a part only.
            last: Last frame that may be chosen.
        """
        low = 0 if first is None else first
        high = int(self.order.max()) if last is None else last
        inside = self.order[(self.order >= low) & (self.order <= high)]
        return np.sort(inside[: max(0, count)])


def key_poses(motion: Motion, body: Body, *, weights: Any = None, positions: Any = None) -> KeyPoses:
    """Rank the frames of a body's motion.

    Args:
        body: Its up axis is needed.
        weights: (F,) preference of frames, see `rank_key_poses`.
        positions: (F, J, 3) if they do not follow from the motion alone.

    Raises:
        MissingRoleError: The up axis is not known.
    """
    places = motion.poses.positions if positions is None else positions
    return rank_key_poses(torso_positions(places, body), weights=weights)


def rank_key_poses(
    features: Any, *, weights: Any = None, kept_variance: float = 0.95, count: int | None = None
) -> KeyPoses:
    """Rank the frames by the extremes of the curve that they draw.

    Args:
        features: (F, ...) what a pose is compared by, without place and heading.
        weights: (F,) preference of frames: contacts, collisions, markers. A frame of weight 1 comes
            before all frames of weight 0; smaller weights only help.
        kept_variance: Share of the variance that the few dimensions keep. Lower it where noise makes
            key poses; 1 keeps all dimensions.
        count: How many frames are ranked, the best ones; all if not given.

    Raises:
        TooFewFramesError: There are no frames.
        NotFiniteError: A feature is NaN or infinite.
    """
    points = np.asarray(features, dtype=np.float64)
    if not len(points):
        raise TooFewFramesError("Key poses need at least 1 frame")
    if not np.isfinite(points).all():
        raise NotFiniteError("A feature is NaN or infinite; repair the motion's curves first")
    curve = principal_curve(points.reshape(len(points), -1), kept_variance)
    extra = np.zeros(len(points)) if weights is None else np.array(weights, dtype=np.float64)
    if extra.shape != (len(points),):
        raise ValueError(f"weights must have shape ({len(points)},), not {extra.shape}")
    # No frame can lie farther from a chord than the curve is wide.
    size = 2.0 * float(np.linalg.norm(curve, axis=1).max()) or 1.0
    return _ranked(curve / size, extra, size, len(points) if count is None else count)


def principal_curve(points: Array, kept_variance: float) -> Array:
    """(F, K) the points along their first principal axes, at least one.

    Args:
        points: (F, D).
        kept_variance: Share of the variance that the K axes hold.
    """
    centred = points - points.mean(axis=0)
    values, axes = np.linalg.eigh(centred.T @ centred)
    held = np.cumsum(np.maximum(values[::-1], 0.0))
    enough = np.searchsorted(held, min(kept_variance, 1.0) * held[-1] * (1.0 - 1e-12)) + 1
    curve: Array = centred @ axes[:, ::-1][:, : int(enough)]
    return curve


def _ranked(curve: Array, weights: Array, size: float, count: int) -> KeyPoses:
    """Take the best frame of all spans, which splits its span in two, until none is left or there are enough."""
    last = len(curve) - 1
    # The ends, from which the first chord hangs, count as much as a frame can deviate.
    heap = [(-1.0 - float(weights[end]), end, end, end) for end in sorted({0, last})]
    heap.extend(_best(curve, weights, 0, last))
    heapify(heap)
    order: list[int] = []
    deviations: list[float] = []
    while heap and len(order) < count:
        negative, frame, start, end = heappop(heap)
        order.append(frame)
        deviations.append(-negative)
        for entry in (*_best(curve, weights, start, frame), *_best(curve, weights, frame, end)):
            heappush(heap, entry)
    return KeyPoses(np.array(order, dtype=np.intp), size * np.array(deviations))


def _best(curve: Array, weights: Array, start: int, end: int) -> list[tuple[float, int, int, int]]:
    """The frame between two others that lies farthest from their chord, as an entry of the heap; none if empty."""
    if end - start < 2:
        return []
    share = np.arange(1, end - start)[:, None] / (end - start)
    chord = curve[start] + share * (curve[end] - curve[start])
    middle = np.minimum(share, 1.0 - share)[:, 0] * ((end - start) / len(curve))
    score = np.linalg.norm(curve[start + 1 : end] - chord, axis=1) + weights[start + 1 : end] + _EVENNESS * middle
    frame = int(np.argmax(score))
    return [(-float(score[frame]), start + 1 + frame, start, end)]

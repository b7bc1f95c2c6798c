"""Evidence that a pose is extreme: where the joints' motion trails turn (staggered poses paper, 4.1).

Every joint's rotation draws trails on the unit sphere: one by the direction to each joint below it
and one by a direction at right angles to that, which also sees twisting. Where a trail turns
sharply, the joint changes what it does. The paper's modified curvature is n·e^ for the unit edges
e^ and their normal n along e^_i - e^_{i-1}, which is half the length of that difference: the sine of
half the turn, from 0 to 1. Edges span a fixed time instead of one sample, so that the measure is the
same at every rate.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...motion import Skeleton
from ...numerics import Array, quaternion, unit

# Share of the smoothing kernel's peak below which its tails are cut off.
_TAIL = 1e-5
# Largest weight of the neighbours in one step of Laplacian smoothing; above it the steps ring.
_MOST_LAPLACIAN = 0.5
# Rounding of unit vectors: shorter edges have no direction.
_TINY = 1e-12
# Turns of a straight trail that rounding alone makes stay below this.
_ROUNDING = 1e-6
# Joints nearer to each other than this share of the skeleton's size are at the same place.
_SAME_PLACE = 1e-6


@dataclass(frozen=True, eq=False)
class LimbEnds:
    """Directions in a joint's own axes that its trails follow.

    Attributes:
        directions: (N, 3) unit vectors to the N ends: joints below, or the tip of a last joint.
        across: (N, 3) unit vectors at right angles to them.
        joints: N joint numbers, the joint's own for its tip.
    """

    directions: Array
    across: Array
    joints: tuple[int, ...]


def limb_ends(skeleton: Skeleton) -> list[LimbEnds]:
    """The ends of every joint. A joint that sits on its parent is looked through to those below it."""
    size = float(np.ptp(skeleton.rest_positions, axis=0).max(initial=0.0))
    ends = [_joints_away(skeleton, joint, _SAME_PLACE * (size or 1.0)) for joint in range(len(skeleton))]
    counts = [len(joints) for joints in ends]
    start, end = np.repeat(np.arange(len(skeleton)), counts), np.concatenate(ends)
    turned_back = quaternion.conjugate(skeleton.rest_rotations[start])
    offsets = quaternion.rotate(turned_back, skeleton.rest_positions[end] - skeleton.rest_positions[start])
    directions = unit(np.where((start == end)[:, None], _tips(skeleton)[start], offsets))
    across = unit(np.cross(directions, np.eye(3)[np.abs(directions).argmin(axis=1)]))
    borders = np.cumsum(counts)[:-1]
    pairs = zip(np.split(directions, borders), np.split(across, borders), ends, strict=True)
    return [LimbEnds(toward, beside, tuple(joints)) for toward, beside, joints in pairs]


def _joints_away(skeleton: Skeleton, joint: int, near: float) -> list[int]:
    """The nearest joints below that are not at the joint's own place; itself if there are none."""
    found, below = [], list(skeleton.children[joint])
    for child in below:
        offset = skeleton.rest_positions[child] - skeleton.rest_positions[joint]
        if offset @ offset > near**2:
            found.append(child)
        else:
            below.extend(skeleton.children[child])
    return found or [joint]


def _tips(skeleton: Skeleton) -> Array:
    """(J, 3) tips; a bone without length points along its y axis."""
    pointless = (skeleton.tips == 0.0).all(axis=1, keepdims=True)
    return np.where(pointless, [0.0, 1.0, 0.0], skeleton.tips)


def rotation_evidence(rotations: Array, ends: LimbEnds, *, step: int, still: float) -> tuple[Array, Array]:
    """How sharply one joint's trails turn, and how long they are.

    Args:
        rotations: (4, F) of the joint, component-first.
        ends: Of the joint.
        step: Samples that an edge spans.
        still: Length of an edge, in radians, whose turns count half: noise of a joint at rest.

    Returns:
        (F,) the largest modified curvature of the trails, 0 at the ends; (N,) arc lengths in radians
        of the trails toward the limb's ends.
    """
    frames = rotations.shape[-1]
    probability, arcs = np.zeros(frames), np.zeros(len(ends.joints))
    if frames < 2 * step + 1 or bool((rotations == rotations[:, :1]).all()):
        return probability, arcs
    change = _matrix_steps(rotations, step)
    scratch = np.empty((3, frames - step))
    for axes, counts in ((ends.directions, True), (ends.across, False)):
        for end, axis in enumerate(axes):
            edges = _turned(change, axis, scratch)
            turn, lengths = turns(edges, step=step, still=still)
            np.maximum(probability[step : frames - step], turn, out=probability[step : frames - step])
            if counts:
                arcs[end] = lengths.sum() / step
    return probability, arcs


def _matrix_steps(rotations: Array, step: int) -> Array:
    """(3, 3, F - step) differences of the rotation matrices that lie a step apart."""
    w, x, y, z = rotations
    double = 2.0 * rotations
    wx, wy, wz = double[1] * w, double[2] * w, double[3] * w
    xx, yy, zz = double[1] * x, double[2] * y, double[3] * z
    xy, xz, yz = double[1] * y, double[1] * z, double[2] * z
    # Constant parts of the matrix drop out of the difference.
    rows = ((-yy - zz, xy - wz, xz + wy), (xy + wz, -xx - zz, yz - wx), (xz - wy, yz + wx, -xx - yy))
    steps = np.empty((3, 3, len(w) - step))
    for row, entries in enumerate(rows):
        for column, entry in enumerate(entries):
            np.subtract(entry[step:], entry[:-step], out=steps[row, column])
    return steps


def _turned(matrices: Array, axis: Array, scratch: Array) -> Array:
    """(3, F) matrices (3, 3, F) times one vector, without BLAS, which some builds lack."""
    edges = np.empty_like(scratch)
    for row in range(3):
        np.multiply(matrices[row, 0], axis[0], out=edges[row])
        edges[row] += np.multiply(matrices[row, 1], axis[1], out=scratch[0])
        edges[row] += np.multiply(matrices[row, 2], axis[2], out=scratch[0])
    return edges


def turns(edges: Array, *, step: int, still: float) -> tuple[Array, Array]:
    """Sine of half the turn between edges that follow each other, and the edges' lengths.

    |e^_i - e^_{i-1}| / 2 = sqrt((1 - e^_i·e^_{i-1}) / 2). Edges without length turn nowhere.

    Args:
        edges: (C, N) component-first; edge i + step starts where edge i ends.
        step: Samples that an edge spans.
        still: Mean length of two edges whose turn counts half; 0 counts every turn whole.
    """
    lengths: Array = np.sqrt(_products(edges, edges))
    cosine = _products(edges[:, step:], edges[:, :-step])
    product = lengths[step:] * lengths[:-step]
    empty = product <= _TINY**2
    cosine /= np.where(empty, 1.0, product)
    sine = np.sqrt(np.maximum(0.5 - 0.5 * cosine, 0.0))
    both = lengths[step:] + lengths[:-step]
    sine *= both / (both + 2.0 * still + _TINY**2)
    sine[empty] = 0.0
    return sine, lengths


def _products(one: Array, other: Array) -> Array:
    """(N,) scalar products of vectors (C, N); component by component, which is quicker than summing over an axis."""
    total: Array = one[0] * other[0]
    for part, opposite in zip(one[1:], other[1:], strict=True):
        total += part * opposite
    return total


def path_evidence(path: Array, *, step: int, still: float) -> tuple[Array, float]:
    """How sharply a path (C, F) turns, as (F,) modified curvature, and how long it is."""
    frames = path.shape[-1]
    probability = np.zeros(frames)
    if frames < 2 * step + 1:
        return probability, 0.0
    probability[step : frames - step], lengths = turns(path[:, step:] - path[:, :-step], step=step, still=still)
    return probability, float(lengths.sum() / step)


def laplacian_kernel(spread: float) -> Array:
    """Kernel of iterated Laplacian smoothing, [l/2, 1 - l, l/2] with itself as often as needed.

    Args:
        spread: Standard deviation of the whole, in samples. The number of steps and l follow from
            it, so that smoothing over a time is the same at every rate.
    """
    count = int(np.ceil(spread**2 / _MOST_LAPLACIAN))
    if count == 0:
        return np.ones(1)
    neighbours = spread**2 / count
    # The n-th power of the step's transfer function, over a circle too wide to be crossed.
    reach = count + 1
    waves = np.cos(2.0 * np.pi * np.fft.rfftfreq(2 * reach))
    kernel = np.fft.fftshift(np.fft.irfft((1.0 - neighbours + neighbours * waves) ** count, 2 * reach))
    inside = np.flatnonzero(kernel > _TAIL * kernel.max())
    # An odd length keeps the middle; what is cut off is given back to the rest.
    cut = kernel[inside[0] : inside[-1] + 1]
    shortened: Array = cut / cut.sum()
    return shortened


def tent_kernel(width: float) -> Array:
    """Tent filter as wide as a number of samples, with sum 1."""
    reach = max(0, int(np.ceil(0.5 * width)) - 1)
    tent = 1.0 - np.abs(np.arange(-reach, reach + 1)) / max(0.5 * width, 1.0)
    kernel: Array = tent / tent.sum()
    return kernel


def filtered(signal: Any, kernel: Array) -> Array:
    """Signal (F,) convolved with an odd kernel; beyond its ends it is zero."""
    reach = len(kernel) // 2
    full = np.convolve(signal, kernel)
    return full[reach : len(full) - reach]


def local_maxima(signal: Array) -> Any:
    """Frames (N,) higher than the frame before and not lower than the one after; never the ends."""
    inner = signal[1:-1]
    return np.flatnonzero((inner > signal[:-2]) & (inner >= signal[2:]) & (inner > _ROUNDING)) + 1

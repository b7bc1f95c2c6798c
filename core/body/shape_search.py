"""Limbs and head of a skeleton whose names say nothing, by its symmetry at rest."""

from dataclasses import dataclass, replace

import numpy as np

from ..numerics import Array
from .axis import Axis, nearest_axis
from .hierarchy import Hierarchy
from .limb import Limb, LimbKind, Side
from .symmetry import Pairs, lateral_axis, pairs_by_shape

# Limbs reach at least this part of the body's size; ears, eyes and breasts do not.
_LEAST_REACH = 0.2

# Joints nearer to the mirror plane than this part of the body's size belong to the trunk's
# sides (clavicle, hip joint), not yet to a limb.
_WITHIN_TRUNK = 0.04

# Cosine of the angle to an axis within which limbs lead down.
_DOWN = 0.8

# Feet lie within this part of the body's size above the lowest joint.
_GROUND = 0.12


@dataclass(frozen=True, eq=False)
class _Shape:
    """A symmetric skeleton: tree, rest places (J, 3), mirrored pairs, mirror plane, size."""

    tree: Hierarchy
    rest: Array
    pairs: Pairs
    across: int
    plane: float
    size: float

    def farthest(self, joint: int) -> int:
        """The joint below that lies farthest from a joint."""
        below = [joint, *self.tree.below(joint)]
        return max(below, key=lambda other: float(np.linalg.norm(self.rest[other] - self.rest[joint])))

    def reach(self, joint: int) -> float:
        return float(np.linalg.norm(self.rest[self.farthest(joint)] - self.rest[joint]))


def find_by_shape(tree: Hierarchy, rest: Array) -> tuple[tuple[Limb, ...], int | None, Pairs]:
    """Limbs, head and (left, right) pairs; nothing unless the body stands on a pair of limbs.

    Left and right follow from up and from where the toes point; where these say nothing,
    left is taken to be +X, which is so for characters that face +Z (Y up) or -Y (Z up).

    Args:
        rest: (J, 3) joints at rest.
    """
    across = lateral_axis(tree, rest) if tree.joints else None
    if across is None:
        return (), None, ()
    body = rest[list(tree.joints)]
    plane, size = float(np.median(body[:, across])), float(np.ptp(body, axis=0).max())
    shape = _Shape(tree, rest, pairs_by_shape(tree, rest, across), across, plane, size)
    firsts = _limb_pairs(shape)
    up = _up(shape, firsts)
    if up is None or not any(_on_ground(shape, pair[0], up) for pair in firsts):
        return (), None, ()
    pairs = shape.pairs if _first_is_left(shape, firsts, up) else tuple((b, a) for a, b in shape.pairs)
    limbs = _limbs(replace(shape, pairs=pairs), up)
    return limbs, _head(shape, limbs), pairs


def _limb_pairs(shape: _Shape) -> Pairs:
    """Pairs that hang on the middle, or with others on a pair there, and reach far."""
    paired = {joint for pair in shape.pairs for joint in pair}
    far = [pair for pair in shape.pairs if shape.reach(pair[0]) > _LEAST_REACH * shape.size]
    found = [pair for pair in far if shape.tree.parent[pair[0]] not in paired]
    for pair in found:
        branches = [other for other in far if shape.tree.parent[other[0]] == pair[0]]
        found.extend(branches if len(branches) > 1 else ())
    carriers = {shape.tree.parent[first] for first, _ in found}
    return tuple(pair for pair in found if pair[0] not in carriers)


def _on_ground(shape: _Shape, first: int, up: Axis) -> bool:
    heights = up.sign * shape.rest[:, up.index]
    lowest = heights[list(shape.tree.joints)].min()
    reached = heights[[first, *shape.tree.below(first)]].min()
    return bool(reached < lowest + _GROUND * shape.size)


def _up(shape: _Shape, firsts: Pairs) -> Axis | None:
    """Opposite to where the limbs lead on the whole; sideways arms cancel each other."""
    downward = np.zeros(3)
    for joint in (joint for pair in firsts for joint in pair):
        downward += shape.rest[shape.farthest(joint)] - shape.rest[joint]
    downward[shape.across] = 0.0
    if np.linalg.norm(downward) < _LEAST_REACH * shape.size:
        return None
    return nearest_axis(-downward, certainty=_DOWN)


def _chain(shape: _Shape, first: int, *, four_legged: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Girdle and chain of a limb, from the joint that hangs on the middle outward."""
    line = shape.tree.path(first, shape.farthest(first))
    offset = np.abs(shape.rest[list(line), shape.across] - shape.plane)
    start = 0
    while start + 2 < len(line) and offset[start] < _WITHIN_TRUNK * shape.size:
        start += 1
    chain = line[start:]
    branching = [place for place, joint in enumerate(chain) if len(shape.tree.children[joint]) > 1]
    last = branching[0] if branching and branching[0] >= 2 else min(2, len(chain) - 1)
    if four_legged:
        last = max(len(chain) - 2, last)
    return line[:start], chain[: last + 1]


def _limbs(shape: _Shape, up: Axis) -> tuple[Limb, ...]:
    firsts = _limb_pairs(shape)
    standing = [pair for pair in firsts if _on_ground(shape, pair[0], up)]
    depth = {pair: len(shape.tree.above(pair[0])) for pair in firsts}
    hindmost = min(standing, key=lambda pair: depth[pair])
    limbs = []
    for pair in firsts:
        kind = _kind(stands=pair in standing, pairs=len(standing), hind=pair == hindmost)
        for side, first in zip((Side.LEFT, Side.RIGHT), pair, strict=True):
            girdle, chain = _chain(shape, first, four_legged=len(standing) > 1 and pair in standing)
            end = chain[-1] if len(chain) > 2 else None
            limbs.append(Limb(kind, side, chain, end, girdle, _digits(shape, chain[-1])))
    return tuple(limbs)


def _kind(*, stands: bool, pairs: int, hind: bool) -> LimbKind:
    """What a limb is, where so many pairs stand on the ground."""
    if not stands:
        return LimbKind.ARM
    if pairs != 2:
        return LimbKind.LEG
    return LimbKind.HIND_LEG if hind else LimbKind.FORE_LEG


def _digits(shape: _Shape, end: int) -> tuple[tuple[int, ...], ...]:
    return tuple(shape.tree.path(child, shape.farthest(child)) for child in shape.tree.children[end])


def _first_is_left(shape: _Shape, firsts: Pairs, up: Axis) -> bool:
    """Whether the first joints of the pairs, which lie further along the axis, are the left ones."""
    toes = np.zeros(3)
    for first, _ in firsts:
        if _on_ground(shape, first, up):
            _, chain = _chain(shape, first, four_legged=False)
            toes += shape.rest[shape.farthest(chain[-1])] - shape.rest[chain[-1]]
    toes[up.index] = toes[shape.across] = 0.0
    if np.linalg.norm(toes) < 0.02 * shape.size:
        return shape.across == 0 or up.index == 0
    left = np.cross(up.vector, toes)
    return bool(left[shape.across] > 0.0)


def _head(shape: _Shape, limbs: tuple[Limb, ...]) -> int | None:
    """The first joint above the shoulders that branches or ends, on the line through the middle."""
    tree = shape.tree
    paired = {joint for pair in shape.pairs for joint in pair}
    upper = [limb for limb in limbs if limb.kind in (LimbKind.ARM, LimbKind.FORE_LEG)]
    if not upper:
        return None
    joint = tree.parent[(*upper[0].girdle, upper[0].chain[0])[0]]
    while middle := [child for child in tree.children[joint] if child not in paired]:
        joint = max(middle, key=lambda child: (tree.sizes[child], shape.reach(child)))
        if len(tree.children[joint]) != 1:
            return joint
    return None

"""Left and right: which joint is the mirror image of which."""

import numpy as np

from ..motion import Skeleton
from ..numerics import Array
from .hierarchy import Hierarchy
from .joint_names import mirror_name, name_without_side, read_name
from .limb import Side

Pairs = tuple[tuple[int, int], ...]

# Part of the body's size by which mirrored joints may miss each other. Captured people are
# a few percent uneven; ears and fingers must not be swapped with their neighbours.
_TOLERANCE = 0.1
# Limbs have few siblings; among hairs and feathers nobody looks for pairs.
_MOST_SIBLINGS = 1000


def pairs_by_name(skeleton: Skeleton) -> Pairs:
    """(left, right) joints whose names are each other's mirror image, over the whole skeleton.

    Names that differ otherwise only in punctuation match too. Below a pair, an only child
    left over on both sides is matched whatever it is called.
    """
    sides: dict[Side, dict[str, list[int]]] = {Side.LEFT: {}, Side.RIGHT: {}}
    partner: dict[int, int] = {}
    for joint, name in enumerate(skeleton.names):
        other = skeleton.index.get(mirror_name(name), joint)
        if other != joint:
            partner[joint] = other
        elif (side := read_name(name).side) is not Side.CENTRE:
            sides[side].setdefault(name_without_side(name), []).append(joint)
    for key, left in sides[Side.LEFT].items():
        right = sides[Side.RIGHT].get(key, [])
        if len(left) == len(right) == 1:
            partner[left[0]], partner[right[0]] = right[0], left[0]
    lefts = [joint for joint in partner if read_name(skeleton.names[joint]).side is Side.LEFT]
    return _with_only_children(skeleton, [(joint, partner[joint]) for joint in lefts])


def _with_only_children(skeleton: Skeleton, pairs: list[tuple[int, int]]) -> Pairs:
    """The pairs, and below each the one child on both sides that has no partner yet."""
    paired = {joint for pair in pairs for joint in pair}
    for left, right in pairs:
        leftover = [[child for child in skeleton.children[joint] if child not in paired] for joint in (left, right)]
        if len(leftover[0]) == len(leftover[1]) == 1:
            pairs.append((leftover[0][0], leftover[1][0]))
            paired |= {leftover[0][0], leftover[1][0]}
    return tuple(sorted(pairs))


def lateral_axis(tree: Hierarchy, positions: Array) -> int | None:
    """The axis, 0 to 2, across which the joints at rest are most nearly mirrored; None if across none."""
    counts = [len(pairs_by_shape(tree, positions, axis)) for axis in range(3)]
    best = int(np.argmax(counts))
    return best if counts[best] else None


def pairs_by_shape(tree: Hierarchy, positions: Array, axis: int) -> Pairs:
    """Pairs of joints whose subtrees mirror each other; the first lies further along the axis.

    Args:
        positions: (J, 3) joints at rest.
        axis: The axis across which to mirror, 0 to 2.
    """
    if not tree.joints:
        return ()
    centres = _subtree_centres(tree, positions)
    body = positions[list(tree.joints)]
    reach = _TOLERANCE * float(np.ptp(body, axis=0).max())
    plane = float(np.median(body[:, axis]))
    mirrored = centres.copy()
    mirrored[:, axis] = 2.0 * plane - mirrored[:, axis]
    pairs: list[tuple[int, int]] = []
    waiting = [(-1, -1)]
    while waiting:
        one, other = waiting.pop()
        for first, second in _matched(tree, tree.children[one], tree.children[other], centres, mirrored, reach):
            if first != second:
                high, low = sorted((first, second), key=lambda joint: -centres[joint, axis])
                pairs.append((high, low))
            waiting.append((first, second))
    return tuple(sorted(set(pairs)))


def _subtree_centres(tree: Hierarchy, positions: Array) -> Array:
    """(J, 3) mean place of each joint and all below; a joint's own place says little in a zero-length bone."""
    centres = np.array(positions, dtype=np.float64)
    for joint in reversed(tree.joints):
        if tree.parent[joint] >= 0:
            centres[tree.parent[joint]] += centres[joint]
    joints = list(tree.joints)
    centres[joints] /= np.array([[tree.sizes[joint] + 1] for joint in joints])
    return centres


def _matched(
    tree: Hierarchy, ones: list[int], others: list[int], centres: Array, mirrored: Array, reach: float
) -> list[tuple[int, int]]:
    """Match children with the mirror image of other children of the same size, nearest first."""
    found: list[tuple[int, int]] = []
    # By the child, and by the other child: of the same parent they are one.
    taken: tuple[set[int], set[int]] = (set(), set())
    if ones == others:
        taken = (taken[0], taken[0])
    for one, other in _candidates(tree, ones, others, centres, mirrored, reach):
        if one not in taken[0] and other not in taken[1]:
            taken[0].add(one)
            taken[1].add(other)
            found.append((one, other))
    return found


def _candidates(
    tree: Hierarchy, ones: list[int], others: list[int], centres: Array, mirrored: Array, reach: float
) -> list[tuple[int, int]]:
    """Children and other children of the same size that are near the other's mirror image, nearest first."""
    if not ones or not others or max(len(ones), len(others)) > _MOST_SIBLINGS:
        return []
    apart = np.linalg.norm(centres[ones][:, None] - mirrored[others], axis=2)
    alike = np.equal.outer([tree.sizes[one] for one in ones], [tree.sizes[other] for other in others])
    rows, columns = np.nonzero(alike & (apart <= reach))
    joints = np.array(ones)[rows], np.array(others)[columns]
    order = np.lexsort((joints[1], joints[0], apart[rows, columns]))
    return [(int(joints[0][place]), int(joints[1][place])) for place in order]

"""How much the joints of a body resist: backs more than limbs, and most joints to the side more than as they bend.

With all turns counting the same, the cheapest way down is to fold the back, which shares the bend among many joints.
Here a back resists as a rod does: bending a short piece costs more than bending a long one by the same angle, so
that it does not matter into how many bones the back is divided; and what carries more of the body resists more.
Pelvis and knees then take part in large edits as those of people do.
"""

import numpy as np

from ...body import Body
from ...motion import Motion, Skeleton
from ...numerics import Array, quaternion
from .degrees import size_of

# Brings the joints of arms and legs to about one: what softness and stiffness mean stays as with equal weights.
_LIMBS = 1.2
# Shares of the figure's size that a bone at least and at most counts as long: points resist no end otherwise.
_SHORTEST, _LONGEST = 0.05, 0.25
# Least share of all bones' length that a joint counts as carrying: fingers are not free.
_LEAST_CARRIED = 0.01
# How much more a neck resists than what it carries tells: it is a part of the back, and heads are held up.
_NECK = 3.0
# How much more a knee or an elbow resists about the axes about which it does not bend, and backs and hips to the
# side: bodies that are pulled down would sway otherwise.
_SIDEWAYS, _TO_THE_SIDE = 5.0, 4.0
# Least mean square of the sine of the bend that tells where a limb bends to, and how near to an own axis that must be.
_BENT, _ALONG_AN_AXIS = 1e-3, 0.8


def natural_weights(motion: Motion, body: Body | None = None) -> Array:
    """(J, 4) how much joints resist: turns about each of their own axes, and moves.

    A joint resists in proportion to the share of all bones' length that it carries, over its own bone's length. Moves
    of roots count as usual. Multiply by a stiffness of your own, (J, 1), to let joints resist more or less than that.

    Args:
        motion: Its skeleton is weighed; how its limbs bend tells where knees and elbows bend to.
        body: Tells which joints are backs, necks, hips, knees and elbows; without one these are joints like all others.
    """
    skeleton = motion.skeleton
    weights = np.ones((len(skeleton), 4))
    size = size_of(skeleton)
    own, carried = _lengths(skeleton)
    share = np.maximum(carried / max(float(carried.max(initial=0.0)), 1e-300), _LEAST_CARRIED)
    weights[:, :3] = (_LIMBS * share / np.clip(own / size, _SHORTEST, _LONGEST))[:, None]
    if body is None:
        return weights
    weights[list(body.neck), :3] *= _NECK
    for joint, axis in _hinges(motion, body):
        weights[joint, :3] *= np.where(np.arange(3) == axis, 1.0, _SIDEWAYS)
    for joint, axis in _bending_to_the_side(skeleton, body):
        weights[joint, axis] *= _TO_THE_SIDE
    return weights


def _lengths(skeleton: Skeleton) -> tuple[Array, Array]:
    """(J,) the longest bone that begins at each joint, and (J,) the length of all that hang on it."""
    parents = skeleton.parents
    carriers = [-1, 0] if skeleton.has_placement else [-1]
    linked = ~np.isin(parents, carriers)
    links = np.linalg.norm(skeleton.rest_positions - skeleton.rest_positions[parents], axis=1) * linked
    ends = np.bincount(parents[parents >= 0], minlength=len(skeleton)) == 0
    own = np.linalg.norm(skeleton.tips, axis=1) * ends
    carried = own.copy()
    np.maximum.at(own, parents[linked], links[linked])
    for level in reversed(skeleton.levels[1:]):
        np.add.at(carried, parents[level], carried[level] + links[level])
    return own, carried


def _hinges(motion: Motion, body: Body) -> list[tuple[int, int]]:
    """Knees and elbows, and the own axis about which each bends."""
    found = []
    for chain in [limb.chain for limb in body.limbs]:
        for upper, joint, lower in zip(chain, chain[1:], chain[2:], strict=False):
            axis = _bending_axis(motion, upper, joint, lower)
            if axis is not None:
                found.append((joint, axis))
    return found


def _bending_axis(motion: Motion, upper: int, joint: int, lower: int) -> int | None:
    """The own axis about which a limb bends at its middle joint, None where it is straight or bends about no axis."""
    places = motion.poses.positions
    bones = (places[:, joint] - places[:, upper], places[:, lower] - places[:, joint])
    lengths = np.prod([np.linalg.norm(bone, axis=1) for bone in bones], axis=0)
    normals = np.cross(*bones) / np.maximum(lengths, 1e-300)[:, None]
    own = quaternion.rotate(quaternion.conjugate(motion.poses.rotations[:, joint]), normals)
    shares, directions = np.linalg.eigh(own.T @ own / len(own))
    return _own_axis(directions[:, -1]) if shares[-1] > _BENT else None


def _bending_to_the_side(skeleton: Skeleton, body: Body) -> list[tuple[int, int]]:
    """Joints of the back and hips of legs, and the own axis about which each bends to the side."""
    rest, found = skeleton.rest_positions, []
    across = sum((rest[left] - rest[right] for left, right in body.pairs), start=np.zeros(3))
    legs = [(leg.chain[:1], leg.chain[:2]) for leg in body.legs]
    for joints, along in [(body.torso, body.torso), *legs] if body.torso else legs:
        about = np.cross(across, rest[along[-1]] - rest[along[0]])
        about /= max(float(np.linalg.norm(about)), 1e-300)
        for joint in joints:
            axis = _own_axis(quaternion.rotate(quaternion.conjugate(skeleton.rest_rotations[joint]), about))
            if axis is not None:
                found.append((joint, axis))
    return found


def _own_axis(direction: Array) -> int | None:
    """The axis along which a direction (3,) of unit length is, None if it is along none."""
    axis = int(np.abs(direction).argmax())
    return axis if abs(direction[axis]) > _ALONG_AN_AXIS else None

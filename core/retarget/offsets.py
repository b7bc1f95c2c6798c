"""Joints that leave their places or change their size: shoulders that slide, hips that sway, heads that swell.

What a joint of the source is away from where its standing pose has it, its partner is away too, as much
larger or smaller as the bone that leads to it. Limbs keep the target's lengths: of their joints only what
changes in the course of the motion counts.
"""

import numpy as np

from ..motion import Motion, Skeleton
from ..numerics import Array, quaternion
from ..solve.whole_body import moved
from .ground import Ground
from .turn_transfer import Correspondence

# Share of the source's legs up to which a joint is in its place: sampled and captured motion rounds.
_IN_PLACE = 1e-4
# Part of its size by which a joint may change it, or its axes may differ, and count as unchanged.
_SAME_SIZE = 1e-4


def with_offsets_carried(target: Motion, source: Motion, ground: Ground) -> tuple[Motion, tuple[str, ...]]:
    """The target's motion with joints away from their places as the source's are, and those that cannot be.

    Args:
        target: Its turns are carried over and its root is placed.
        source: The source's motion.

    Returns:
        The motion, and names of target joints that sit on their parents' tips and have no place of their own.
    """
    between, stuck, limbs = ground.between, [], _in_limbs(ground.between)
    for joint in _candidates(between):
        ways = _ways(source, between, between.partners[joint], keeps_length=joint in limbs)
        if np.linalg.norm(ways, axis=1).max(initial=0.0) <= _IN_PLACE * ground.measures[0].leg:
            continue
        if target.skeleton.connected[joint]:
            stuck.append(target.skeleton.names[joint])
            continue
        factor = _proportion(joint, between, ground) * ground.size
        target = moved(target, joint, factor[:, None] * ground.turned(ways))
    return target, tuple(stuck)


def with_scales_carried(target: Motion, source: Motion, between: Correspondence) -> tuple[Motion, tuple[str, ...]]:
    """The target's motion with joints as much larger or smaller as the source's, and those that cannot be.

    A joint that is scaled unevenly has no partner with the same axes; it is among those that cannot.

    Args:
        target: Its turns are carried over.
        source: The source's motion.
    """
    scales, uneven = np.array(target.scales.T).T, []
    for joint in _candidates(between):
        partner = between.partners[joint]
        factors = source.scales[:, partner] / between.source.motion.scales[0, partner]
        if np.abs(factors - 1.0).max(initial=0.0) <= _SAME_SIZE:
            continue
        if np.ptp(factors, axis=1).max() > _SAME_SIZE * factors.max():
            uneven.append(target.skeleton.names[joint])
        else:
            scales[:, joint] *= factors[:, :1]
    return target.with_scales(scales), tuple(uneven)


def _candidates(between: Correspondence) -> list[int]:
    """Target joints with partners, parents first; without roots, what carries them, and controls that place limbs."""
    placed = _carriers(between.target.skeleton, between.target.body.root)
    sources = _carriers(between.source.skeleton, between.source.body.root)
    bodies = between.target.body, between.source.body
    controls, others = ({limb.end for limb in body.limbs if not limb.end_is_in_chain} for body in bodies)
    return [
        int(joint)
        for level in between.target.skeleton.levels
        for joint in level
        if int(joint) not in placed | controls and between.partners.get(int(joint), -1) not in {-1} | sources | others
    ]


def _carriers(skeleton: Skeleton, root: int | None) -> set[int | None]:
    return set() if root is None else {root, *skeleton.ancestors(root)}


def _in_limbs(between: Correspondence) -> set[int]:
    """Joints that end a bone of a limb: its length is the target's own."""
    limbs = between.target.body.limbs
    return {joint for limb in limbs for joint in (*limb.chain[1:], *(each for digit in limb.digits for each in digit))}


def _ways(source: Motion, between: Correspondence, joint: int, *, keeps_length: bool) -> Array:
    """(F, 3) of a source joint away from its place, in the scene."""
    skeleton, offsets = source.skeleton, source.locations[:, joint]
    usual = np.median(offsets, axis=0) if keeps_length else between.source.motion.locations[0, joint]
    if skeleton.connected[joint] or (offsets == usual).all():
        return np.zeros_like(offsets)
    axes = source.poses.rotations[:, int(skeleton.parents[joint])]
    if skeleton.local_location[joint]:
        axes = quaternion.multiply(axes, skeleton.rest_offsets[0][joint])
    sizes = np.prod(source.scales[:, skeleton.ancestors(joint), 0], axis=1)
    return np.asarray(sizes[:, None] * quaternion.rotate(axes, offsets - usual))


def _proportion(joint: int, between: Correspondence, ground: Ground) -> float:
    """Length of the bone that leads to a joint over that of the source's; of the legs where there is none."""
    partner, target, source = between.partners[joint], between.target, between.source
    above = source.skeleton.ancestors(partner)
    start = next((each for each in target.skeleton.ancestors(joint) if between.partners.get(each) in above), None)
    if start is not None:
        own = float(np.linalg.norm(target.places[joint] - target.places[start]))
        other = float(np.linalg.norm(source.places[partner] - source.places[between.partners[start]]))
        if own > 0.0 and other > 0.0:
            return own / other
    return float(ground.scale[0] / ground.size[0])

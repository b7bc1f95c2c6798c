"""Hands and feet that controls of their own place (IK): they go where the limb's own turns would bring them."""

import numpy as np

from ..contact_lock.root_lowering import moved
from ..motion import Motion
from ..quaternion import Array
from .ground import Ground
from .measures import chain_length, chain_of


def with_controls_placed(target: Motion, source: Motion, ground: Ground) -> Motion:
    """The target's motion with the controls of limbs as far from the limb's first joint as the source's ends are.

    Distances scale with the length of the limb, so that it is as bent as the source's.
    """
    between = ground.between
    skeleton = target.skeleton
    for limb in between.target.body.limbs:
        if limb.end is None or limb.end_is_in_chain or not limb.chain or skeleton.connected[limb.end]:
            continue
        upper = limb.chain[0]
        if {upper, limb.end} <= set(between.partners) and upper not in skeleton.ancestors(limb.end):
            ways = _ways(source, ground, upper, limb.end, chain_length(between.target.places[None], chain_of(limb)))
            places = target.poses.positions
            target = moved(target, limb.end, places[:, upper] + ways - places[:, limb.end])
    return target


def _ways(source: Motion, ground: Ground, upper: int, end: int, length: float) -> Array:
    """(F, 3) from the limb's first joint to its end."""
    partners, places = ground.between.partners, source.poses.positions
    chain = [partners[end], *source.skeleton.ancestors(partners[end])]
    if partners[upper] in chain:
        chain = chain[: chain.index(partners[upper]) + 1]
    own = chain_length(places, tuple(chain))
    way = ground.turned(places[:, partners[end]] - places[:, partners[upper]])
    return np.asarray(way * (ground.size * (length / own if own > 0.0 else 1.0))[:, None])

"""Carrying the turns of joints over to another skeleton."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..motion import Indices, Motion
from ..numerics import Array, quaternion
from .proportions.rest_alignment import Alignment, alignment
from .proportions.standing_pose import StandingPose


@dataclass(frozen=True, eq=False)
class Correspondence:
    """Two skeletons, which of their joints correspond, and how their standing poses differ.

    Attributes:
        source: Whose motion is taken.
        target: Who gets it.
        partners: Source joint by target joint.
        difference: Of the standing poses.
    """

    source: StandingPose
    target: StandingPose
    partners: Mapping[int, int]
    difference: Alignment

    @classmethod
    def build(cls, source: StandingPose, target: StandingPose, partners: Mapping[int, int]) -> "Correspondence":
        """Compare two skeletons."""
        return cls(source, target, partners, alignment(source, target, partners))


def carried_rotations(motion: Motion, between: Correspondence) -> Array:
    """(F, J, 4) rotations of the target's joints that turn its bones as the source's turn.

    Source joints without partner count in those below them. Target joints without partner keep the
    standing pose; those within the trunk share the turn between their neighbours with partners.
    """
    target = between.target
    skeleton = target.skeleton
    turns = _with_shared_turns(_scene_turns(motion, between), between)
    own = np.array(np.broadcast_to(target.motion.rotations, (len(motion), len(skeleton), 4)))
    orientations = np.empty_like(own)
    for level in skeleton.levels:
        start = _start(orientations, level, target)
        known = [place for place, joint in enumerate(level) if int(joint) in turns]
        if known:
            joints = level[known]
            wanted = quaternion.multiply(np.stack([turns[int(each)] for each in joints], axis=1), target.turns[joints])
            own[:, joints] = quaternion.multiply(quaternion.conjugate(start[:, known]), wanted)
        orientations[:, level] = quaternion.multiply(start, own[:, level])
    own = quaternion.sign_continuous(quaternion.normalize(own))
    for joint in _same_channels(between):
        own[:, joint] = motion.rotations[:, between.partners[joint]]
    return own


def _start(orientations: Array, level: Indices, pose: StandingPose) -> Array:
    """(F, N, 4) orientations that joints of one level have before their own rotations, from those of their parents."""
    skeleton = pose.skeleton
    parents = skeleton.parents[level]
    above = orientations[:, parents] if (parents >= 0).all() else quaternion.identity(len(orientations), len(level))
    start = quaternion.multiply(above, skeleton.rest_offsets[0][level])
    alone = (parents >= 0) & ~skeleton.inherits_rotation[level]
    if alone.any():
        start[:, alone] = quaternion.multiply(_carrier(pose), skeleton.rest_rotations[level[alone]])
    return start


def _carrier(pose: StandingPose) -> Array:
    """(4,) turn of the object that carries a skeleton."""
    if not pose.skeleton.has_placement:
        return quaternion.identity()
    return quaternion.multiply(pose.turns[0], quaternion.conjugate(pose.skeleton.rest_rotations[0]))


def _scene_turns(motion: Motion, between: Correspondence) -> dict[int, Array]:
    """By target joint with partner, (F, 4) its turn away from its standing pose, in the scene."""
    axes, back = between.difference.axes, quaternion.conjugate(between.difference.axes)
    placement = {0} if between.target.skeleton.has_placement else set()
    joints = [joint for joint in between.partners if joint not in placement]
    partners = [between.partners[joint] for joint in joints]
    away = quaternion.conjugate(between.source.turns[partners])
    turns = quaternion.multiply(motion.poses.rotations[:, partners], away)
    turns = quaternion.multiply(axes, quaternion.multiply(turns, back))
    turns = quaternion.multiply(turns, np.stack([between.difference.corrections[joint] for joint in joints]))
    return {joint: turns[:, place] for place, joint in enumerate(joints)}


def _with_shared_turns(turns: dict[int, Array], between: Correspondence) -> dict[int, Array]:
    """The turns, and those of trunk joints without partner: in equal steps from neighbour to neighbour."""
    body = between.target.body
    trunk = [*dict.fromkeys([*body.torso, *body.neck, *(() if body.head is None else (body.head,))])]
    known = [place for place, joint in enumerate(trunk) if joint in turns]
    shared = dict(turns)
    for first, last in pairwise(known):
        for place in range(first + 1, last):
            share = np.full(1, (place - first) / (last - first))
            shared[trunk[place]] = quaternion.slerp(turns[trunk[first]], turns[trunk[last]], share)
    return shared


def _same_channels(between: Correspondence) -> list[int]:
    """Joints with partner whose channels mean the same on both sides, so that they are taken bit for bit."""
    plain = quaternion.identity()
    if not np.array_equal(between.difference.axes, plain):
        return []
    return [joint for joint in between.partners if _has_same_channels(joint, between)]


def _has_same_channels(joint: int, between: Correspondence) -> bool:
    one, other, plain = between.source.skeleton, between.target.skeleton, quaternion.identity()
    partner, corrections = between.partners[joint], between.difference.corrections
    above, above_partner = int(other.parents[joint]), int(one.parents[partner])
    if not (between.source.at_rest and between.target.at_rest) or one.has_placement or other.has_placement:
        return False
    if (above >= 0 or above_partner >= 0) and between.partners.get(above, -2) != above_partner:
        return False
    joints = [joint] if above < 0 else [joint, above]
    return (
        all(np.array_equal(corrections[each], plain) for each in joints)
        and np.array_equal(one.rest_offsets[0][partner], other.rest_offsets[0][joint])
        and bool(one.inherits_rotation[partner] == other.inherits_rotation[joint])
    )

"""Feet without toes that stand on their tips: what the source's toes do, the tip of the foot's bone does.

While heels rise only toes stand. A target whose feet have none would skate then, so it gets a joint at each
tip for as long as it is retargeted.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...analysis.contacts import ContactSpans
from ...body import Body, Limb
from ...motion import InheritScale, Motion, Skeleton
from ...numerics import Array, quaternion
from ..correspondence.mapping import JointMapping, JointPair
from ..proportions.measures import chain_length, chain_of

# Times the source's foot that a target's may measure, each in legs, for its bone to end at the toes.
_LIKELY = (0.4, 2.5)


@dataclass(frozen=True, eq=False)
class Equipped:
    """A target with joints at the tips of its feet.

    Attributes:
        plain: The target's own joints.
        skeleton: The same, and the new ones after them.
        body: With the new joints as toes.
        mapping: The new joints are partners of the source's toes.
        feet: Names of feet by that of the joints at their tips.
    """

    plain: Skeleton
    skeleton: Skeleton
    body: Body
    mapping: JointMapping
    feet: dict[str, str]

    def pose(self, pose: Motion | None) -> Motion | None:
        """A pose of the target with the new joints at rest."""
        extra = len(self.feet)
        if pose is None or not extra:
            return pose
        frames = len(pose)
        return replace(
            pose,
            skeleton=self.skeleton,
            rotations=np.concatenate([pose.rotations, quaternion.identity(frames, extra)], axis=1),
            locations=np.concatenate([pose.locations, np.zeros((frames, extra, 3))], axis=1),
            scales=np.concatenate([pose.scales, np.ones((frames, extra, 3))], axis=1),
        )

    def own_contacts(self, contacts: ContactSpans) -> ContactSpans:
        """The contacts of the target's own joints."""
        return ContactSpans({name: contacts.of(name) for name in contacts.joints if name not in self.feet})

    def without_tips(self, motion: Motion) -> Motion:
        """The motion on the target's own skeleton."""
        if not self.feet:
            return motion
        count = len(self.plain)
        return replace(
            motion,
            skeleton=self.plain,
            rotations=motion.rotations[:, :count],
            locations=motion.locations[:, :count],
            scales=motion.scales[:, :count],
        )


def with_foot_tips(source: Body, target: Body, mapping: JointMapping, contacts: ContactSpans) -> Equipped:
    """The target with a joint at the tip of each foot that has no partner for toes that stand.

    Args:
        source: The source's parts.
        target: The target's.
        mapping: Which joints correspond.
        contacts: Of source joints.
    """
    found = [pair for limb in target.legs if (pair := _without_toes(source, target, limb, mapping, contacts))]
    skeleton = target.skeleton
    if not found:
        return Equipped(skeleton, skeleton, target, mapping, {})
    names = {limb.role: _free_name(skeleton, limb) for _, limb in found}
    longer = _extended(skeleton, tuple(names.values()), [limb for _, limb in found])
    limbs = tuple(
        replace(limb, digits=((longer.index[names[limb.role]],), *limb.digits)) if limb.role in names else limb
        for limb in target.limbs
    )
    pairs = [JointPair(toe, names[limb.role]) for toe, limb in found]
    feet = {names[limb.role]: skeleton.names[int(limb.end or 0)] for _, limb in found}
    wider = JointMapping.of_pairs([*mapping.pairs, *pairs], source.skeleton, longer)
    return Equipped(skeleton, longer, replace(target, skeleton=longer, limbs=limbs), wider, feet)


def _without_toes(
    source: Body, target: Body, limb: Limb, mapping: JointMapping, contacts: ContactSpans
) -> tuple[str, Limb] | None:
    """The name of a source toe that stands and has no partner, with the target's leg that needs one."""
    one, other = source.skeleton, target.skeleton
    foot = None if limb.end is None else mapping.source_of.get(other.names[limb.end])
    leg = next((each for each in source.legs if each.end is not None and one.names[each.end] == foot), None)
    if leg is None or limb.end is None or not leg.digits:
        return None
    toe = leg.digits[0][0]
    if not contacts.of(one.names[toe]) or one.names[toe] in mapping.target_of:
        return None
    ratio = _length(other, chain_of(limb)) / max(_length(one, chain_of(leg)), 1e-300)
    usual = ratio * _length(one, (int(leg.end or 0), toe))
    own = float(np.linalg.norm(_tip(other, limb) - other.rest_positions[limb.end]))
    return (one.names[toe], limb) if _LIKELY[0] * usual < own < _LIKELY[1] * usual else None


def _length(skeleton: Skeleton, chain: tuple[int, ...]) -> float:
    return chain_length(skeleton.rest_positions[None], chain)


def _tip(skeleton: Skeleton, limb: Limb) -> Array:
    """(3,) where a foot's toes begin at rest, in skeleton space."""
    if limb.digits:
        return np.asarray(skeleton.rest_positions[limb.digits[0][0]])
    foot = int(limb.end or 0)
    way = quaternion.rotate(skeleton.rest_rotations[foot], skeleton.tips[foot])
    return np.asarray(skeleton.rest_positions[foot] + way)


def _free_name(skeleton: Skeleton, limb: Limb) -> str:
    name = f"{skeleton.names[int(limb.end or 0)]} tip"
    while name in skeleton.index:
        name += "'"
    return name


def _extended(skeleton: Skeleton, names: tuple[str, ...], legs: list[Limb]) -> Skeleton:
    """The skeleton with joints at the tips of feet."""
    parents = [int(limb.end or 0) for limb in legs]
    axes, places = skeleton.rest_rotations[parents], np.stack([_tip(skeleton, limb) for limb in legs])
    free, full = np.zeros(len(names), dtype=np.bool_), np.full(len(names), InheritScale.FULL, dtype=np.int8)
    return replace(
        skeleton,
        names=(*skeleton.names, *names),
        parents=np.concatenate([skeleton.parents, np.array(parents, dtype=np.intp)]),
        rest_rotations=np.concatenate([skeleton.rest_rotations, axes]),
        rest_positions=np.concatenate([skeleton.rest_positions, places]),
        tips=np.concatenate([skeleton.tips, np.zeros((len(names), 3))]),
        connected=np.concatenate([skeleton.connected, free]),
        inherits_rotation=np.concatenate([skeleton.inherits_rotation, ~free]),
        local_location=np.concatenate([skeleton.local_location, ~free]),
        inherit_scale=np.concatenate([skeleton.inherit_scale, full]),
    )

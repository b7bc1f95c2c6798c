"""The motion of one character on another one.

Turns are carried over, the root's path is scaled by the length of the legs, and what was in contact
in the source is put in contact again: first a guess, then constraints, as the motion editing chapter
describes it (1.7.2.4). Contacts are closed frame by frame by limb IK.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..analysis.contacts import ContactSpans, detect_contacts
from ..body import Body
from ..motion import Motion, Skeleton, matched
from ..solve.contact_lock import ground_under, largest_slide
from .correspondence.mapping import JointMapping
from .draft import Draft, sizes_of
from .held_distance import HeldDistance, with_distances_kept
from .on_the_spot import carried, ways_of
from .options import RetargetOptions
from .proportions.measures import chain_length, chain_of
from .report import Retargeted, RetargetReport


def retarget(
    motion: Motion,
    target_skeleton: Skeleton,
    mapping: JointMapping,
    *,
    source_body: Body,
    target_body: Body,
    contacts: ContactSpans | None = None,
    held: Sequence[HeldDistance] = (),
    options: RetargetOptions | None = None,
) -> Retargeted:
    """Put a motion on another character.

    Joints that leave their places do so on the target too, in proportion to its bones; those that become larger
    or smaller as a whole do so too. Scalar channels go over to those of the same names.

    A skeleton that is the source's own, in whatever order and axes, gets the motion as it is: feet that slide
    there go on sliding, and the report says how far.

    Args:
        motion: Of the source, without a leading reference pose.
        mapping: Which joints correspond.
        source_body: Root and up axis are needed, and limbs for contacts.
        target_body: Likewise, and its height.
        contacts: Of source joints; found by `detect_contacts` if not given. Feet get one place for every
            contact on the target's own floor, hands where the source's are, scaled. Where the source walks on the
            spot, the target does, and its feet stand on the ground that moves along under it.
        held: Distances between source joints that are kept: hands that carry something.
        options: What can be chosen.

    Raises:
        SkeletonMismatchError: Roots have no partners, or mapping and skeletons do not fit.
        MissingRoleError: A root or an up axis is not known.
    """
    options = options or RetargetOptions()
    partners = mapping.numbers(motion.skeleton, target_skeleton)
    own_size = bool((sizes_of(options.size, len(motion)) == 1.0).all())
    if _is_same(motion.skeleton, target_skeleton, partners) and own_size and not held:
        same = matched(motion, _with_channels_of(motion, target_skeleton))
        return Retargeted(same, _unchanged_report(same, target_body, contacts))
    contacts = _contacts(motion, source_body) if contacts is None else contacts
    ways = ways_of(motion.times, ground_under(motion, contacts, source_body))
    travelling = carried(motion, source_body, -ways)
    draft = Draft.build(
        travelling,
        target_skeleton,
        mapping,
        bodies=(source_body, target_body),
        contacts=contacts,
        options=options,
    )
    standing, holding = draft.settled(draft.carried)
    final, missed = with_distances_kept(standing, travelling, draft.ground, held, fade=options.fade)
    result = draft.finished(final, holding, missed)
    back = draft.ground.path(draft.ground.turned(ways))
    return replace(result, motion=carried(result.motion, target_body, back))


def _unchanged_report(motion: Motion, body: Body, contacts: ContactSpans | None) -> RetargetReport:
    """What is to say about a motion that stays as it is: its feet slide as they did before."""
    contacts = _contacts(motion, body) if contacts is None else contacts
    slide = largest_slide(motion, contacts, body=body) or 0.0
    legs = [chain_length(motion.poses.positions, chain_of(limb)) for limb in body.legs]
    leg_length = float(np.mean(legs)) if legs else 0.0
    return RetargetReport(leg_length=leg_length, slide_carried=slide, slide=slide, contacts=contacts)


def _contacts(motion: Motion, body: Body) -> ContactSpans:
    """Contacts found in a motion; none where it is not known what stands, or which way is up."""
    known = body.feet and body.up is not None and body.height is not None
    return detect_contacts(motion, body) if known else ContactSpans()


def _is_same(one: Skeleton, other: Skeleton, partners: dict[int, int]) -> bool:
    """The skeletons stand alike joint for joint, in whatever order and axes, and are mapped so."""
    if len(one) != len(other) or len(partners) != len(one):
        return False
    order = [partners[joint] for joint in range(len(other))]
    if any(one.names[partner] != name for partner, name in zip(order, other.names, strict=True)):
        return False
    parents = [partners.get(int(parent), -1) for parent in other.parents]
    return bool(
        (one.parents[order] == parents).all()
        and np.array_equal(one.rest_positions[order], other.rest_positions)
        and one.has_placement == other.has_placement
        and all(
            np.array_equal(getattr(one, name)[order], getattr(other, name))
            for name in ("connected", "inherits_rotation", "local_location", "inherit_scale")
        )
    )


def _with_channels_of(motion: Motion, skeleton: Skeleton) -> Motion:
    """A frame of the skeleton with the motion's scalar channels, for `matched`; the motion if it is its own."""
    if motion.skeleton is skeleton:
        return motion
    return Motion.build(
        skeleton,
        np.tile([1.0, 0.0, 0.0, 0.0], (1, len(skeleton), 1)),
        rate=motion.rate,
        scalars=motion.scalars[:1],
        scalar_names=motion.scalar_names,
        stepped=motion.stepped,
    )

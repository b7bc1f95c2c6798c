"""The motion of one character on another one.

Turns are carried over, the root's path is scaled by the length of the legs, and what was in contact
in the source is put in contact again: first a guess, then constraints, as the motion editing chapter
describes it (1.7.2.4). Contacts are closed frame by frame by limb IK.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..blending import matched
from ..body import Body
from ..contact_lock import HoldReport, hold_contacts
from ..contact_lock.report import report as hold_report
from ..contact_lock.windows import contact_frames
from ..contacts import ContactSpans, detect_contacts
from ..errors import SkeletonMismatchError
from ..motion import Motion
from ..quaternion import Array
from ..skeleton import Skeleton
from .carrying import Correspondence, carried_rotations
from .controls import with_controls_placed
from .floor import deepest, lifted
from .ground import Ground, with_root_placed
from .held_distance import HeldDistance, with_distances_kept
from .mapping import JointMapping
from .planting import planted
from .report import Retargeted, RetargetReport
from .standing import standing_pose


@dataclass(frozen=True, eq=False)
class RetargetOptions:
    """What can be chosen.

    Attributes:
        scale_root: The way along the ground scales with the legs; False keeps it, and steps become longer or shorter.
        source_pose: Motion whose first frame shows the source standing as the target's standing pose does. The rest
            pose if not given, or the first frame where the rest pose does not stand.
        target_pose: The same of the target; also places its object in the scene, and what joints without partner do.
        size: (F,) the target's size over its own, where it changes over time; or one number.
        lowering: Body heights to which the root may go down so that legs reach their contacts.
        fade: Seconds beside a contact over which its correction dies away.
    """

    scale_root: bool = True
    source_pose: Motion | None = None
    target_pose: Motion | None = None
    size: Any = 1.0
    lowering: float = 0.2
    fade: float = 0.1


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

    A skeleton that is the source's own, in whatever order and axes, gets the motion as it is.

    Args:
        motion: Of the source, without a leading reference pose.
        target_skeleton: Who gets it.
        mapping: Which joints correspond.
        source_body: Root and up axis are needed, and limbs for contacts.
        target_body: Likewise, and its height.
        contacts: Of source joints; found by `detect_contacts` if not given. Feet get one place for every
            contact on the target's own floor, hands where the source's are, scaled.
        held: Distances between source joints that are kept: hands that carry something.
        options: What can be chosen.

    Raises:
        SkeletonMismatchError: Roots have no partners, or mapping and skeletons do not fit.
        MissingRoleError: A root or an up axis is not known.
    """
    options = options or RetargetOptions()
    partners = mapping.numbers(motion.skeleton, target_skeleton)
    size = _sizes(options.size, len(motion))
    if _is_same(motion.skeleton, target_skeleton, partners) and (size == 1.0).all() and not held:
        return Retargeted(matched(motion, _with_channels_of(motion, target_skeleton)), RetargetReport())
    _check_roots(source_body, target_body, partners)
    if contacts is None:
        contacts = detect_contacts(motion, source_body) if source_body.feet else ContactSpans()
    between = Correspondence.build(
        standing_pose(motion.skeleton, source_body, options.source_pose, motion),
        standing_pose(target_skeleton, target_body, options.target_pose),
        partners,
    )
    ground = Ground.build(motion, between, size=size, scale_path=options.scale_root)
    carried = with_root_placed(_carried(motion, between, size), motion, ground)
    carried = with_controls_placed(carried, motion, ground)
    return _with_constraints(carried, motion, ground, contacts, held, options, mapping)


def _with_constraints(
    carried: Motion,
    motion: Motion,
    ground: Ground,
    contacts: ContactSpans,
    held: Sequence[HeldDistance],
    options: RetargetOptions,
    mapping: JointMapping,
) -> Retargeted:
    body = ground.between.target.body
    spans, lost = _target_contacts(contacts, mapping, body)
    reference = planted(carried, motion, ground, spans)
    standing, holding = hold_contacts(reference, carried, body, spans, fade=options.fade, lowering=options.lowering)
    standing = lifted(standing, ground, body, spans)
    final, missed = with_distances_kept(standing, motion, ground, held, fade=options.fade)
    reached = _reached(reference, carried, final, spans, holding, body)
    report = RetargetReport(
        unmatched_source=mapping.unmatched_source,
        unmatched_target=mapping.unmatched_target,
        lost_contacts=lost,
        scale=float(ground.scale[0]),
        leg_length=ground.measures[1].leg,
        slide_carried=reached.slide_edited,
        slide=reached.slide_held,
        missed=reached.missed,
        missed_distances=missed,
        root_lowered=holding.root_lowered,
        below_floor=deepest(final, ground, body),
    )
    return Retargeted(final, report)


def _reached(
    reference: Motion, carried: Motion, final: Motion, contacts: ContactSpans, holding: HoldReport, body: Body
) -> HoldReport:
    """How well contacts hold in the end."""
    active = {
        final.skeleton.index[name]: contact_frames(contacts, name, final.times)
        for name in contacts.joints
        if contacts.of(name)
    }
    return hold_report(reference, carried, final, active, lowered_by=holding.root_lowered, body=body)


def _carried(motion: Motion, between: Correspondence, size: Array) -> Motion:
    """The target's motion with turns carried over and its root not yet placed."""
    pose, frames = between.target.motion, len(motion)
    skeleton = pose.skeleton
    scales = np.array(np.broadcast_to(pose.scales, (frames, len(skeleton), 3)))
    root = int(between.target.body.require("root"))
    placement = {0} if skeleton.has_placement else set()
    top = [joint for joint in (root, *skeleton.ancestors(root)) if joint not in placement][-1]
    scales[:, top] *= size[:, None]
    return Motion.build(
        skeleton,
        carried_rotations(motion, between),
        rate=motion.rate,
        times=motion.times,
        locations=np.array(np.broadcast_to(pose.locations, (frames, len(skeleton), 3))),
        scales=scales,
    )


def _target_contacts(contacts: ContactSpans, mapping: JointMapping, body: Body) -> tuple[ContactSpans, tuple[str, ...]]:
    """Contacts by target joint, and the source joints whose contacts are lost."""
    names = body.skeleton.names
    holding = {
        names[joint]
        for limb in body.limbs
        if limb.end is not None
        for joint in (limb.end, *(joint for digit in limb.digits if limb.kind.is_leg for joint in digit))
    }
    kept = {name: mapping.target_of[name] for name in contacts.joints if mapping.target_of.get(name) in holding}
    lost = tuple(name for name in contacts.joints if name not in kept and contacts.of(name))
    return ContactSpans({target: contacts.of(source) for source, target in kept.items()}), lost


def _sizes(size: Any, frames: int) -> Array:
    sizes = np.asarray(size, dtype=np.float64)
    if sizes.shape not in ((), (frames,)) or not (np.isfinite(sizes).all() and (sizes > 0.0).all()):
        raise ValueError(f"size must be above zero, one number or one for each of the {frames} frames")
    return np.array(np.broadcast_to(sizes, frames))


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
    )


def _check_roots(source: Body, target: Body, partners: dict[int, int]) -> None:
    roots = int(source.require("root")), int(target.require("root"))
    source.require("up axis"), target.require("up axis")
    if partners.get(roots[1]) != roots[0]:
        names = source.skeleton.names[roots[0]], target.skeleton.names[roots[1]]
        raise SkeletonMismatchError(
            f"The roots '{names[0]}' and '{names[1]}' are no partners; pair them in the mapping"
        )

"""A retargeted motion in the making: what is carried over, where contacts belong, and how they are held."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..analysis.contacts import ContactSpans, detect_contacts
from ..body import Body
from ..errors import SkeletonMismatchError
from ..motion import Motion, Skeleton
from ..numerics import Array
from ..solve.contact_lock import (
    HoldReport,
    Mask,
    contact_frames,
    hold_contacts,
    largest_slide_of,
    on_ground_that_stands,
)
from ..solve.contact_lock import report as hold_report
from .controls import lowered_to_controls, out_of_reach, with_controls_placed, within_reach
from .correspondence.mapping import JointMapping
from .feet.floor import deepest, lifted
from .feet.foot_tips import Equipped, with_foot_tips
from .feet.footplants import planted
from .feet.lingering_feet import with_lingering
from .feet.torn_poses import TornMotion
from .ground import Ground, with_root_placed
from .hands import with_hands_lifted
from .offsets import with_offsets_carried, with_scales_carried
from .options import RetargetOptions
from .proportions.measures import foot_joints
from .proportions.standing_pose import standing_pose
from .report import MissedDistance, Retargeted, RetargetReport
from .turn_transfer import Correspondence, carried_rotations


@dataclass(frozen=True, eq=False)
class Draft:
    """What retargeting starts from.

    Attributes:
        source: The source's motion.
        carried: The target's: turns carried over, root on its path.
        reference: The same with everything in contact at one place; limbs are torn off.
        contacts: Of target joints.
        held: The same with the time in which feet linger beside them.
        lost_contacts: Source joints whose contacts nothing can hold.
        stuck: Target joints that cannot leave their places or change their size as the source's do.
        ground: Compares the two characters.
        mapping: Which joints correspond.
        target: Who gets it, with what it needs to stand.
        options: What was chosen.
    """

    source: Motion
    carried: Motion
    reference: TornMotion
    contacts: ContactSpans
    held: ContactSpans
    lost_contacts: tuple[str, ...]
    stuck: tuple[str, ...]
    ground: Ground
    mapping: JointMapping
    target: Equipped
    options: RetargetOptions

    @property
    def body(self) -> Body:
        """The target's."""
        return self.ground.between.target.body

    @classmethod
    def build(
        cls,
        motion: Motion,
        skeleton: Skeleton,
        mapping: JointMapping,
        *,
        bodies: tuple[Body, Body],
        contacts: ContactSpans | None,
        options: RetargetOptions,
    ) -> "Draft":
        """Carry a motion over; arguments are those of `retarget`."""
        _check_roots(*bodies, mapping.numbers(motion.skeleton, skeleton))
        if contacts is None:
            contacts = detect_contacts(motion, bodies[0]) if bodies[0].feet else ContactSpans()
        contacts = on_ground_that_stands(motion, contacts, bodies[0])
        target = with_foot_tips(bodies[0], bodies[1], mapping, contacts)
        between = Correspondence.build(
            standing_pose(motion.skeleton, bodies[0], options.source_pose, motion),
            standing_pose(target.skeleton, target.body, target.pose(options.target_pose)),
            target.mapping.numbers(motion.skeleton, target.skeleton),
        )
        size = sizes_of(options.size, len(motion))
        ground = Ground.build(motion, between, size=size, path_scale=options.path_scale)
        carried, uneven = with_scales_carried(_carried(motion, between, size), motion, between)
        carried = with_root_placed(carried, motion, ground)
        carried, stuck = with_offsets_carried(carried, motion, ground)
        stuck = tuple(dict.fromkeys((*stuck, *uneven)))
        carried = with_controls_placed(carried, motion, ground)
        spans, lost = _target_contacts(contacts, target.mapping, target.body)
        reference = planted(carried, motion, ground, spans)
        reference, held = with_lingering(reference, carried, motion, ground, spans)
        return cls(motion, carried, reference, spans, held, lost, stuck, ground, mapping, target, options)

    def settled(self, motion: Motion) -> tuple[Motion, HoldReport]:
        """A target's motion with its contacts held and its feet above the floor."""
        fade, lowering = self.options.fade, self.options.lowering
        motion, down = lowered_to_controls(
            motion, self.reference, self.ground, self.held, limit=lowering, fade=2.0 * fade
        )
        held, holding = hold_contacts(
            self.reference, motion, self.body, self.held, fade=fade, giving=lowering, like=motion
        )
        holding = replace(holding, root_lowered=max(holding.root_lowered, down))
        risen = lifted(held, self.ground, self.body, self.held, fade=fade)
        risen = with_hands_lifted(risen, self.source, self.ground, self.held, fade=fade)
        return within_reach(risen, self.ground, self.held), holding

    def finished(self, motion: Motion, holding: HoldReport, missed: tuple[MissedDistance, ...]) -> Retargeted:
        """The result, with the report of what it reached."""
        reached = hold_report(
            self.reference,
            self.carried,
            motion,
            self._standing(motion),
            lowered_by=holding.root_lowered,
            body=self.body,
        )
        missing = (*reached.missed, *out_of_reach(motion, self.ground, self.contacts))
        named = (replace(miss, joint=self.target.feet.get(miss.joint, miss.joint)) for miss in missing)
        report = RetargetReport(
            unmatched_source=self.mapping.unmatched_source,
            unmatched_target=self.mapping.unmatched_target,
            lost_contacts=self.lost_contacts,
            stuck=self.stuck,
            scale=float(self.ground.scale[0]),
            leg_length=float(self.ground.size[0]) * self.ground.measures[1].leg,
            slide_carried=self._slide(self.carried),
            slide=self._slide(motion),
            missed=tuple(sorted(named, key=lambda miss: -miss.distance)),
            missed_distances=missed,
            root_lowered=holding.root_lowered,
            below_floor=deepest(motion, self.ground, self.body),
            contacts=self.target.own_contacts(self.contacts),
        )
        return Retargeted(self.target.without_tips(motion), report)

    def _slide(self, motion: Motion) -> float:
        """How far a contact slides; along the ground if the target grows."""
        up, standing = self.ground.up, self._standing(motion)
        if np.ptp(self.ground.size) == 0.0:
            return largest_slide_of(motion, standing, body=self.body)
        places = motion.poses.positions
        return largest_slide_of(motion, standing, positions=places - (places @ up)[..., None] * up)

    def _standing(self, motion: Motion) -> dict[int, Mask]:
        """By joint, (F,) frames in which it has to stay in its place.

        A foot that grows while it stands pushes its toes ahead; these stay where they are without the ankle.
        """
        index = motion.skeleton.index
        active = {
            index[name]: contact_frames(self.contacts, name, motion.times)
            for name in self.contacts.joints
            if self.contacts.of(name)
        }
        if np.ptp(self.ground.size) > 0.0:
            for limb in self.body.legs:
                ankle, *toes = foot_joints(limb)
                for toe in (toe for toe in toes if toe in active and ankle in active):
                    active[toe] = active[toe] & ~active[ankle]
        return active


def sizes_of(size: Any, frames: int) -> Array:
    """(F,) sizes above zero, from one number or one for each frame."""
    sizes = np.asarray(size, dtype=np.float64)
    if sizes.shape not in ((), (frames,)) or not (np.isfinite(sizes).all() and (sizes > 0.0).all()):
        raise ValueError(f"size must be above zero, one number or one for each of the {frames} frames")
    return np.array(np.broadcast_to(sizes, frames))


def _carried(motion: Motion, between: Correspondence, size: Array) -> Motion:
    """The target's motion with turns carried over and its root not yet placed."""
    pose, frames = between.target.motion, len(motion)
    skeleton = pose.skeleton
    scales = np.array(np.broadcast_to(pose.scales, (frames, len(skeleton), 3)))
    root = int(between.target.body.require("root"))
    placement = {0} if skeleton.has_placement else set()
    top = [joint for joint in (root, *skeleton.ancestors(root)) if joint not in placement][-1]
    scales[:, top] *= size[:, None]
    scalars, names = _carried_scalars(motion, pose)
    return Motion.build(
        skeleton,
        carried_rotations(motion, between),
        rate=motion.rate,
        times=motion.times,
        locations=np.array(np.broadcast_to(pose.locations, (frames, len(skeleton), 3))),
        scales=scales,
        scalars=scalars,
        scalar_names=names,
        stepped=motion.stepped | pose.stepped,
    )


def _carried_scalars(motion: Motion, pose: Motion) -> tuple[Array, tuple[str, ...]]:
    """(F, N) scalar channels and their names: the pose's, with the source's values where the source has them.

    A pose without any says nothing about the target's: it gets all of the source's.
    """
    if not pose.scalar_names:
        return motion.scalars, motion.scalar_names
    scalars = np.array(np.broadcast_to(pose.scalars, (len(motion), len(pose.scalar_names))))
    for place, name in enumerate(pose.scalar_names):
        if name in motion.scalar_names:
            scalars[:, place] = motion.scalars[:, motion.scalar_names.index(name)]
    return scalars, pose.scalar_names


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


def _check_roots(source: Body, target: Body, partners: dict[int, int]) -> None:
    roots = int(source.require("root")), int(target.require("root"))
    source.require("up axis"), target.require("up axis")
    if partners.get(roots[1]) != roots[0]:
        names = source.skeleton.names[roots[0]], target.skeleton.names[roots[1]]
        raise SkeletonMismatchError(
            f"The roots '{names[0]}' and '{names[1]}' are no partners; pair them in the mapping"
        )

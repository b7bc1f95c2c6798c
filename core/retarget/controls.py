"""Hands and feet that controls of their own place (IK): they go where the limb's own turns would bring them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..analysis.contacts import ContactSpans
from ..body import Limb
from ..motion import Motion, Skeleton
from ..numerics import Array, runs
from ..solve.contact_lock import Mask, MissedContact, contact_frames, eased
from ..solve.whole_body import lowered, moved
from .ground import Ground
from .proportions.measures import chain_length, chain_of, foot_joints

# Share of a limb's length by which its control may be out of reach without a word.
_REACHED = 1e-4


@dataclass(frozen=True, eq=False)
class _Control:
    """A limb whose end is placed by a control: its first joint, the control, what may stand, the limb's length."""

    upper: int
    end: int
    standing: tuple[int, ...]
    length: float

    def stands(self, motion: Motion, contacts: ContactSpans) -> Mask:
        """(F,) frames in which hand or foot is in contact."""
        names = (motion.skeleton.names[joint] for joint in self.standing)
        stands: Mask = np.any([contact_frames(contacts, name, motion.times) for name in names], axis=0)
        return stands

    def beyond(self, motion: Motion, ground: Ground) -> Array:
        """(F,) how much further the control is than the limb reaches; below zero where it reaches."""
        way = motion.poses.positions[:, self.end] - motion.poses.positions[:, self.upper]
        return np.asarray(np.linalg.norm(way, axis=1) - self.length * ground.size)


def has_control(skeleton: Skeleton, limb: Limb) -> bool:
    """Whether a limb's end can be put anywhere by its own location, and the rig brings the limb there."""
    if limb.end is None or limb.end_is_in_chain or not limb.chain or skeleton.connected[limb.end]:
        return False
    return limb.chain[0] not in skeleton.ancestors(limb.end)


def with_controls_placed(target: Motion, source: Motion, ground: Ground) -> Motion:
    """The target's motion with the controls of limbs as far from the limb's first joint as the source's ends are.

    Distances scale with the length of the limb, so that it is as bent as the source's.
    """
    for control in _controls(ground, ground.between.target.body.limbs):
        if {control.upper, control.end} <= set(ground.between.partners):
            places = target.poses.positions
            ways = _ways(source, ground, control)
            target = moved(target, control.end, places[:, control.upper] + ways - places[:, control.end])
    return target


def lowered_to_controls(
    motion: Motion, reference: Motion, ground: Ground, contacts: ContactSpans, *, limit: float, fade: float
) -> tuple[Motion, float]:
    """The motion with its root lowered where a leg would not reach its standing control, and by how much at most.

    Args:
        reference: Controls in contact are at their places.
        ground: Its up axis and legs.
        contacts: Of the target's joints.
        limit: Body heights by which the root may go down.
        fade: Seconds in which it goes down and up.
    """
    body = ground.between.target.body
    root, needed = int(body.require("root")), np.zeros(len(motion))
    for control in _controls(ground, body.legs):
        if root in motion.skeleton.ancestors(control.upper):
            offset = reference.poses.positions[:, control.end] - motion.poses.positions[:, control.upper]
            above, reach = -(offset @ ground.up), control.length * ground.size
            aside = np.einsum("fa,fa->f", offset, offset) - above**2
            least = above - np.sqrt(np.maximum(reach**2 - aside, 0.0))
            needed = np.maximum(needed, np.where(control.stands(motion, contacts), least, 0.0))
    if not needed.any():
        return motion, 0.0
    deepest = limit * float(body.height or ground.measures[1].leg)
    amounts = eased(np.minimum(needed, deepest), motion.times, fade)
    return lowered(motion, root, amounts, ground.up), float(amounts.max())


def within_reach(motion: Motion, ground: Ground, contacts: ContactSpans) -> Motion:
    """The motion with controls that are not in contact no further away than their limbs reach."""
    for control in _controls(ground, ground.between.target.body.limbs):
        beyond = control.beyond(motion, ground)
        beyond = np.where(control.stands(motion, contacts), 0.0, np.maximum(beyond, 0.0))
        if beyond.any():
            way = motion.poses.positions[:, control.upper] - motion.poses.positions[:, control.end]
            length = np.linalg.norm(way, axis=1)
            motion = moved(motion, control.end, way * (beyond / np.where(length > 0.0, length, 1.0))[:, None])
    return motion


def out_of_reach(motion: Motion, ground: Ground, contacts: ContactSpans) -> Iterator[MissedContact]:
    """Contacts of controls that their limbs do not reach: the control stands, and the limb does not get there."""
    for control in _controls(ground, ground.between.target.body.limbs):
        name, beyond = motion.skeleton.names[control.end], control.beyond(motion, ground)
        for run in runs(control.stands(motion, contacts)):
            if beyond[run].max() > _REACHED * control.length:
                start, end = motion.times[run][[0, -1]]
                yield MissedContact(name, float(start), float(end), float(beyond[run].max()))


def _controls(ground: Ground, limbs: tuple[Limb, ...]) -> Iterator[_Control]:
    """Limbs with controls that their own turns do not move."""
    pose = ground.between.target
    for limb in (limb for limb in limbs if has_control(pose.skeleton, limb)):
        assert limb.end is not None
        standing = tuple(foot_joints(limb)) if limb.kind.is_leg else (limb.end,)
        yield _Control(limb.chain[0], limb.end, standing, chain_length(pose.places[None], chain_of(limb)))


def _ways(source: Motion, ground: Ground, control: _Control) -> Array:
    """(F, 3) from the limb's first joint to its end."""
    partners, places = ground.between.partners, source.poses.positions
    upper, end = partners[control.upper], partners[control.end]
    chain = [end, *source.skeleton.ancestors(end)]
    if upper in chain:
        chain = chain[: chain.index(upper) + 1]
    own = chain_length(places, tuple(chain))
    way = ground.turned(places[:, end] - places[:, upper])
    return np.asarray(way * (ground.size * (control.length / own if own > 0.0 else 1.0))[:, None])

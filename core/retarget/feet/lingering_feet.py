"""Feet that linger where they stood: beside a contact, as long as the source's foot is slow, nothing hurries them.

Corrections that hold a contact have to die away beside it. While the foot is still slow, as when it rolls
off its toes, that would be seen as skating; in the swing that follows nobody can tell. So the foot goes the
source's way from where it stands, and stays where it is for the first three hundredths of a leg: captured feet
creep by as much while they stand.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...analysis.contacts import ContactOptions, ContactSpans
from ...body import Limb
from ...motion import Indices, Motion
from ...numerics import Array, quaternion, runs
from ...solve.contact_lock import Mask, contact_frames
from ..ground import Ground
from ..proportions.measures import foot_joints
from .torn_poses import TornMotion

# Legs within which a foot that lingers stays in its place.
_STAYS = 0.03
# Share of the time between two contacts of a foot that lingering after the one and before the other may take.
_MOST = 0.6
# Half of the seconds over which speeds are measured: noise from frame to frame averages out.
_HALF_STEP = 0.02


@dataclass(frozen=True, eq=False)
class _Lingering:
    """A joint that lingers beside a contact; `frames` lead away from the contact's outermost frame `edge`."""

    joint: int
    edge: int
    frames: Indices


def with_lingering(
    reference: TornMotion, carried: Motion, source: Motion, ground: Ground, contacts: ContactSpans
) -> tuple[TornMotion, ContactSpans]:
    """The reference with feet going on slowly beside their contacts, and the contacts with that time.

    Args:
        reference: Everything in contact is at one place; in other frames it is the carried motion.
        carried: The target's motion before contacts are held.
        source: The source's motion.
        contacts: Of the target's joints.
    """
    active = {carried.skeleton.index[name]: contact_frames(contacts, name, carried.times) for name in contacts.joints}
    for limb in ground.between.target.body.legs:
        found = list(_of_foot(limb, active, source, ground))
        if found:
            reference = _placed(reference, carried, source, ground, limb, found)
        for each in found:
            first, last = np.sort(carried.times[[each.edge, each.frames[-1]]])
            contacts = contacts.add(carried.skeleton.names[each.joint], float(first), float(last))
    return reference, contacts


def _of_foot(limb: Limb, active: dict[int, Mask], source: Motion, ground: Ground) -> Iterator[_Lingering]:
    """For every end of a foot's contacts, the joint that lingers longest of those that stand there."""
    joints = [joint for joint in foot_joints(limb) if joint in active]
    if not joints:
        return
    slow = {joint: _slow(source, ground, joint) for joint in joints}
    stands = runs(np.any([active[joint] for joint in joints], axis=0))
    gaps = pairwise([-1, *(frame for run in stands for frame in (run.start, run.stop - 1)), len(source)])
    for number, (before, after) in enumerate(gaps):
        if number % 2 == 0:
            between = np.arange(before + 1, after)
            yield from _in_gap(between, before, after, {joint: (active[joint], slow[joint]) for joint in joints})


def _in_gap(between: Indices, before: int, after: int, joints: dict[int, tuple[Mask, Mask]]) -> Iterator[_Lingering]:
    """Lingering after the contact that ends with frame `before` and before that which begins with `after`."""
    found = []
    for edge, outward in ((before, between), (after, between[::-1])):
        ways = [
            (int(np.argmin(np.append(slow[outward], False))), joint)
            for joint, (active, slow) in joints.items()
            if 0 <= edge < len(active) and active[edge]
        ]
        count, joint = max(ways, default=(0, -1))
        found.append((count, joint, edge, outward))
    both = sum(count for count, *_ in found)
    room = _MOST * len(between) if all(joint >= 0 for _, joint, *_ in found) else len(between)
    share = min(1.0, room / both) if both else 0.0
    for count, joint, edge, outward in found:
        if kept := int(count * share):
            yield _Lingering(joint, edge, outward[:kept])


def _slow(source: Motion, ground: Ground, joint: int) -> Mask:
    """(F,) frames in which the source's joint is no faster than one that stands may be."""
    places = source.poses.positions[:, ground.between.partners[joint]]
    half = min(max(1, round(_HALF_STEP * source.rate)), len(source) - 1)
    last = np.arange(len(source)) + half
    ends = np.clip(last, 0, len(source) - 1), np.clip(last - 2 * half, 0, len(source) - 1)
    ways = np.linalg.norm(places[ends[0]] - places[ends[1]], axis=1)
    height = ground.between.source.body.height or ground.measures[0].leg
    return np.asarray(ways < ContactOptions().slow * height * (source.times[ends[0]] - source.times[ends[1]]))


def _placed(
    reference: TornMotion, carried: Motion, source: Motion, ground: Ground, limb: Limb, found: list[_Lingering]
) -> TornMotion:
    """The reference with a foot going the source's ways from where it stands."""
    end, frames = foot_joints(limb)[0], np.concatenate([each.frames for each in found])
    edges = np.arange(len(carried))
    edges[frames] = np.concatenate([np.full(len(each.frames), each.edge) for each in found])
    stood, now = reference.poses, carried.poses
    joints = dict.fromkeys((end, *(each.joint for each in found)))
    away = {
        joint: quaternion.multiply(stood.rotations[edges, joint], quaternion.conjugate(now.rotations[edges, joint]))
        for joint in joints
    }
    places = {joint: np.array(stood.positions[:, joint]) for joint in joints}
    for each in found:
        arm = quaternion.rotate(away[end], now.positions[:, end] - now.positions[:, each.joint])
        places[each.joint][each.frames] = _places(each, stood.positions[each.edge, each.joint], source, ground)
        places[end][each.frames] = places[each.joint][each.frames] + arm[each.frames]
    turns = {joint: quaternion.multiply(away[joint], now.rotations[:, joint]) for joint in joints}
    return reference.with_joints(places, turns, frames)


def _places(each: _Lingering, spot: Array, source: Motion, ground: Ground) -> Array:
    """(N, 3) where a joint lingers: it stays in its spot, then goes as the source's; never below the floor."""
    scale, path = ground.scale[each.frames], source.poses.positions[:, ground.between.partners[each.joint]]
    steps = scale[:, None] * ground.turned(path[each.frames] - path[each.edge])
    away = np.linalg.norm(steps, axis=1)
    stays = _STAYS * ground.measures[0].leg * scale
    places = spot + steps * (np.maximum(away - stays, 0.0) / np.where(away > 0.0, away, 1.0))[:, None]
    floor = np.minimum(ground.level[each.frames], spot @ ground.up)
    return np.asarray(places + np.maximum(floor - places @ ground.up, 0.0)[:, None] * ground.up)

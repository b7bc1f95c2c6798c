"""Where feet stand and hands hold: one place for every contact, as near as can be to where they are.

Ankle and toes of a foot belong together. While both stand the foot has one orientation, so the place of
one follows from that of the other, and a foot that rolls from heel to toes hands over without a step. All
contacts of a foot that follow each other without a gap are a stance: the orientations give its shape, and
it is put where it moves the joints least; nearer to the body where the leg would not reach it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...motion import GlobalPoses
from ...numerics import Array, quaternion, runs
from ..whole_body.ground import Ground
from ..whole_body.held_limb import HeldLimb
from ..whole_body.limb_goal import flat_frames
from ..whole_body.reach import Reach, reach_of
from .windows import Mask, widened

# Frames in which the end of a limb has one orientation (4,).
_Flat = tuple[slice, Array]


@dataclass(frozen=True)
class Stillness:
    """Within what a foot counts as standing still.

    Attributes:
        way: Units along each axis.
        turn: Radians.
    """

    way: float
    turn: float


@dataclass(eq=False)
class _Contact:
    """A run of frames in which a joint stands at one place (3,)."""

    joint: int
    frames: slice
    place: Array
    linked: bool = False

    def touches(self, other: slice) -> bool:
        """Whether the two have frames in common."""
        return bool(self.frames.start < other.stop and other.start < self.frames.stop)


def lying_frames(limb: HeldLimb, active: Mapping[int, Mask]) -> Mask:
    """(F,) frames in which the end of a limb has one orientation, since its end and digits stand together.

    Where one takes over from the other between two frames, both of these count.

    Args:
        active: By joint, (F,) frames in contact.
    """
    nowhere = np.zeros_like(next(iter(active.values())))
    end = active[limb.end] if limb.holds_end else nowhere
    digits = np.any([nowhere, *(active[digit] for digit in limb.digits)], axis=0)
    together = end & digits
    lying: Mask = together | (flat_frames(limb, end, digits) & ~widened(together))
    return lying


def standing_poses(
    poses: GlobalPoses,
    limbs: Sequence[HeldLimb],
    active: Mapping[int, Mask],
    *,
    still: Stillness,
    up: Array | None,
    softness: float,
    anchors: Sequence[int] = (),
    ground: Ground | None = None,
) -> GlobalPoses:
    """Poses in which everything in contact stays at one place; the rest of the limbs is left where it is.

    The place is the median of where a joint is during its contact. Frames at its ends in which the joint
    moves already do not draw it along, and a joint that stands still stays where it is. Where a leg would be
    too short for it, the place gives way on the ground, as far as that saves more than it moves.

    Args:
        poses: Of the motion whose contacts slide.
        limbs: Whose ends and digits are in contact.
        active: By joint, (F,) frames in contact.
        still: Feet that move less stand still and are left as they are.
        up: (3,) away from the ground; places of legs do not give way if it is not known.
        softness: Part of a leg's length over which it slows down before full extension.
        anchors: Frames that must not change: what stands there, stands as it is there.
        ground: What nothing stands below.
    """
    positions, rotations = np.array(poses.positions.T).T, np.array(poses.rotations.T).T
    for limb in limbs:
        foot = _Foot(limb, poses, active, anchors)
        leg = _leg(limb, poses, up, softness)
        for contacts, flats in foot.stances():
            if leg is not None and not any(foot.anchor_of(each.frames) is not None for each in contacts):
                leg.draw_near(contacts)
            if ground is not None and not any(foot.anchor_of(each.frames) is not None for each in contacts):
                _raise_to(ground, contacts)
            if foot.stands_still(contacts, flats, still):
                continue
            for frames, orientation in flats:
                rotations[frames, limb.end] = orientation
            for contact in contacts:
                positions[contact.frames, contact.joint] = contact.place
    return replace(poses, positions=positions, rotations=rotations)


def _raise_to(ground: Ground, stance: list[_Contact]) -> None:
    """Move a stance up until no joint of it is below the ground."""
    need = max(float((ground.least[each.frames] - each.place @ ground.up).max()) for each in stance)
    for each in stance:
        each.place = each.place + max(need, 0.0) * ground.up


@dataclass(frozen=True, eq=False)
class _Leg:
    """Where a leg begins, where its end is, and how far it reaches."""

    joint: int
    hip: Array
    end: Array
    reach: Reach
    up: Array

    def draw_near(self, stance: list[_Contact]) -> None:
        """Move a stance towards where the foot is in the frame in which the body would have to go down most."""
        own = [each for each in stance if each.joint == self.joint]
        if not own:
            return
        needs = [self._needed(each, np.zeros((1, 3)))[0] for each in own]
        worst = int(np.argmax([need.max() for need in needs]))
        if needs[worst].max() <= 0.0:
            return
        way = self.end[own[worst].frames][int(np.argmax(needs[worst]))] - own[worst].place
        shifts = np.linspace(0.0, 1.0, 11)[:, None] * (way - (way @ self.up) * self.up)
        # What the root goes down by counts like what the feet are moved by, both squared: they share the work.
        deepest = np.max([self._needed(each, shifts).max(axis=1) for each in own], axis=0)
        best = shifts[int(np.argmin(deepest**2 + (shifts**2).sum(axis=1)))]
        for each in stance:
            each.place = each.place + best

    def _needed(self, contact: _Contact, shifts: Array) -> Array:
        """(N, F) how far the body has to go down in the frames of a contact whose place is shifted by (N, 3)."""
        hip, reach = self.hip[contact.frames], self.reach.part(contact.frames)
        return reach.lowering(hip, (contact.place + shifts)[:, None], self.up)


def _leg(limb: HeldLimb, poses: GlobalPoses, up: Array | None, softness: float) -> _Leg | None:
    if not limb.is_leg or limb.joints is None or up is None:
        return None
    hip, end = (poses.positions[:, joint] for joint in (limb.joints.upper, limb.end))
    return _Leg(limb.end, hip, end, reach_of(limb.joints, poses, poses, softness), up)


@dataclass(eq=False)
class _Foot:
    """The end of a limb with its digits: ankle and toes, or wrist and fingers."""

    limb: HeldLimb
    poses: GlobalPoses
    active: Mapping[int, Mask]
    anchors: Sequence[int]

    def anchor_of(self, frames: slice) -> int | None:
        """The frame among some that must not change."""
        return next((anchor for anchor in self.anchors if frames.start <= anchor < frames.stop), None)

    def stances(self) -> Iterator[tuple[list[_Contact], list[_Flat]]]:
        """Contacts that follow each other without a gap, with their places, and the orientations between them."""
        flats = [(run, self._orientation(run)) for run in runs(lying_frames(self.limb, self.active))]
        contacts = self._contacts()
        for stance in runs(np.any([self.active[joint] for joint in self._joints], axis=0)):
            inside = [each for each in contacts if each.touches(stance)]
            lying = [flat for flat in flats if stance.start <= flat[0].start < stance.stop]
            for flat in lying:
                self._link([each for each in inside if each.touches(flat[0])], flat)
            self._settle(inside)
            yield inside, lying

    def stands_still(self, contacts: list[_Contact], flats: list[_Flat], still: Stillness) -> bool:
        """Whether no joint is off its place or turned by more than what counts as still."""
        away = [np.abs(self.poses.positions[each.frames, each.joint] - each.place).max() for each in contacts]
        turns = [quaternion.angle_between(self.poses.rotations[run, self.limb.end], turn).max() for run, turn in flats]
        return bool(max(away) <= still.way and max(turns, default=0.0) <= still.turn)

    @property
    def _joints(self) -> tuple[int, ...]:
        return (*((self.limb.end,) if self.limb.holds_end else ()), *self.limb.digits)

    def _contacts(self) -> list[_Contact]:
        return [
            _Contact(joint, run, np.median(self.poses.positions[run, joint], axis=0))
            for joint in self._joints
            for run in runs(self.active[joint])
        ]

    def _orientation(self, frames: slice) -> Array:
        """(4,) mean orientation of the end, which turns little meanwhile."""
        anchor = self.anchor_of(frames)
        if anchor is not None:
            return np.asarray(self.poses.rotations[anchor, self.limb.end])
        turns = self.poses.rotations[frames, self.limb.end]
        return quaternion.normalize(quaternion.aligned(turns, turns[0]).sum(axis=0))

    def _link(self, contacts: list[_Contact], flat: _Flat) -> None:
        """Give contacts of one orientation places that fit together, beside those that are linked already."""
        ways = {each.joint: quaternion.rotate(flat[1], self._way_to(each.joint, flat[0])) for each in contacts}
        known = next((each for each in contacts if each.linked), contacts[0])
        end_place = known.place - ways[known.joint]
        for each in contacts:
            each.place, each.linked = end_place + ways[each.joint], True

    def _way_to(self, joint: int, flat: slice) -> Array:
        """(3,) from the limb's end to one of its joints, in the end's own axes."""
        anchor, end = self.anchor_of(flat), self.limb.end
        frame = (flat.start + flat.stop) // 2 if anchor is None else anchor
        way = self.poses.positions[frame, joint] - self.poses.positions[frame, end]
        return quaternion.rotate(quaternion.conjugate(self.poses.rotations[frame, end]), way)

    def _settle(self, contacts: list[_Contact]) -> None:
        """Move contacts that belong together to where their joints are most of the time, or where they must be."""
        away = [self.poses.positions[each.frames, each.joint] - each.place for each in contacts]
        shift = np.median(np.concatenate(away), axis=0)
        for each, ways in zip(contacts, away, strict=True):
            anchor = self.anchor_of(each.frames)
            if anchor is not None:
                shift = ways[anchor - each.frames.start]
        for each in contacts:
            each.place = each.place + shift

"""Where feet stand and hands hold: one place for every contact, as near as can be to where they are.

Ankle and toes of a foot belong together. While both stand the foot has one orientation, so the place of
one follows from that of the other, and a foot that rolls from heel to toes hands over without a step. All
contacts of a foot that follow each other without a gap are a stance: the orientations give its shape, and
it is put where it moves the joints least.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .. import quaternion
from ..global_poses import GlobalPoses
from ..quaternion import Array
from .held_limb import HeldLimb
from .hold_pose import flat_frames
from .windows import Mask, runs


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


def standing_poses(poses: GlobalPoses, limbs: Sequence[HeldLimb], active: Mapping[int, Mask]) -> GlobalPoses:
    """Poses in which everything in contact stays at one place; the rest of the limbs is left where it is.

    The place is the median of where a joint is during its contact. Frames at its ends in which the joint
    moves already do not draw it along, and a joint that stands still stays where it is.

    Args:
        poses: Of the motion whose contacts slide.
        limbs: Whose ends and digits are in contact.
        active: By joint, (F,) frames in contact.
    """
    positions, rotations = np.array(poses.positions.T).T, np.array(poses.rotations.T).T
    for limb in limbs:
        foot = _Foot(limb, poses, active)
        for flat in foot.flat:
            rotations[flat, limb.end] = _mean(poses.rotations[flat, limb.end])
        for contact in foot.contacts(rotations[:, limb.end]):
            positions[contact.frames, contact.joint] = contact.place
    return replace(poses, positions=positions, rotations=rotations)


@dataclass(eq=False)
class _Foot:
    """The end of a limb with its digits: ankle and toes, or wrist and fingers."""

    limb: HeldLimb
    poses: GlobalPoses
    active: Mapping[int, Mask]

    def __post_init__(self) -> None:
        nowhere = np.zeros(len(self.poses.positions), dtype=np.bool_)
        end = self.active[self.limb.end] if self.limb.holds_end else nowhere
        digits = np.any([nowhere, *(self.active[digit] for digit in self.limb.digits)], axis=0)
        self.stands: Mask = end | digits
        self.flat = runs(flat_frames(self.limb, end, digits))

    def contacts(self, orientations: Array) -> list[_Contact]:
        """All contacts with their places.

        Args:
            orientations: (F, 4) of the end; one for each run of frames in which it lies flat.
        """
        joints = (*((self.limb.end,) if self.limb.holds_end else ()), *self.limb.digits)
        found = [
            _Contact(joint, run, np.median(self.poses.positions[run, joint], axis=0))
            for joint in joints
            for run in runs(self.active[joint])
        ]
        for flat in self.flat:
            self._link([each for each in found if each.touches(flat)], flat, orientations[flat.start])
        for stance in runs(self.stands):
            self._settle([each for each in found if each.touches(stance)])
        return found

    def _link(self, contacts: list[_Contact], flat: slice, orientation: Array) -> None:
        """Give contacts of one orientation places that fit together, beside those that are linked already."""
        ways = {each.joint: quaternion.rotate(orientation, self._way_to(each.joint, flat)) for each in contacts}
        known = next((each for each in contacts if each.linked), contacts[0])
        end_place = known.place - ways[known.joint]
        for each in contacts:
            each.place, each.linked = end_place + ways[each.joint], True

    def _way_to(self, joint: int, flat: slice) -> Array:
        """(3,) from the limb's end to one of its joints, in the end's own axes."""
        middle, end = (flat.start + flat.stop) // 2, self.limb.end
        way = self.poses.positions[middle, joint] - self.poses.positions[middle, end]
        return quaternion.rotate(quaternion.conjugate(self.poses.rotations[middle, end]), way)

    def _settle(self, contacts: list[_Contact]) -> None:
        """Move contacts that belong together to where their joints are most of the time."""
        away = [self.poses.positions[each.frames, each.joint] - each.place for each in contacts]
        shift = np.median(np.concatenate(away), axis=0)
        for each in contacts:
            each.place = each.place + shift


def _mean(orientations: Array) -> Array:
    """(4,) mean of orientations (N, 4) that are near to each other."""
    return quaternion.normalize(quaternion.aligned(orientations, orientations[0]).sum(axis=0))

"""Where feet stand and hands hold on the target: one place and one orientation for every contact.

The places are those of the carried motion, averaged over each contact, so that limbs change least. What
comes out is a reference in which all contacts are right, for `hold_contacts`: limbs there are torn off.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...analysis.contacts import ContactSpans
from ...body import Limb
from ...motion import Motion
from ...numerics import Array, quaternion, runs
from ...solve.contact_lock import Mask, contact_frames
from ..ground import Ground
from ..proportions.standing_pose import StandingPose
from .torn_poses import TornMotion

# A foot that is tilted by less, in radians, stands on its sole.
_FLAT = 0.5
# A frame, and the place (3,) of a joint in it.
_Spot = tuple[int, Array]


def planted(carried: Motion, source: Motion, ground: Ground, contacts: ContactSpans) -> TornMotion:
    """A reference in which everything in contact stays at one place.

    Args:
        carried: The target's motion before contacts are held.
        source: The source's motion.
        contacts: Of the target's joints.
    """
    reference, index = TornMotion.of(carried), carried.skeleton.index
    active = {
        index[name]: contact_frames(contacts, name, carried.times) for name in contacts.joints if contacts.of(name)
    }
    for limb in ground.between.target.body.limbs:
        if limb.end is None:
            continue
        digits = [joint for digit in limb.digits for joint in digit if joint in active]
        if limb.kind.is_leg and (limb.end in active or digits):
            reference = _Foot(limb, digits, carried, source, ground, active).placed(reference)
        elif limb.end in active:
            reference = _with_hand_held(reference, source, ground, limb.end, active[limb.end])
    return reference


def _with_hand_held(reference: TornMotion, source: Motion, ground: Ground, hand: int, active: Mask) -> TornMotion:
    """A hand stays where the source's holds, seen from the scaled path."""
    partner = ground.between.partners[hand]
    root = reference.poses.positions[:, int(ground.between.target.body.require("root"))]
    wanted = ground.near_root(source, root, partner)
    for run in runs(active):
        wanted[run] = wanted[run].mean(axis=0)
    return reference.with_joints({hand: wanted}, {}, active)


@dataclass(eq=False)
class _Foot:
    """A foot whose ankle and toes come down and leave again; `digits` are those that are looked at."""

    limb: Limb
    digits: list[int]
    carried: Motion
    source: Motion
    ground: Ground
    active: dict[int, Mask]

    def placed(self, reference: TornMotion) -> TornMotion:
        """The reference with the foot standing still in each of its contacts."""
        place, orientation, stands = self._stances()
        positions, rotations = self.carried.poses.positions, self.carried.poses.rotations
        turn = quaternion.multiply(orientation, quaternion.conjugate(rotations[:, self.end]))
        places, turns = {self.end: place}, {self.end: orientation}
        for digit in self.digits:
            places[digit] = place + quaternion.rotate(turn, positions[:, digit] - positions[:, self.end])
            turns[digit] = quaternion.multiply(turn, rotations[:, digit])
            for run in runs(self.active[digit]):
                turns[digit][run] = _flattened(quaternion.mean(rotations[run, digit]), self.pose, digit)
        return reference.with_joints(places, turns, stands)

    @property
    def end(self) -> int:
        """The ankle."""
        assert self.limb.end is not None
        return self.limb.end

    @property
    def pose(self) -> StandingPose:
        """How the target stands."""
        return self.ground.between.target

    def _stances(self) -> tuple[Array, Array, Mask]:
        """(F, 3) places and (F, 4) orientations of the foot while it stands, and when it does.

        In time order: an ankle that comes down over standing toes leaves them where they are, and
        toes that come down below a standing ankle are where its sole has them.
        """
        frames = len(self.carried)
        place, orientation = np.zeros((frames, 3)), quaternion.identity(frames)
        stands = np.zeros(frames, dtype=np.bool_)
        nothing = stands.copy()
        ankle = self.active.get(self.end, nothing)
        toes = np.any([nothing, *(self.active[digit] for digit in self.digits)], axis=0)
        toe_runs, toe_spots = runs(toes), dict[int, _Spot]()
        for run in runs(ankle):
            touching = [number for number, other in enumerate(toe_runs) if _overlap(run, other)]
            turn = self._orientation(run, toes)
            known = next((number for number in touching if number in toe_spots), None)
            if known is None:
                spot = _middle(run), self._sole_spot(run, turn)
            else:
                met = _meeting(toe_runs[known], run)
                spot = met, self._grown(self.digits[0], toe_spots[known], met) - self._to_toe(met, turn)
            place[run], orientation[run], stands[run] = self._grown(self.end, spot, run), turn, True
            for number in touching:
                left = _parting(run, toe_runs[number])
                toe_spots.setdefault(number, (left, place[left] + self._to_toe(left, turn)))
        for number, run in enumerate(toe_runs):
            self._fill_toe_run(run, toe_spots.get(number), place, orientation, stands)
        return place, orientation, stands

    def _grown(self, joint: int, spot: _Spot, frames: Any) -> Array:
        """(..., 3) a joint's place in some frames: it rises over the floor while the character grows."""
        heights = self.ground.level + self._standing_height(self.pose, joint, self.limb) * self.ground.size
        return np.asarray(spot[1] + (heights[frames] - heights[spot[0]])[..., None] * self.ground.up)

    def _fill_toe_run(self, run: slice, spot: _Spot | None, place: Array, orientation: Array, stands: Mask) -> None:
        """Frames in which toes stand alone: the foot turns about them, nearest to how it stands whole."""
        inside = np.arange(run.start, run.stop)
        around = np.arange(max(run.start - 1, 0), min(run.stop + 1, len(stands)))
        whole = around[stands[around]]
        alone = inside[~stands[inside]]
        if not len(alone):
            return
        if len(whole):
            nearest = whole[np.abs(alone[:, None] - whole).argmin(axis=1)]
            orientation[alone] = orientation[nearest]
        else:
            orientation[alone] = quaternion.mean(self.carried.poses.rotations[run, self.end])
        toe = self.digits[0]
        spot = (_middle(run), self._spot(toe, run)) if spot is None else spot
        place[alone] = self._grown(toe, spot, alone) - self._way_to(toe, alone, orientation[alone])
        stands[alone] = True

    def _to_toe(self, frame: int, turn: Array) -> Array:
        """(3,) from ankle to the first toe in a frame, of a foot with this orientation."""
        return self._way_to(self.digits[0], frame, turn)

    def _way_to(self, digit: int, frames: Any, turn: Array) -> Array:
        """(..., 3) from ankle to a toe in some frames, of a foot with this orientation (..., 4)."""
        positions, rotations = self.carried.poses.positions, self.carried.poses.rotations
        way = positions[frames, digit] - positions[frames, self.end]
        return quaternion.rotate(turn, quaternion.rotate(quaternion.conjugate(rotations[frames, self.end]), way))

    def _orientation(self, run: slice, toes: Mask) -> Array:
        """(4,) orientation of the foot while its ankle stands."""
        both = np.zeros(len(toes), dtype=np.bool_)
        both[run] = toes[run] if toes[run].any() else True
        mean = quaternion.mean(self.carried.poses.rotations[both, self.end])
        return _flattened(mean, self.pose, self.end)

    def _spot(self, joint: int, run: slice) -> Array:
        """(3,) where a joint stands: its mean place, as high over the floor as the source's does.

        Captured floors are uneven, and people step on things.
        """
        up, ground = self.ground.up, self.ground
        mean = self.carried.poses.positions[run, joint].mean(axis=0)
        middle = _middle(run)
        own = self._standing_height(self.pose, joint, self.limb) * ground.size[middle]
        height = ground.level[middle] + own + ground.scale[middle] * max(self._raised(joint, run), 0.0)
        return np.asarray(mean + (height - mean @ up) * up)

    def _sole_spot(self, run: slice, turn: Array) -> Array:
        """(3,) where the ankle stands, with no toe of the foot so turned below the floor."""
        spot = self._spot(self.end, run)
        toes = [spot + self._way_to(digit, _middle(run), turn) for digit in self.digits]
        lowest = min(float(place @ self.ground.up) for place in (spot, *toes))
        return spot + max(float(self.ground.level[_middle(run)]) - lowest, 0.0) * self.ground.up

    def _raised(self, joint: int, run: slice) -> float:
        """How far the source's joint is above its height on the floor."""
        source, partner = self.ground.between.source, self.ground.between.partners[joint]
        height = np.median(self.source.poses.positions[run, partner] @ source.up) - self.ground.source_floor
        limb = next((limb for limb in source.body.legs if partner in limb.joints), None)
        return float(height - (self._standing_height(source, partner, limb) if limb else 0.0))

    @staticmethod
    def _standing_height(pose: StandingPose, joint: int, limb: Limb) -> float:
        """Height of a joint over the lowest one of its foot."""
        joints = [
            each for each in limb.joints if each == limb.end or each in {d for digit in limb.digits for d in digit}
        ]
        return float(pose.places[joint] @ pose.up) - pose.level_of(joints or [joint])


def _middle(run: slice) -> int:
    return int((run.start + run.stop) // 2)


def _meeting(first: slice, second: slice) -> int:
    """The frame in which what stands second comes down: feet may grow while they stand."""
    return int(max(first.start, second.start))


def _parting(first: slice, second: slice) -> int:
    """The frame in which what stood first leaves, or the other does."""
    return int(max(min(first.stop, second.stop) - 1, first.start))


def _overlap(one: slice, other: slice) -> bool:
    """They share frames, or one begins where the other ends: the foot rolls over without leaving the floor."""
    return bool(one.start <= other.stop and other.start <= one.stop)


def _flattened(orientation: Array, pose: StandingPose, joint: int) -> Array:
    """An orientation laid flat on the floor, if it nearly is."""
    turn = quaternion.multiply(orientation, quaternion.conjugate(pose.turns[joint]))
    about = float(turn[1:] @ pose.up)
    level = np.array([turn[0], *(about * pose.up)])
    if not pose.at_rest or float(np.linalg.norm(level)) < np.cos(0.5 * _FLAT):
        return orientation
    return quaternion.multiply(quaternion.normalize(level), pose.turns[joint])

"""How high the floor is under each foot at each time, told from where the feet stand.

Captured floors are uneven: they slope by some hundredths of the body's height from one end of a walk to the other,
and people step on things. So a foot is compared with where it stands before and after, and never with a single level.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..analysis.contacts import ContactSpans
from ..motion import Motion
from ..numerics import Array
from ..solve.contact_lock import frames_of

# Body heights by which a stance must at most be lower than those around it to be too low: more is a step down.
_STEP = 0.12


@dataclass(frozen=True, eq=False)
class _Stance:
    """A contact of one joint: its frames, and the height of the joint in each of them."""

    joint: int
    frames: slice
    heights: Array

    @property
    def level(self) -> float:
        """Height at which the joint stands."""
        return float(np.median(self.heights))

    @property
    def levels(self) -> Array:
        """(N,) heights that the joint is above both before and after each frame."""
        before, after = np.maximum.accumulate(self.heights), np.maximum.accumulate(self.heights[::-1])[::-1]
        return np.minimum(before, after)


def standing_levels(
    motion: Motion, joints: list[int], contacts: ContactSpans, up: Array, height: float
) -> dict[int, Array]:
    """By joint, (F,) heights along the up direction below which it is under the floor.

    While a joint stands it is on the floor, unless it goes down and comes up again meanwhile, or stands lower than
    it and those like it do before and after: then it has sunk. Between two stances it may go down to the lower one
    of them. Before its first and after its last stance nothing is known, and the height is minus infinity.

    Args:
        joints: Joints of the same kind, such as the ankles of all legs.
        contacts: Of these joints.
        up: (3,) unit vector away from the ground.
        height: Of the body, in units of the scene.
    """
    stances = {joint: _stances(motion, joint, contacts, up) for joint in joints}
    every = sorted((each for own in stances.values() for each in own), key=lambda each: each.frames.start)
    return {joint: _levels(own, every, len(motion), _STEP * height) for joint, own in stances.items()}


def _stances(motion: Motion, joint: int, contacts: ContactSpans, up: Array) -> list[_Stance]:
    spans = [frames_of(span, motion.times) for span in contacts.of(motion.skeleton.names[joint])]
    heights = motion.poses.positions[:, joint] @ up
    return [_Stance(joint, frames, heights[frames]) for frames in spans if frames.stop > frames.start]


def _levels(own: list[_Stance], every: list[_Stance], frames: int, step: float) -> Array:
    levels = np.full(frames, -np.inf)
    floors = [_floor_under(place, own, every, step) for place in range(len(own))]
    for (before, after), around in zip(pairwise(own), pairwise(floors), strict=True):
        levels[before.frames.stop : after.frames.start] = min(around)
    for stance, floor in zip(own, floors, strict=True):
        levels[stance.frames] = np.maximum(stance.levels, floor) if floor > stance.level else stance.levels
    return levels


def _floor_under(place: int, own: list[_Stance], every: list[_Stance], step: float) -> float:
    """Height of the floor under a stance: its own, or that of the lowest around it if it has sunk."""
    stance, beside = own[place], [*own[max(place - 1, 0) : place], *own[place + 1 : place + 2]]
    lowest = min((each.level for each in (*beside, *_neighbours(stance, every))), default=-np.inf)
    has_sunk = len(beside) == 2 and stance.level < lowest < stance.level + step
    return lowest if has_sunk else stance.level


def _neighbours(stance: _Stance, every: list[_Stance]) -> list[_Stance]:
    """The stances, of whatever joint, that end last before one and begin first after it."""
    before = [each for each in every if each.frames.stop <= stance.frames.start]
    after = [each for each in every if each.frames.start >= stance.frames.stop]
    return [*sorted(before, key=lambda each: each.frames.stop)[-1:], *after[:1]]

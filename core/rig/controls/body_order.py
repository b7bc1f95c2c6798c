"""How the controls of a rig come one after another down the body that they move."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...body import Body
from ...motion import Indices, Mask, Motion, Skeleton
from .control_roles import find_carriers_above
from .responses import Responses

# How much a joint has to turn with a control that stands for it.
_STANDS_FOR = 0.5


@dataclass(frozen=True, eq=False)
class BodyOrder:
    """Which part of a figure each bone of its rig stands for: controls follow each other as these parts do.

    Attributes:
        joints: (J,) joint of the figure for every bone of the rig; 0, the object, for what carries the whole body.
        controls: (J,) bones that an animator moves.
        figure: Skeleton of the figure.
        parents: (J,) the bone that each bone of the rig hangs on.
        root: Joint of the figure that carries the others.
    """

    joints: Indices
    controls: Mask
    figure: Skeleton
    parents: Indices
    root: int

    def depths_below(self, bone: int) -> Indices:
        """(J,) steps down the body from where a bone stands; 0 for what is not below it, and for all but controls."""
        start = int(self.joints[bone])
        below = self._above[start, self.joints] & self.controls
        return np.where(below, self._levels[self.joints] - self._levels[start], 0)

    def chain_depths(self, chosen: Mask) -> Indices:
        """(J,) how many chosen controls lie above each chosen control, one below the other; 0 for all others."""
        depths = np.zeros(len(self.joints), dtype=np.intp)
        bones = np.flatnonzero(chosen & self.controls)
        bones = bones[np.lexsort((self._bone_levels[bones], self._levels[self.joints[bones]]))]
        for place, bone in enumerate(bones.tolist()):
            above = [int(depths[other]) + 1 for other in bones[:place].tolist() if self._is_above(other, bone)]
            depths[bone] = max(above, default=0)
        return depths

    @property
    def in_place(self) -> Mask:
        """(J,) controls that do not carry the whole body."""
        carried: Mask = self.controls & (self.joints > 0) & (self.joints != self.root)
        return carried

    def moving(self, joints: Iterable[int]) -> Mask:
        """(J,) controls that stand for some joints of the figure."""
        found: Mask = self.controls & np.isin(self.joints, list(joints))
        return found

    def _is_above(self, bone: int, other: int) -> bool:
        """Whether a control leads another: higher up on the body, or the same part hangs on it."""
        here, there = int(self.joints[bone]), int(self.joints[other])
        return bool(self._above[here, there]) or (here == there and bone in _line(self.parents, other))

    @cached_property
    def _levels(self) -> Indices:
        """(K,) steps down to each joint of the figure."""
        return _count_steps(self.figure.parents)

    @cached_property
    def _bone_levels(self) -> Indices:
        return _count_steps(self.parents)

    @cached_property
    def _above(self) -> Mask:
        """(K, K) whether the first joint lies above the second."""
        above = np.zeros((len(self.figure), len(self.figure)), dtype=np.bool_)
        for joint in range(len(self.figure)):
            above[_line(self.figure.parents, joint), joint] = True
        return above


def find_order(
    skeleton: Skeleton, bones: Indices, body: Body, usable: Mask, places: Indices, found: Responses
) -> BodyOrder:
    """Find the part of the figure that each bone of a rig stands for.

    Args:
        skeleton: Of the whole rig.
        bones: (K,) the figure's bones in it, the object first.
        body: Of the figure.
        usable: (J,) the controls.
        places: (J,) joint of the figure that begins where a bone does at rest; -1 for none.
        found: How the figure answers to controls that act.
    """
    order = BodyOrder(np.full(len(skeleton), -1), usable, body.skeleton, skeleton.parents, body.root or 0)
    joints = order.joints
    joints[usable] = places[usable]
    for row, control in enumerate(found.controls):
        answer = _answering(order, found, row)
        # What no joint goes along with brings knees and elbows round, or is for the last touch.
        joints[control] = answer if answer > 0 else joints[control]
        if joints[control] < 0:
            joints[control] = _first(order, found.moved[row] | found.swung[row])
    joints[sorted(find_carriers_above(found, body))] = 0
    joints[bones] = np.arange(len(bones))
    return _filled(order)


def _answering(order: BodyOrder, found: Responses, row: int) -> int:
    """The first joint down the body that turns or goes along with a control; -1 if none does."""
    return _first(order, (found.gains[row] > _STANDS_FOR) | found.moved_with[row])


def _first(order: BodyOrder, answers: Mask) -> int:
    """The first joint down the body of those that are marked, counted from the figure's first bone."""
    joints = np.flatnonzero(answers) + 1
    return int(joints[np.argmin(order._levels[joints])]) if len(joints) else -1


def _filled(order: BodyOrder) -> BodyOrder:
    """An order in which bones that stand for nothing go with what they hang on."""
    for bone in np.argsort(order._bone_levels, kind="stable").tolist():
        if order.joints[bone] < 0:
            order.joints[bone] = order.joints[max(int(order.parents[bone]), 0)]
    return order


def animated_joints(motion: Motion) -> Mask:
    """(J,) joints whose own channels change."""
    channels = (motion.rotations, motion.locations, motion.scales)
    changes: Mask = np.any([(values != values[:1]).any(axis=(0, 2)) for values in channels], axis=0)
    return changes


def _line(parents: Indices, joint: int) -> list[int]:
    """All above a joint, the nearest first."""
    line = []
    while (joint := int(parents[joint])) >= 0:
        line.append(joint)
    return line


def _count_steps(parents: Indices) -> Indices:
    return np.array([len(_line(parents, joint)) for joint in range(len(parents))], dtype=np.intp)

"""A plain figure's motion laid on the controls of a rig."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import bpy
import numpy as np
from mathutils import Quaternion

from ....core.motion import Motion
from ....core.numerics import quaternion
from ...border.armature import rest_head, rest_orientation
from .controls import Control, free_pose
from .mechanism import Mechanism

if TYPE_CHECKING:
    from ....core.motion import Skeleton
    from ...border.steps import Steps
    from ..target import Target

# The bone that carries a whole rig; its scale is the rig's size.
_ROOT = "root"
# Every so many frames one is looked at in Blender.
_LOOKED_AT = 24
# Radians by which a control may be turned otherwise than its joint.
_EXACT = 2e-4
# How often all frames are corrected where a rig moves in ways of its own.
_ROUNDS = 8


def laid_on_controls(target: Target, motion: Motion, skeleton: Skeleton, controls: Sequence[Control]) -> Steps[Motion]:
    """The motion of the whole rig that shows the figure's motion; yields the share done.

    The rig is posed meanwhile and is as before in the end, also if the generator is closed early.

    Args:
        target: The rig, seen as a plain figure.
        motion: Of the figure.
        skeleton: Of the whole rig.
        controls: See `controls_of`.
    """
    with free_pose(target.armature):
        bpy.context.view_layer.update()
        laying = Laying(target, motion, list(controls))
        yield from laying.corrected()
    return laying.motion_of(skeleton)


@dataclass(frozen=True, eq=False)
class _Figure:
    """Where the joints of a figure are, in the axes and units of its object and at its own size."""

    target: Target
    motion: Motion

    @cached_property
    def sizes(self) -> np.ndarray:
        """(F,) the figure's size over its own."""
        root = self.target.body.require("root")
        return self.motion.scales[:, [root, *self.motion.skeleton.ancestors(root)], 0].prod(axis=1)

    @cached_property
    def turned(self) -> np.ndarray:
        """(F, J, 4) turns away from rest."""
        back = quaternion.conjugate(self.target.stage.rotation)
        rest = quaternion.multiply(back, self.target.skeleton.rest_rotations)
        turns = quaternion.multiply(back, self.motion.poses.rotations)
        return quaternion.normalize(quaternion.multiply(turns, quaternion.conjugate(rest)))

    @cached_property
    def places(self) -> np.ndarray:
        """(F, J, 3)."""
        return self._own(self.motion.poses.positions) / self.sizes[:, None, None]

    @cached_property
    def rest(self) -> np.ndarray:
        """(J, 3) places at rest."""
        return self._own(self.target.skeleton.rest_positions)

    def _own(self, places: np.ndarray) -> np.ndarray:
        stage = self.target.stage
        return quaternion.rotate(quaternion.conjugate(stage.rotation), places - stage.place) / stage.scale


class Laying:
    """Channels of controls that show a figure's motion.

    Attributes:
        wanted: (F, 4) orientation by control.
        ways: (F, 3) location channel by control; all but those that carry the body stay in place.
    """

    def __init__(self, target: Target, motion: Motion, controls: list[Control]) -> None:
        """Work out all channels at once."""
        self._armature, self._motion, self._controls = target.armature, motion, controls
        self._figure = figure = _Figure(target, motion)
        self._bones = target.armature.pose.bones
        self.wanted = {control.name: self._orientation(control) for control in controls}
        turned = {target.skeleton.names[each.joint]: figure.turned[:, each.joint] for each in controls}
        mechanism = Mechanism(target.armature, self.wanted, turned)
        self._starts = {control.name: mechanism.start_of(control.name) for control in controls}
        self.ways = {control.name: self._way(control) for control in controls if control.carries is not None}

    @property
    def turns(self) -> dict[str, np.ndarray]:
        """(F, 4) of each control's own channels."""
        starts = self._starts
        return {name: quaternion.multiply(quaternion.conjugate(starts[name]), own) for name, own in self.wanted.items()}

    def _orientation(self, control: Control) -> np.ndarray:
        """(F, 4) that a control is to have."""
        figure, turned = self._figure, self._figure.turned[:, control.joint]
        if control.aims is not None:
            own = quaternion.rotate(turned, figure.rest[control.aims] - figure.rest[control.joint])
            goal = figure.places[:, control.aims] - figure.places[:, control.joint]
            turned = quaternion.multiply(_shortest_turns(own, goal), turned)
        return quaternion.multiply(turned, rest_orientation(self._bones[control.name]))

    def _way(self, control: Control) -> np.ndarray:
        """(F, 3) channel that brings a joint to its place, on a rig whose root stays."""
        figure, head = self._figure, rest_head(self._bones[control.name])
        reach = quaternion.rotate(figure.turned[:, control.joint], head - figure.rest[control.carries])
        away = figure.places[:, control.carries] + reach - head
        return quaternion.rotate(quaternion.conjugate(rest_orientation(self._bones[control.name])), away)

    def corrected(self) -> Steps[None]:
        """Look at some frames in Blender; where the rig moves in ways of its own, correct all of them."""
        frames = len(self._motion)
        some = sorted({*range(0, frames, _LOOKED_AT), frames - 1})
        if (yield from self._seen(some)) <= _EXACT:
            return
        for _round in range(_ROUNDS):
            if (yield from self._seen(range(frames))) <= _EXACT:
                return

    def _seen(self, frames: Sequence[int]) -> Steps[float]:
        """Pose the rig in some frames, see what controls hang on, and tell the largest error that there was."""
        turns, worst = self.turns, 0.0
        starts = {name: np.array(start) for name, start in self._starts.items()}
        for done, frame in enumerate(frames):
            self._pose(turns, frame)
            bpy.context.view_layer.update()
            for name, own in turns.items():
                shown = quaternion.normalize(np.array(self._bones[name].matrix.to_quaternion()))
                worst = max(worst, float(quaternion.angle_between(shown, self.wanted[name][frame])))
                starts[name][frame] = quaternion.multiply(shown, quaternion.conjugate(own[frame]))
            yield (done + 1) / len(frames)
        self._starts = starts
        return worst

    def _pose(self, turns: dict[str, np.ndarray], frame: int) -> None:
        if _ROOT in self._bones:
            self._bones[_ROOT].scale = [self._figure.sizes[frame]] * 3
        for name, own in turns.items():
            matrix = Quaternion(own[frame]).to_matrix().to_4x4()
            if name in self.ways:
                matrix.translation = self.ways[name][frame]
            self._bones[name].matrix_basis = matrix

    def motion_of(self, skeleton: Skeleton) -> Motion:
        """Of the whole rig."""
        frames = len(self._motion)
        rotations, locations = quaternion.identity(frames, len(skeleton)), np.zeros((frames, len(skeleton), 3))
        scales = np.ones((frames, len(skeleton), 3))
        for name, own in self.turns.items():
            rotations[:, skeleton.index[name]] = own
        for name, way in self.ways.items():
            locations[:, skeleton.index[name]] = way
        if _ROOT in skeleton.index:
            scales[:, skeleton.index[_ROOT]] = self._figure.sizes[:, None]
        rate, times = self._motion.rate, self._motion.times
        return Motion.build(skeleton, rotations, rate=rate, times=times, locations=locations, scales=scales)


def _shortest_turns(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """(F, 4) turns by the shortest ways between (F, 3) directions that are not opposite."""
    one, other = (ways / np.linalg.norm(ways, axis=1, keepdims=True) for ways in (starts, ends))
    cosines = np.einsum("fa,fa->f", one, other)
    return quaternion.normalize(np.concatenate([1.0 + cosines[:, None], np.cross(one, other)], axis=1))

"""Control rigs: constraints are about the figure that is seen, and what comes of them is laid on the controls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError
from ...core.numerics import quaternion
from ..border.action_io import Clip
from ..document.take.clip_take import ClipTake

if TYPE_CHECKING:
    from ...core.motion import Motion

# Channels of the figure that differ by less have not changed.
_SAME = 1e-7
# How exactly controls are found, in radians and parts of the rig's size: what turns and goes by less was not asked to.
_TURNED, _MOVED = 4e-4, 4e-5
# Part of the rig's size within which a control and the bone that it places begin at the same place.
_SAME_PLACE = 0.01


@dataclass(frozen=True)
class FigureClip(Clip):
    """A clip of a control rig whose motion is that of the figure.

    Attributes:
        keyed: The clip as its keys have it.
        take: What is known about it.
    """

    keyed: Clip
    take: ClipTake

    def as_keyed(self, motion: Motion) -> Motion:
        """Channels of the rig for an edit of all or some frames; those that nothing changes stay bit for bit."""
        rows = np.rint(np.interp(motion.times, self.motion.times, np.arange(len(self.frames)))).astype(np.intp)
        channels = replace(self.keyed.motion.rows(rows), times=motion.times)
        changed = np.flatnonzero(_differ(self.motion.rows(rows), motion))
        if not len(changed):
            return channels
        before = channels.rows(changed)
        laid = self.take.laid(before, motion.rows(changed))
        joints = np.flatnonzero(self._moved(before, laid))
        rotations, locations = np.array(channels.rotations), np.array(channels.locations)
        rotations[np.ix_(changed, joints)] = laid.rotations[:, joints]
        locations[np.ix_(changed, joints)] = laid.locations[:, joints]
        return replace(channels, rotations=rotations, locations=locations)

    def _moved(self, before: Motion, after: Motion) -> np.ndarray:
        """(J,) bones of the rig that move in another way, and not only because of rounding."""
        turned = quaternion.angle_between(before.rotations, after.rotations).max(axis=0) > _TURNED
        moved = np.abs(before.locations - after.locations).max(axis=(0, 2)) > _MOVED * _size_of(self)
        found: np.ndarray = turned | moved
        return found


def as_figure(clip: Clip) -> Clip:
    """A clip of the figure that controls move; the clip itself where there is none, or it is not known how."""
    take = ClipTake(clip)
    return FigureClip(**{**vars(clip), "motion": take.shown.motion}, keyed=clip, take=take) if take.is_shown else clip


def bone_in(clip: Clip, bone: str) -> str:
    """The bone of a clip's motion that a bone of its armature stands for: of a control the one that it moves.

    Raises:
        MotionEditError: It moves none.
    """
    found = shown_bone(clip, bone)
    if bone and not found:
        raise MotionEditError(f"'{bone}' moves no joint of trunk, limbs or head: choose a control that does")
    return found


def shown_bone(clip: Clip, bone: str) -> str:
    """The same; empty if it moves none."""
    if not isinstance(clip, FigureClip) or bone not in clip.keyed.motion.skeleton.index:
        return bone
    return clip.take.bone_moved(bone)


def point_in(clip: Clip, bone: str, *, tail: bool = False) -> np.ndarray:
    """(3,) where a bone of the armature begins or ends, in the axes of the bone of the clip that it stands for."""
    skeleton = clip.motion.skeleton
    joint = skeleton.index[bone_in(clip, bone)]
    if not isinstance(clip, FigureClip):
        return skeleton.tips[joint] if tail else np.zeros(3)
    rig = clip.keyed.motion.skeleton
    own = rig.index[bone]
    end = quaternion.rotate(rig.rest_rotations[own], rig.tips[own]) if tail else np.zeros(3)
    away = rig.rest_positions[own] + end - skeleton.rest_positions[joint]
    is_there = not tail and np.linalg.norm(away) < _SAME_PLACE * _size_of(clip)
    return np.zeros(3) if is_there else quaternion.rotate(quaternion.conjugate(skeleton.rest_rotations[joint]), away)


def turn_in(clip: Clip, bone: str) -> np.ndarray:
    """(4,) how the axes of a bone of the armature lie in those of the bone of the clip that it stands for."""
    if not isinstance(clip, FigureClip):
        return quaternion.IDENTITY
    skeleton, rig = clip.motion.skeleton, clip.keyed.motion.skeleton
    joint, own = skeleton.index[bone_in(clip, bone)], rig.index[bone]
    return quaternion.multiply(quaternion.conjugate(skeleton.rest_rotations[joint]), rig.rest_rotations[own])


def _size_of(clip: FigureClip) -> float:
    return float(np.ptp(clip.motion.skeleton.rest_positions, axis=0).max())


def _differ(one: Motion, other: Motion) -> np.ndarray:
    """(F,) frames in which two motions differ."""
    away = [np.abs(getattr(one, name) - getattr(other, name)).max(axis=(1, 2)) for name in ("rotations", "locations")]
    found: np.ndarray = np.maximum(*away) > _SAME
    return found

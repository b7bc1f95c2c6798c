"""Control rigs: constraints are about the figure that is seen, and what comes of them is laid on the controls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError
from ..border.action_io import Clip
from ..document.take.clip_take import ClipTake

if TYPE_CHECKING:
    from ...core.motion import Motion

# Channels of the figure that differ by less have not changed.
_SAME = 1e-7


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
        """Channels of the rig for an edit of all or some frames; those in which nothing changes stay bit for bit."""
        rows = np.rint(np.interp(motion.times, self.motion.times, np.arange(len(self.frames)))).astype(np.intp)
        channels = replace(self.keyed.motion.rows(rows), times=motion.times)
        changed = np.flatnonzero(_differ(self.motion.rows(rows), motion))
        if not len(changed):
            return channels
        laid = self.take.laid(channels.rows(changed), motion.rows(changed))
        arrays = {name: np.array(getattr(channels, name)) for name in ("rotations", "locations")}
        for name, values in arrays.items():
            values[changed] = getattr(laid, name)
        return replace(channels, **arrays)


def as_figure(clip: Clip) -> Clip:
    """A clip of the figure that controls move; the clip itself where there is none, or it is not known how."""
    take = ClipTake(clip)
    return FigureClip(**{**vars(clip), "motion": take.shown.motion}, keyed=clip, take=take) if take.is_shown else clip


def bone_in(clip: Clip, bone: str) -> str:
    """The bone of a clip's motion that a bone of its armature stands for: of a control the one that it moves.

    Raises:
        MotionEditError: It moves none.
    """
    if not isinstance(clip, FigureClip) or bone not in clip.keyed.motion.skeleton.index:
        return bone
    found = clip.take.bone_moved(bone)
    if bone and not found:
        raise MotionEditError(f"'{bone}' moves no joint of trunk, limbs or head: choose a control that does")
    return found


def _differ(one: Motion, other: Motion) -> np.ndarray:
    """(F,) frames in which two motions differ."""
    away = [np.abs(getattr(one, name) - getattr(other, name)).max(axis=(1, 2)) for name in ("rotations", "locations")]
    return np.maximum(*away) > _SAME

"""Clips as they are seen: characters that something carries are edited where they are in the scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ...border.action_io import Clip
from ...border.armature import is_carried, why_bones_move, why_sampled
from ...border.steps import finish
from ...document import scope
from ...document.scene.carried_space import Carried, placed, with_object
from ...document.scene.targets import matrices_at
from ...document.take.clip_take import ClipTake
from ..figure_clip import FigureClip, as_figure

if TYPE_CHECKING:
    from bpy.types import Object

    from ....core.motion import Motion
    from ...border.steps import Steps

# Cosine of the angle between two axes of an object from which on it is sheared.
_SHEARED = 1e-4


@dataclass(frozen=True)
class SeenClip(Clip):
    """A clip whose motion has the object where Blender shows it.

    Attributes:
        keyed: The clip as its keys have it.
        carried: Leads from the one to the other.
    """

    keyed: Clip
    carried: Carried

    def as_keyed(self, motion: Motion) -> Motion:
        """An edit of all or some frames with the object's own channels."""
        return self.carried.as_keyed(motion)


def as_seen(clip: Clip) -> Steps[Clip]:
    """A clip in the scene, of a control rig its figure; the clip itself where its keys alone say where it is.

    Raises:
        MotionEditError: The object is sheared or mirrored.
    """
    armature, shown = clip.armature, as_figure(clip)
    if isinstance(shown, FigureClip):
        return shown
    if not is_carried(armature) or why_sampled(armature) is None:
        return clip
    matrices = yield from matrices_at(armature, "", scope.to_scene(armature, clip.frames))
    if _is_bent(matrices[:, :3, :3]):
        why = "sheared or mirrored by what carries it: apply the scale of its parent, or bake"
        raise MotionEditError(f"'{armature.name}' is {why}")
    carried = Carried(clip, matrices)
    own = {**vars(clip), "motion": carried.in_scene(clip.motion)}
    return SeenClip(**own, keyed=clip, carried=carried)


def carriers_of(thing: Object) -> set[Object]:
    """What carries an object: its parent and what its constraints follow, and what carries these."""
    found, new = set(), {thing}
    while new:
        found |= new
        targets = {getattr(each, "target", None) for one in new for each in one.constraints}
        new = {each for each in targets | {one.parent for one in new} if each is not None} - found
    return found - {thing}


def keyed(clip: Clip) -> Clip:
    """The clip as its keys have it."""
    return clip.keyed if isinstance(clip, (SeenClip, FigureClip)) else clip


def as_keyed(clip: Clip, motion: Motion) -> Motion:
    """An edit of all or some frames of a clip, as its keys have it."""
    return clip.as_keyed(motion) if isinstance(clip, (SeenClip, FigureClip)) else motion


def as_shown(clip: Clip, motion: Motion) -> Motion:
    """What is seen of a motion as keys have it: of a control rig the figure."""
    return clip.take.seen(motion) if isinstance(clip, FigureClip) else motion


def carried_on(clip: Clip, motion: Motion, frames: np.ndarray, rows: np.ndarray) -> Motion:
    """A motion over scene frames (F,) with the object where it is at some rows (N,) beyond those of the clip."""
    if not isinstance(clip, SeenClip) or not len(rows):
        return motion
    there = placed(motion.skeleton, finish(matrices_at(clip.armature, "", frames[rows])))
    return with_object(motion, there, rows)


def facts_of(clip: Clip) -> ClipTake:
    """What is known about a clip as it is seen: it is sampled only where something else moves its bones."""
    if isinstance(clip, FigureClip):
        return clip.take
    facts = ClipTake(clip)
    facts.is_sampled = why_bones_move(clip.armature) is not None
    return facts


def _is_bent(axes: np.ndarray) -> bool:
    """Whether the axes of an object, the columns of (F, 3, 3), are not at right angles or are mirrored."""
    lengths = np.linalg.norm(axes, axis=1)
    cosines = np.abs(axes.transpose(0, 2, 1) @ axes) / np.maximum(lengths[:, :, None] * lengths[:, None], 1e-30)
    return bool((cosines - np.eye(3) > _SHEARED).any() or (np.linalg.det(axes) < 0.0).any())

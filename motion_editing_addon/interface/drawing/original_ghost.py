"""The motion as it was, as a faint figure in the viewport that follows the frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...document import scope
from ..operators.preview_trails import PreviewTrails
from ..operators.running_tools import is_gone
from . import viewport
from .rig_figure import PosedFigure
from .theme import faded, palette

if TYPE_CHECKING:
    from bpy.types import Depsgraph, Scene

    from ....core.motion import Motion
    from ...border.action_io import Clip
    from ...document.take.clip_take import ClipTake
    from .rig_figure import Bones

    Figure = Callable[[float], Bones]

_ALPHA, _WIDTH = 0.45, 2.0

_shown: list[OriginalGhost] = []


class OriginalGhost:
    """The figure of one clip; end it with `hide`."""

    def __init__(self, clip: Clip, figure: Figure, *, original: Clip | None = None) -> None:
        """Show nothing yet.

        Args:
            figure: Gives the bones to draw at a time.
            original: The motion as it was, of the same armature, if its ways are to be shown beside those of
                the clip.
        """
        self._armature, self._now, self._figure = clip.armature, clip.motion, figure
        self._trails = None if original is None else PreviewTrails(original)
        self._name = f"original of {clip.armature.name}"

    def show(self) -> None:
        """Show the figure at the scene's frame, and follow it from now on."""
        if self not in _shown:
            _shown.append(self)
        if _on_frame_change not in bpy.app.handlers.frame_change_post:
            bpy.app.handlers.frame_change_post.append(_on_frame_change)
        self.frame_changed(bpy.context.scene)

    def hide(self) -> None:
        """Show nothing and follow no more; the second time there is nothing left to do."""
        if self in _shown:
            _shown.remove(self)
        if not _shown and _on_frame_change in bpy.app.handlers.frame_change_post:
            bpy.app.handlers.frame_change_post.remove(_on_frame_change)
        viewport.hide(self._name)
        if self._trails is not None:
            self._trails.hide()

    def frame_changed(self, scene: Scene) -> None:
        """Show the pose of another frame."""
        if is_gone(self._armature):
            self.hide()
            return
        time = scope.from_scene(self._armature, float(scene.frame_current_final)) / self._now.rate
        colour = faded(palette(bpy.context).text, _ALPHA)
        viewport.show(self._name, ghosts=[(*self._figure(time), colour, _WIDTH)])
        if self._trails is not None:
            self._trails.show(self._now, time)


def ghost_of(take: ClipTake) -> OriginalGhost:
    """The figure of a take as it was, also of a control rig."""
    clip = take.clip
    return OriginalGhost(clip, PosedFigure(clip.armature) if take.is_sampled else figure_of(clip.motion))


def figure_of(motion: Motion) -> Figure:
    """The figure of a motion that alone gives the places of all joints."""
    return lambda time: bones_of(motion.at(time))


def bones_of(pose: Motion) -> Bones:
    """Places (2J, 3) of heads and tips of a motion's first pose, and where the line to each begins."""
    heads, tips = pose.poses.positions[0], pose.poses.tips[0]
    parents = np.concatenate([np.full(len(heads), -1), np.arange(len(heads))])
    if pose.skeleton.has_placement:
        parents[len(heads)] = -1  # The object itself is no bone.
    return np.concatenate([heads, tips]), parents


def _on_frame_change(scene: Scene, _depsgraph: Depsgraph | None = None) -> None:
    for ghost in list(_shown):
        ghost.frame_changed(scene)


def hide_all() -> None:
    """Hide every figure: for switching the add-on off while a tool runs."""
    for ghost in list(_shown):
        ghost.hide()

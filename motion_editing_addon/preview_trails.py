"""Trails of an edited motion beside those of the motion as it was, while a tool runs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ..core.motion import Motion
from .drawing import viewport
from .drawing.theme import faded, palette

if TYPE_CHECKING:
    from .action_io import Clip

# More trails than this hide the figure; then none are shown.
_MOST_TRAILS = 6
# Trails that take longer than this, in seconds, so many times running, are given up: the rig comes first.
_PATIENCE, _MOST_SLOW = 0.02, 3
_BEFORE_ALPHA = 0.35


class PreviewTrails:
    """The trails of one clip: tips of the last bones of every chain that changes."""

    def __init__(self, clip: Clip) -> None:
        """Show nothing yet."""
        self._before = clip.motion
        self._name = f"preview of {clip.armature.name}"
        self._slow = 0

    def show(self, motion: Motion) -> None:
        """Show the motion's trails bright and those of the clip faint."""
        joints = ends_of_change(self._before, motion)
        if self._slow >= _MOST_SLOW or not 0 < len(joints) <= _MOST_TRAILS:
            self.hide()
            return
        before_positions = self._before.poses.tips  # Kept by the motion: they cost only once.
        started = time.perf_counter()
        after_positions = motion.poses.tips
        self._slow = self._slow + 1 if time.perf_counter() - started > _PATIENCE else 0
        colours = palette(bpy.context)
        before = [(before_positions[:, joint], faded(colours.text, _BEFORE_ALPHA), 1.0) for joint in joints]
        after = [(after_positions[:, joint], colours.key_selected, 1.5) for joint in joints]
        viewport.show(self._name, trails=[*before, *after])

    def hide(self) -> None:
        """Show nothing."""
        viewport.hide(self._name)


def ends_of_change(before: Motion, after: Motion) -> np.ndarray:
    """Joints that differ at any time and have no child that does; none if the frames are others."""
    if len(before) != len(after):
        return np.empty(0, dtype=np.intp)
    names = ("rotations", "locations", "scales")
    changed = np.any([(getattr(before, name) != getattr(after, name)).any(axis=(0, 2)) for name in names], axis=0)
    parents = before.skeleton.parents[changed]
    has_changed_child = np.zeros(len(changed), dtype=np.bool_)
    has_changed_child[parents[parents >= 0]] = True
    if before.skeleton.has_placement:
        has_changed_child[0] = True  # The object itself has no bone whose tip could leave a trail.
    return np.flatnonzero(changed & ~has_changed_child)

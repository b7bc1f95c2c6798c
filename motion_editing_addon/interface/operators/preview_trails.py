"""Trails of an edited motion beside those of the motion as it was, while a tool runs."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

import bpy
import numpy as np

from ....core.motion import Motion
from ..drawing import viewport
from ..drawing.theme import faded, palette

if TYPE_CHECKING:
    from ....core.numerics import Array
    from ...border.action_io import Clip

# More trails than this hide the figure, then none are shown; so would the trails of a whole clip.
_MOST_TRAILS, _SECONDS_AROUND = 6, 0.75
# Trails that take longer than this, in seconds, so many times running, are given up: the rig comes first.
_PATIENCE, _MOST_SLOW = 0.02, 3
_BEFORE_ALPHA = 0.35


class ShownMotion(Protocol):
    """As much of a motion as a preview needs; what is not looked at need not be worked out."""

    @property
    def times(self) -> Array:
        """(F,) of all its frames."""

    def __len__(self) -> int: ...

    def at(self, times: Any) -> Motion:
        """Samples at any times."""

    def part(self, first: int, last: int) -> Motion:
        """The frames first up to, not including, last."""


class PreviewTrails:
    """The trails of one clip: tips of the last bones of every chain that changes."""

    def __init__(self, clip: Clip) -> None:
        """Show nothing yet."""
        self._before = clip.motion
        self._name = f"preview of {clip.armature.name}"
        self._slow = 0

    def show(self, motion: ShownMotion, time: float) -> None:
        """Show the motion's trails around a time bright and those of the clip faint."""
        was = _at_same_times(self._before, motion)
        joints = ends_of_change(was, motion)
        if self._slow >= _MOST_SLOW or not 0 < len(joints) <= _MOST_TRAILS:
            self.hide()
            return
        colours, near = palette(bpy.context), frames_around(motion, time)
        before, after = was.poses.tips[near], self._timed_tips(motion.part(near.start, near.stop))
        trails = [(before[:, joint], faded(colours.text, _BEFORE_ALPHA), 1.0) for joint in joints]
        viewport.show(self._name, trails=trails + [(after[:, joint], colours.key_selected, 1.0) for joint in joints])

    def _timed_tips(self, motion: Motion) -> np.ndarray:
        started = perf_counter()
        tips = motion.poses.tips
        self._slow = self._slow + 1 if perf_counter() - started > _PATIENCE else 0
        return tips

    def hide(self) -> None:
        """Show nothing."""
        viewport.hide(self._name)


def _at_same_times(before: Motion, after: ShownMotion) -> Motion:
    """The frames of a motion that another one has, where that is a part of it; otherwise all."""
    first = int(np.searchsorted(before.times, after.times[0] - 1e-6))
    times = before.times[first : first + len(after)]
    if len(after) == len(before) or len(times) < len(after) or np.abs(times - after.times).max() > 1e-6:
        return before
    return before.part(first, first + len(after))


def frames_around(motion: ShownMotion, time: float) -> slice:
    """The frames whose trails are shown at a time."""
    first, last = np.searchsorted(motion.times, [time - _SECONDS_AROUND, time + _SECONDS_AROUND])
    return slice(int(first), int(last))


def ends_of_change(before: Motion, after: ShownMotion) -> np.ndarray:
    """Joints that differ at any time and have no child that does; none if the frames are others."""
    if len(before) != len(after):
        return np.empty(0, dtype=np.intp)
    # What is worked out only where it is looked at knows without looking everywhere.
    changed = getattr(after, "changed_joints", None)
    if changed is None:
        names = ("rotations", "locations", "scales")
        changed = np.any([(getattr(before, name) != getattr(after, name)).any(axis=(0, 2)) for name in names], axis=0)
    parents = before.skeleton.parents[changed]
    has_changed_child = np.zeros(len(changed), dtype=np.bool_)
    has_changed_child[parents[parents >= 0]] = True
    if before.skeleton.has_placement:
        has_changed_child[0] = True  # The object itself has no bone whose tip could leave a trail.
    return np.flatnonzero(changed & ~has_changed_child)

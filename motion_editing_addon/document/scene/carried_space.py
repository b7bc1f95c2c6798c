"""Characters that something else carries: a parent that moves, a constraint of the object, delta transforms.

Feet stand still in the scene. What the keys alone give is how the character moves on what carries it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.numerics import quaternion
from .targets import Targets

if TYPE_CHECKING:
    from ....core.motion import Motion, Skeleton
    from ...border.action_io import Clip

    Place = dict[str, np.ndarray]  # the object's channels, (F, ...) each, by their name in a motion

_CHANNELS = ("rotations", "locations", "scales")
# Share of the skeleton's size by which the object may be elsewhere because of rounding.
_SAME = 1e-5


class Carried:
    """A clip in the scene: the object, joint 0, is where Blender shows it."""

    def __init__(self, clip: Clip, matrices: np.ndarray | None = None) -> None:
        """Look where the object is, frame by frame where it moves, unless its matrices (F, 4, 4) are given."""
        rows = np.arange(len(clip.frames))
        found = Targets(clip).matrices(clip.armature, "", rows) if matrices is None else matrices
        self._shown, self._own, self._times = (
            placed(clip.motion.skeleton, found),
            place_of(clip.motion),
            clip.motion.times,
        )
        size = float(np.ptp(clip.motion.skeleton.rest_positions, axis=0).max())
        away = clip.motion.poses.positions - with_object(clip.motion, self._shown).poses.positions
        # Without anything that carries it, not a bit changes.
        self._is_carried = matrices is not None or bool(np.abs(away).max() > _SAME * size)

    def in_scene(self, motion: Motion) -> Motion:
        """A motion of the clip's frames, or of some of them, as it is seen."""
        return self._with(motion, self._shown)

    def as_keyed(self, motion: Motion) -> Motion:
        """A motion as it is seen, with the object's own channels."""
        return self._with(motion, self._own)

    def _with(self, motion: Motion, place: Place) -> Motion:
        if not self._is_carried:
            return motion
        rows = np.rint(np.interp(motion.times, self._times, np.arange(len(self._times)))).astype(np.intp)
        return with_object(motion, {name: values[rows] for name, values in place.items()})


def placed(skeleton: Skeleton, matrices: np.ndarray) -> Place:
    """The channels of an object that is seen at matrices (F, 4, 4); it may be mirrored, but not sheared."""
    scales = np.linalg.norm(matrices[:, :3, :3], axis=1)
    scales *= np.where(np.linalg.det(matrices[:, :3, :3]) < 0.0, -1.0, 1.0)[:, None]
    axes = matrices[:, :3, :3] / np.where(scales == 0.0, 1e-12, scales)[:, None]
    back = quaternion.conjugate(skeleton.rest_rotations[0])
    turns = quaternion.sign_continuous(quaternion.multiply(back, quaternion.from_matrix(axes)))
    ways = quaternion.rotate(back, matrices[:, :3, 3] - skeleton.rest_positions[0])
    return dict(zip(_CHANNELS, (turns, ways, scales), strict=True))


def place_of(motion: Motion) -> Place:
    """The channels that the object has in a motion."""
    return {name: np.array(getattr(motion, name)[:, 0]) for name in _CHANNELS}


def with_object(motion: Motion, place: Place, rows: slice | np.ndarray = slice(None)) -> Motion:
    """A motion with other channels of the object, in all frames or at some rows (N,)."""
    arrays: dict[str, Any] = {name: np.array(getattr(motion, name)) for name in _CHANNELS}
    for name, values in place.items():
        arrays[name][rows, 0] = values
    return replace(motion, **arrays)

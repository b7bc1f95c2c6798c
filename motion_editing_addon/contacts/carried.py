"""Characters that something else carries: a parent that moves, a constraint of the object, delta transforms.

Feet stand still in the scene. What the keys alone give is how the character moves on what carries it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core import quaternion
from ..constraints.targets import Targets

if TYPE_CHECKING:
    from ...core.motion import Motion
    from ..action_io import Clip

_CHANNELS = ("rotations", "locations", "scales")
# Share of the skeleton's size by which the object may be elsewhere because of rounding.
_SAME = 1e-5


class Carried:
    """A clip in the scene: the object, joint 0, is where Blender shows it."""

    def __init__(self, clip: Clip) -> None:
        """Look where the object is, frame by frame where it moves."""
        skeleton = clip.motion.skeleton
        matrices = Targets(clip).matrices(clip.armature, "", np.arange(len(clip.frames)))
        scales = np.linalg.norm(matrices[:, :3, :3], axis=1)
        turns = quaternion.from_matrix(matrices[:, :3, :3] / np.maximum(scales, 1e-12)[:, None])
        back = quaternion.conjugate(skeleton.rest_rotations[0])
        ways = matrices[:, :3, 3] - skeleton.rest_positions[0]
        shown = quaternion.multiply(back, turns), quaternion.rotate(back, ways), scales
        self._shown = dict(zip(_CHANNELS, (quaternion.sign_continuous(shown[0]), *shown[1:]), strict=True))
        self._own = {name: np.array(getattr(clip.motion, name)[:, 0]) for name in _CHANNELS}
        size = float(np.ptp(skeleton.rest_positions, axis=0).max())
        seen = _with_object(clip.motion, self._shown).poses.positions
        # Without anything that carries it, not a bit changes.
        self._is_carried = bool(np.abs(clip.motion.poses.positions - seen).max() > _SAME * size)

    def in_scene(self, motion: Motion) -> Motion:
        """A motion of the clip's frames as it is seen."""
        return _with_object(motion, self._shown) if self._is_carried else motion

    def as_keyed(self, motion: Motion) -> Motion:
        """A motion as it is seen, with the object's own channels."""
        return _with_object(motion, self._own) if self._is_carried else motion


def _with_object(motion: Motion, channels: dict[str, np.ndarray]) -> Motion:
    arrays = {name: np.array(getattr(motion, name)) for name in _CHANNELS}
    for name, values in channels.items():
        arrays[name][:, 0] = values
    return replace(motion, **arrays)

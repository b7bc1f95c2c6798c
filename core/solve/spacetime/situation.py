"""All characters at the constrained frames, as constraints see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array, quaternion
from .degrees import Degrees
from .posed_character import Posed

Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class _View:
    """A joint at the frames where constraints look at it; slopes are worked out once for all of them."""

    posed: Posed
    joint: int
    rows: Indices
    first_column: int
    size: int

    @cached_property
    def place_slopes(self) -> Array:
        return self._wide(self.posed.point_slopes(self.joint, self.rows))

    @cached_property
    def turn_slopes(self) -> Array:
        return self._wide(self.posed.turn_slopes(self.joint, self.rows))

    @cached_property
    def own_turn_slopes(self) -> Array:
        return self._wide(self.posed.own_turn_slopes(self.joint, self.rows))

    def _wide(self, slopes: Array) -> Array:
        """Slopes of one character among those of all."""
        if slopes.shape[2] == self.size:
            return slopes
        wide = np.zeros((*slopes.shape[:2], self.size))
        wide[:, :, self.first_column : self.first_column + slopes.shape[2]] = slopes
        return wide


class Situation:
    """What constraints look at: points and turns of characters, and how all degrees of freedom move them."""

    def __init__(
        self,
        frames: Indices,
        posed: Sequence[Posed],
        degrees: Sequence[Degrees],
        looks: Mapping[tuple[int, int], Indices],
    ) -> None:
        """Put characters side by side.

        Args:
            frames: (U,) the frames that were posed, increasing.
            looks: For characters and joints the frames, increasing, at which constraints look at them.
        """
        self._frames = frames
        self._posed = tuple(posed)
        self._looks = looks
        starts = np.cumsum([0, *(len(each) for each in degrees)])
        self._views = {
            end: _View(posed[end[0]], end[1], self.rows(at), int(starts[end[0]]), int(starts[-1]))
            for end, at in looks.items()
        }

    def rows(self, frames: Any) -> Indices:
        """Where frames are among those that were posed."""
        return np.searchsorted(self._frames, np.asarray(frames))

    def points(self, character: int, joint: int, offset: Any, frames: Any) -> tuple[Array, Array]:
        """(N, 3) points that a joint carries and (N, 3, D) how they move."""
        view, among = self._view(character, joint, frames)
        points, slopes = view.posed.positions[self.rows(frames), joint], view.place_slopes[among]
        if not np.any(offset):
            return points, slopes
        arm = quaternion.rotate(view.posed.rotations[self.rows(frames), joint], np.asarray(offset, dtype=np.float64))
        return points + arm, slopes + np.cross(view.turn_slopes[among], arm[:, :, None], axis=1)

    def turns(self, character: int, joint: int, frames: Any) -> tuple[Array, Array]:
        """(N, 4) orientations of a joint and (N, 3, D) how they turn, as rotation vectors in the scene."""
        view, among = self._view(character, joint, frames)
        return view.posed.rotations[self.rows(frames), joint], view.turn_slopes[among]

    def own_turns(self, character: int, joint: int, frames: Any) -> tuple[Array, Array]:
        """(N, 4) rotations of a joint in its own axes and (N, 3, D) how they turn there."""
        view, among = self._view(character, joint, frames)
        return view.posed.own_rotations[self.rows(frames), joint], view.own_turn_slopes[among]

    def _view(self, character: int, joint: int, frames: Any) -> tuple[_View, Any]:
        """A joint, and where frames are among those at which constraints look at it."""
        looked_at = self._looks[character, joint]
        among = slice(None) if len(looked_at) == np.size(frames) else np.searchsorted(looked_at, np.asarray(frames))
        return self._views[character, joint], among

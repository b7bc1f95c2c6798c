"""Paths over time that are as small and as calm as what pulls at them lets them be.

A path x costs |x|^2 + 2 r^2 |x'|^2 + r^4 |x''|^2 over all frames. Pulled at in one frame it answers with
(1 + t / r) exp(-t / r) beside it: without a corner, without swinging to the other side, and about nothing after
eight times the reach r.
"""

from dataclasses import dataclass

import numpy as np

from ...numerics import Array
from .block_tridiagonal import solve_block_tridiagonal

# How much more what is held counts than the calm of a path.
_HELD = 1e6
# Frames of the longest reach: what is slower hardly differs, and numbers would get too large.
_MOST_FRAMES = 40.0


@dataclass(frozen=True, eq=False)
class Calm:
    """What paths of a number of frames cost by themselves, as a matrix with five diagonals.

    Attributes:
        middle: (F,) the diagonal.
        next: (F - 1,) the one beside it.
        second: (F - 2,) the one after that.
    """

    middle: Array
    next: Array
    second: Array

    @classmethod
    def of(cls, frames: int, reach: float) -> "Calm":
        """For paths whose corrections die away within some frames."""
        reach = min(reach, _MOST_FRAMES)
        middle, following, second = np.ones(frames), np.zeros(max(frames - 1, 0)), np.zeros(max(frames - 2, 0))
        slope, bend = 2.0 * reach**2, reach**4
        middle[:-1] += slope
        middle[1:] += slope
        following -= slope
        middle[:-2] += bend
        middle[1:-1] += 4.0 * bend
        middle[2:] += bend
        following[:-1] -= 2.0 * bend
        following[1:] -= 2.0 * bend
        second += bend
        return cls(middle, following, second)

    @property
    def held(self) -> float:
        """Stiffness of what hardly gives way to such paths."""
        return _HELD * float(self.middle.max(initial=1.0))

    def cost(self, path: Array) -> float:
        """What a path (F, D) costs by itself."""
        return float((path * self.pull(path)).sum())

    def pull(self, path: Array) -> Array:
        """(F, D) how strongly a path draws back to nothing."""
        pull = self.middle[:, None] * path
        for band, step in ((self.next, 1), (self.second, 2)):
            pull[:-step] += band[:, None] * path[step:]
            pull[step:] += band[:, None] * path[:-step]
        return pull

    def path(self, pulls: Array, right: Array) -> Array:
        """(F, D) the path that makes its own cost and all pulls least.

        Args:
            pulls: (F, D, D) how stiffly each frame is held.
            right: (F, D) stiffness times where it is held.
        """
        frames, degrees = right.shape
        blocks, size = (frames + 1) // 2, 2 * degrees
        sides = np.zeros((2 * blocks, degrees))
        sides[:frames] = right
        diagonal, beside = self._in_pairs(pulls, blocks)
        solution = solve_block_tridiagonal(
            diagonal.reshape(blocks, size, size),
            beside.reshape(blocks - 1, size, size),
            sides.reshape(blocks, size, 1),
        )
        return np.asarray(solution.reshape(2 * blocks, degrees)[:frames])

    def _in_pairs(self, pulls: Array, blocks: int) -> tuple[Array, Array]:
        """The system with two frames to a block: of each block (B, 2, D, 2, D), and of each with the next one."""
        frames, degrees = pulls.shape[:2]
        diagonal, beside = np.zeros((blocks, 2, degrees, 2, degrees)), np.zeros((blocks - 1, 2, degrees, 2, degrees))
        along = np.arange(degrees)
        for place in (0, 1):
            own = pulls[place::2]
            diagonal[: len(own), place, :, place] = own
            diagonal[: len(own), place, along, place, along] += self.middle[place::2][:, None]
            second = self.second[place::2][:, None]
            beside[: len(second), place, along, place, along] = second
        # A frame that only makes the last pair whole meets no other.
        diagonal[frames // 2 :, 1, along, 1, along] = 1.0
        inner, outer = self.next[0::2][:, None], self.next[1::2][:, None]
        diagonal[: len(inner), 0, along, 1, along] = inner
        diagonal[: len(inner), 1, along, 0, along] = inner
        beside[: len(outer), 1, along, 0, along] = outer
        return diagonal, beside

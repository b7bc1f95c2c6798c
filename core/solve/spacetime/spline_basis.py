"""Cubic B-splines over the frames of a motion: changes that cannot be quicker than is allowed.

A spline whose knots are h frames apart repeats every slow wave f as a quicker image at 1/h - f, weaker in
energy by (f h / (1 - f h))^8. With knots 4/3 of the spacing apart the images above 1/(2 x spacing) have at
most (1/2)^8, four thousandths, of the energy of their waves, whatever the controls are.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import MotionEditError
from ...numerics import Array
from ...wording import counted

_DEGREE = 3
# Frames between knots for each frame of spacing.
KNOTS_APART = 4.0 / 3.0


class ControlSpacingError(MotionEditError):
    """Controls of a displacement cannot be placed as asked."""


@dataclass(frozen=True, eq=False)
class SplineBasis:
    """The four controls that count at every frame, and how much.

    Attributes:
        first: (F,) the first of the four controls.
        weights: (F, 4) of that control and the next three; their sum is one.
        controls: How many controls there are.
        free: (C,) controls that may move; at the ends of a window they rest, so that it joins smoothly.
    """

    first: NDArray[np.intp]
    weights: Array
    controls: int
    free: NDArray[np.bool_]

    @classmethod
    def build(cls, frames: int, *, spacing: Any, start: int = 0, end: int | None = None) -> "SplineBasis":
        """Controls for the frames of a window.

        Args:
            frames: Of the whole motion.
            spacing: Frames of the quickest half wave: at most 1 % of the energy of a change is above
                1 / (2 x spacing). Or increasing frames (K,) where spans of the spline begin and end.
            start: First frame of the window. Before it nothing changes; at the motion's own first
                frame the change is free.
            end: Last frame of the window; the motion's last by default.
        """
        last = frames - 1 if end is None else end
        if frames == 1 and start == last == 0:
            return cls._of_one_frame()
        if not 0 <= start < last <= frames - 1:
            raise ControlSpacingError(f"Frames {start} to {last} are no part of the motion's frames 0 to {frames - 1}")
        knots = _knots(spacing, start, last)
        padded = np.concatenate([np.full(_DEGREE, knots[0]), knots, np.full(_DEGREE, knots[-1])])
        controls = len(knots) + _DEGREE - 1
        inside = np.arange(start, last + 1, dtype=np.float64)
        span = np.clip(np.searchsorted(knots, inside, side="right") - 1, 0, len(knots) - 2)
        first = np.zeros(frames, dtype=np.intp)
        weights = np.zeros((frames, _DEGREE + 1))
        first[start : last + 1] = span
        weights[start : last + 1] = _blending(padded, span + _DEGREE, inside)
        free = np.ones(controls, dtype=np.bool_)
        # Value, slope and curvature of a clamped spline at an end are those of its first three controls.
        free[:_DEGREE] &= start == 0
        free[controls - _DEGREE :] &= last == frames - 1
        if not free.any():
            raise ControlSpacingError(
                f"{counted(last - start + 1, 'frame is', 'frames are')} too few for a change that joins the rest "
                "as smoothly as this spacing asks for: make the spacing smaller or the range longer"
            )
        return cls(first, weights, controls, free)

    @classmethod
    def _of_one_frame(cls) -> "SplineBasis":
        """A pose by itself changes as it likes: one control is the change."""
        one = np.eye(1, _DEGREE + 1)
        return cls(np.zeros(1, dtype=np.intp), one, _DEGREE + 1, one[0] > 0.0)

    def values(self, controls: Array, frames: Any = None) -> Array:
        """(M, D) the change at frames that free controls (C', D) make."""
        rows = slice(None) if frames is None else np.asarray(frames)
        every = np.zeros((self.controls, controls.shape[1]))
        every[self.free] = controls
        first, weights = self.first[rows], self.weights[rows]
        return np.asarray(sum(weights[:, part, None] * every[first + part] for part in range(_DEGREE + 1)))

    def matrix(self, frames: Any = None) -> Array:
        """(M, C') the basis at frames, without the controls that rest."""
        rows = np.arange(len(self.first)) if frames is None else np.asarray(frames)
        matrix = np.zeros((len(rows), self.controls))
        columns = self.first[rows][:, None] + np.arange(_DEGREE + 1)
        np.put_along_axis(matrix, columns, self.weights[rows], axis=1)
        return matrix[:, self.free]

    def gram(self) -> Array:
        """(C', C') products of every two free controls summed over the frames, at a cost that grows with these."""
        every = slice(None)
        return self._products(every, every)

    def swing_gram(self) -> Array:
        """The same of what the controls change from each frame to the next."""
        earlier, later = slice(None, -1), slice(1, None)
        across = self._products(earlier, later)
        return self._products(earlier, earlier) + self._products(later, later) - across - across.T

    def _products(self, frames: slice, others: slice) -> Array:
        """(C', C') products of every free control at frames with every other one at as many others, summed."""
        products = np.zeros((self.controls, self.controls))
        for one in range(_DEGREE + 1):
            for other in range(_DEGREE + 1):
                there = (self.first[frames] + one, self.first[others] + other)
                np.add.at(products, there, self.weights[frames, one] * self.weights[others, other])
        return products[np.ix_(self.free, self.free)]


def _knots(spacing: Any, start: int, last: int) -> Array:
    if np.ndim(spacing):
        given = np.asarray(spacing, dtype=np.float64)
        inner = given[(given > start) & (given < last)]
        if (np.diff(inner) <= 0.0).any():
            raise ControlSpacingError("Frames between which controls lie must increase")
        return np.concatenate([[start], inner, [last]]).astype(np.float64)
    if not spacing >= 1.0:
        raise ControlSpacingError(f"The spacing must be at least 1 frame, not {spacing:g}")
    return np.linspace(start, last, max(1, int((last - start) / (KNOTS_APART * float(spacing)))) + 1)


def _blending(knots: Array, span: NDArray[np.intp], places: Array) -> Array:
    """(M, 4) the four basis functions that are not zero, by the Cox-de Boor recursion."""
    weights = np.zeros((len(places), _DEGREE + 1))
    weights[:, 0] = 1.0
    for degree in range(1, _DEGREE + 1):
        saved = np.zeros(len(places))
        for number in range(degree):
            right = knots[span + number + 1] - places
            left = places - knots[span + 1 - degree + number]
            width = right + left
            share = np.divide(weights[:, number], width, out=np.zeros_like(saved), where=width > 0.0)
            weights[:, number] = saved + right * share
            saved = left * share
        weights[:, degree] = saved
    return weights

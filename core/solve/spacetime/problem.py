"""Characters, constraints and a basis put together: from controls to rows, and to edited motions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import MotionEditError
from ...motion import Motion
from ...numerics import Array
from .degrees import Degrees
from .kinds import Constraint
from .posed_character import Posed
from .rows import Rows
from .situation import Situation
from .spline_basis import SplineBasis

Indices = NDArray[np.intp]
Looks = Mapping[tuple[int, int], Indices]


class ConstraintError(MotionEditError):
    """A constraint does not fit the motions."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What is edited and what has to hold.

    Attributes:
        motions: Of all characters.
        constraints: What has to hold.
        basis: Of the change.
        degrees: What of each character may change.
        frames: (U,) at which something has to hold.
        looks: The frames at which constraints look at each character and joint.
    """

    motions: tuple[Motion, ...]
    constraints: tuple[Constraint, ...]
    basis: SplineBasis
    degrees: tuple[Degrees, ...]
    frames: Indices
    looks: Looks
    _at_frames: tuple[Motion, ...]

    @classmethod
    def build(
        cls,
        motions: Sequence[Motion],
        constraints: Sequence[Constraint],
        basis: SplineBasis,
        joint_weights: Sequence[Any] | None,
    ) -> "Problem":
        """Find out what the constraints are about."""
        _check(motions, constraints)
        looks = _looks(constraints)
        resisting = [None] * len(motions) if joint_weights is None else joint_weights
        degrees = tuple(
            Degrees.of_chains(
                motion.skeleton, [joint for owner, joint in looks if owner == number], joint_weights=resist
            )
            for number, (motion, resist) in enumerate(zip(motions, resisting, strict=True))
        )
        frames = np.unique(np.concatenate([np.empty(0, dtype=np.intp), *looks.values()]))
        at_frames = tuple(_frames_of(motion, frames) for motion in motions)
        return cls(tuple(motions), tuple(constraints), basis, degrees, frames, looks, at_frames)

    def with_constraints(self, constraints: Sequence[Constraint]) -> "Problem":
        """The same with other targets; kinds, joints and frames are as before."""
        if [_subject(each) for each in constraints] != [_subject(each) for each in self.constraints]:
            raise ValueError(
                "Constraints that replace others must be of the same kinds, about the same joints and frames"
            )
        return replace(self, constraints=tuple(constraints))

    def columns_of(self, other: "Problem") -> NDArray[np.bool_]:
        """(D,) the degrees of freedom that another problem of the same characters has too."""
        known = [
            np.isin(own, others)
            for degrees, also in zip(self.degrees, other.degrees, strict=True)
            for own, others in ((degrees.turning, also.turning), (degrees.moving, also.moving))
        ]
        return np.repeat(np.concatenate(known), 3)

    @property
    def weights(self) -> Array:
        """(D,) of the degrees of freedom of all characters."""
        return np.concatenate([degrees.weights for degrees in self.degrees])

    def softness(self, parts: Sequence[Rows]) -> Array:
        """(R,) of all rows."""
        return np.repeat([each.softness for each in self.constraints], [len(part) for part in parts])

    def change_at(self, controls: Array) -> Array:
        """(U, D) the change at the constrained frames."""
        return self.basis.values(controls, self.frames)

    def rows_at(self, controls: Array) -> tuple[Rows, ...]:
        """What every constraint says when the controls (C, D) are these."""
        posed = [
            Posed(degrees, motion, part)
            for degrees, motion, part in zip(
                self.degrees, self._at_frames, self._shared_out(self.change_at(controls)), strict=True
            )
        ]
        situation = Situation(self.frames, posed, self.degrees, self.looks)
        return tuple(each.rows(situation) for each in self.constraints)

    def edited(self, controls: Array, shown: slice | None = None) -> tuple[tuple[Motion, ...], tuple[Array, ...]]:
        """The shown frames of all motions with the change, and (F, D) the changes; all frames by default."""
        start, stop, _ = (shown or slice(None)).indices(len(self.motions[0]))
        motions = self.motions if shown is None else tuple(motion.part(start, stop) for motion in self.motions)
        if not controls.any():
            return motions, tuple(np.zeros((stop - start, len(each))) for each in self.degrees)
        changes = self._shared_out(self.basis.values(controls, np.arange(start, stop)))
        pairs = zip(self.degrees, motions, changes, strict=True)
        return tuple(degrees.applied(motion, change) for degrees, motion, change in pairs), tuple(changes)

    def _shared_out(self, change: Array) -> list[Array]:
        """The change of each character, of that of all side by side."""
        return np.split(change, np.cumsum([len(each) for each in self.degrees])[:-1], axis=1)


def _check(motions: Sequence[Motion], constraints: Sequence[Constraint]) -> None:
    frames = len(motions[0])
    if any(len(motion) != frames for motion in motions):
        raise ConstraintError("Characters that are edited together need the same frames; trim or resample one of them")
    for each in constraints:
        name = each.name or type(each).__name__
        if not len(each.at) or (np.diff(each.at) <= 0).any():
            raise ConstraintError(f"The frames of '{name}' must be increasing, at least one")
        if each.at[0] < 0 or each.at[-1] >= frames:
            raise ConstraintError(
                f"'{name}' is at frames {each.at[0]} to {each.at[-1]}, the motion has 0 to {frames - 1}; move its span"
            )
        for character, joint in each.ends():
            if not (0 <= character < len(motions) and 0 <= joint < len(motions[character].skeleton)):
                raise ConstraintError(f"'{name}' is about a joint that is not there: {joint} of character {character}")


def _subject(constraint: Constraint) -> tuple[Any, ...]:
    return type(constraint), tuple(constraint.ends()), constraint.at.tobytes()


def _looks(constraints: Sequence[Constraint]) -> Looks:
    looks: dict[tuple[int, int], Indices] = {}
    for each in constraints:
        for end in each.ends():
            looks[end] = np.union1d(looks.get(end, np.empty(0, dtype=np.intp)), each.at)
    return looks


def _frames_of(motion: Motion, frames: Indices) -> Motion:
    """Some frames of a motion."""
    return replace(
        motion,
        times=motion.times[frames],
        rotations=motion.rotations[frames],
        locations=motion.locations[frames],
        scales=motion.scales[frames],
        scalars=motion.scalars[frames],
    )

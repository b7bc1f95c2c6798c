"""Edits of whole motions that meet constraints with the least, smoothest change (motion editing chapter, 1.7.2).

The change of every degree of freedom is a cubic B-spline over time. All frames are solved together
by sequential quadratic steps: constraints are linearized about the present change, and the least
change that meets them is the next one. What is far from being met is met by and by, which leads to the
change that grows out of none; a leap may end in another one, much larger. Where steps lead astray, they
are held back: the length of a step counts beside that of the change (Levenberg and Marquardt's way).
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...motion import Motion, Skeleton
from ...numerics import Array
from .degrees import size_of
from .kinds import Constraint
from .objective import Objective
from .problem import ConstraintError, Problem
from .report import SpacetimeResult, violations_of
from .rows import Flags, Rows
from .spline_basis import SplineBasis
from .steps.active_set import least_change
from .steps.step_choice import StepChoice

# Shares of the characters' size: a constraint is met; it is so nearly met that the next step will meet it;
# it is reported as violated.
_MET, _NEARLY_MET, _REPORTED = 1e-7, 1e-3, 1e-5
# Share of the characters' size by which constraints may be off before anything has moved: their numbers are rounded.
_ROUNDED = 2e-6
# Shares of the characters' size by which constraints are brought nearer to being met at a time: those that hold
# exactly, lest joints fold on the way, and limits, of which others count after every leap.
_LEAP, _LEAP_OF_LIMITS = 0.03, 0.1
# Size of the smallest character times which nobody reaches for: numbers would not be exact any more.
_FARTHEST = 1e6
# How much rows give way, as a share of their own scale: almost nothing.
_GIVE = 1e-10
# How much more the length of a step counts than the change: at first and at most. Its growth is squared
# from one step that led astray to the next, up to a limit, and undone more slowly.
_FIRST_CAUTION, _MOST_CAUTION, _GROWTH, _MOST_GROWTH, _EASING = 1.0, 1e15, 4.0, 1e4, 5.0
# The last steps, up to half of them, only meet the constraints: how many, and the caution that does it.
_CLOSING_STEPS, _CLOSING_CAUTION = 5, 1e4
# Share of the size of the change below which another step is not worth taking; and the share by which it has to fall
# during so many steps, lest the rest of them are left out.
_SETTLED, _WORTH, _PATIENCE = 1e-5, 1e-3, 10


@dataclass(frozen=True, eq=False)
class _Place:
    """Where the search has come to: controls (C, D) and the constraints there, linearized.

    Of what is missed, `left` (R,) is left for later: values of the rows are without it.
    """

    controls: Array
    rows: Rows
    parts: tuple[Rows, ...]
    left: Array

    def leaving(self, left: Array) -> "_Place":
        """The same place with so much (R,) of what is missed left for later."""
        return replace(self, rows=replace(self.rows, values=self.rows.values + self.left - left), left=left)


class Spacetime:
    """A problem that can be solved, changed a little and solved again from where it was."""

    def __init__(
        self,
        motions: Sequence[Motion],
        constraints: Sequence[Constraint],
        *,
        basis: SplineBasis,
        objective: Objective | None = None,
        joint_weights: Sequence[Any] | None = None,
    ) -> None:
        """Set up.

        Args:
            motions: Of all characters, with the same frames.
            basis: How quickly and where in time the motions may change.
            objective: What makes a change large; its size by default.
            joint_weights: For each character (J,) how much joints resist, or (J, 4) of turns about each own axis
                and of moves; `natural_weights` tells what bodies do. All alike by default.
        """
        self._weights = joint_weights
        self._problem = Problem.build(motions, constraints, basis, joint_weights)
        self._objective = objective or Objective.least_change(basis)
        self._steps = StepChoice(basis.matrix(self._problem.frames), self._objective, self._problem.weights)
        self._size = _smallest([motion.skeleton for motion in motions])
        self._controls = np.zeros((len(self._objective.gram), len(self._problem.weights)))
        self._active: Flags | None = None
        self._caution, self._growth = 0.0, _GROWTH
        self._single = False

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """What has to hold."""
        return self._problem.constraints

    def with_constraints(self, constraints: Sequence[Constraint]) -> "Spacetime":
        """The same problem with other targets, for a handle that is dragged; it goes on from the last solution.

        Kinds, joints and frames must be as before.
        """
        other = object.__new__(Spacetime)
        other.__dict__.update(self.__dict__)
        other._problem = self._problem.with_constraints(constraints)
        return other

    def with_further(self, constraints: Sequence[Constraint]) -> "Spacetime":
        """The same problem with constraints added; it goes on from the last solution."""
        old = self._problem
        other = Spacetime(
            old.motions,
            (*old.constraints, *constraints),
            basis=old.basis,
            objective=self._objective,
            joint_weights=self._weights,
        )
        other.go_on_from(self)
        return other

    def go_on_from(self, other: "Spacetime") -> None:
        """Take the present solution of another problem, of the same characters and frames, for one's own.

        What the other one may not change stays as it was.
        """
        controls = np.zeros_like(self._controls)
        columns = self._problem.columns_of(other._problem), other._problem.columns_of(self._problem)
        controls[:, columns[0]] = other._controls[:, columns[1]]
        self._controls = controls

    def solve(self, *, steps: int = 24, shown: slice | None = None) -> SpacetimeResult:
        """Take steps until all constraints are met and the change settles, at most `steps`.

        The next call goes on from here. Constraints that hold from the start change nothing at all.

        Args:
            steps: At most.
            shown: Frames that the motions of the result are to have; all by default. All are solved for,
                but where only some are looked at the others need not be put together.
        """
        solving = self.solving(steps=steps, shown=shown)
        while True:
            try:
                next(solving)
            except StopIteration as end:
                result: SpacetimeResult = end.value
                return result

    def solving(self, *, steps: int = 24, shown: slice | None = None) -> Generator[float, None, SpacetimeResult]:
        """The same one step at a time, for work that shows how far it is: yields the share done, returns the result."""
        if not len(self._problem.frames):
            return self._result((), 0, shown)
        place = self._looked_at(self._controls)
        _refuse_senseless(self._problem.constraints, place.parts, _FARTHEST * self._size)
        nothing_moves = not len(self._problem.weights)
        if nothing_moves or (not self._controls.any() and self._is_met(place, _ROUNDED)):
            return self._result(place.parts, 0, shown)
        place, taken = yield from self._approached(place, steps // 2)
        settled, sizes = False, []
        while taken < steps and not settled and self._caution <= _MOST_CAUTION:
            yield taken / steps
            taken += 1
            closing = self._is_closing(taken, steps)
            caution = max(self._caution, _CLOSING_CAUTION * closing)
            found = self._next(place, caution)
            if found is not None:
                settled = self._is_met(found) if closing else not caution and _is_close(found.controls, place.controls)
                place, self._controls = found, found.controls
                sizes += [self._size_of_change(found)] if self._is_nearly_met(found) else []
            if not closing and _is_stuck(sizes):
                steps = min(steps, taken + _CLOSING_STEPS)
        self._caution = min(self._caution, _MOST_CAUTION / _EASING)
        return self._result(place.parts, taken, shown)

    def _is_closing(self, taken: int, steps: int) -> bool:
        """Whether a step is one of the last, which only meet the constraints; single steps are so by turns."""
        self._single = steps == 1 and not self._single
        return not self._single if steps == 1 else steps - taken < min(_CLOSING_STEPS, steps // 2)

    def _approached(self, place: _Place, steps: int) -> Generator[float, None, tuple[_Place, int]]:
        """A place nearer to where all is met, in leaps that are not too large, and how many were taken."""
        values = place.rows.values
        missed = np.where(place.rows.at_least, np.minimum(values, 0.0), values)
        leap_lengths = self._size * np.where(place.rows.at_least, _LEAP_OF_LIMITS, _LEAP)
        leaps = min(steps, int((np.abs(missed) / leap_lengths).max()))
        for leap in range(leaps):
            yield 0.5 * leap / steps
            left = (1.0 - (leap + 1) / (leaps + 1)) * missed
            found = self._next(place.leaving(left), self._caution)
            if found is not None:
                place, self._controls = found, found.controls
        return place.leaving(np.zeros(len(values))), leaps

    def _is_met(self, place: _Place, share: float = _MET) -> bool:
        return float(place.rows.missed.max()) <= share * self._size

    def _is_nearly_met(self, place: _Place) -> bool:
        return float(place.rows.missed.max()) <= _NEARLY_MET * self._size

    def _size_of_change(self, place: _Place) -> float:
        return self._objective.size_of(place.controls, self._problem.weights)

    def _looked_at(self, controls: Array) -> _Place:
        parts = self._problem.rows_at(controls)
        rows = Rows.joined(parts)
        return _Place(controls, rows, parts, np.zeros(len(rows)))

    def _next(self, place: _Place, caution: float) -> _Place | None:
        """A better place; none if the linearized constraints mislead, and more caution next time.

        With caution k the step d makes |x + d|^2 + k |d|^2 + |missed|^2 / give least. That is the same
        as a step without caution to an aim 1 + k times as far away, of which the first part is taken.
        """
        rows, shortened = place.rows, 1.0 + caution
        give = self._problem.softness(place.parts) + _GIVE * self._scales(place)
        wanted = rows.moved_by(self._problem.change_at(place.controls)) - shortened * rows.values
        before = rows.values < 0.0 if self._active is None else self._active
        aim, active = least_change(
            self._steps, rows, wanted, shortened * give, active=before, moved=self._problem.change_at
        )
        found = self._looked_at(place.controls + (aim - place.controls) / shortened).leaving(place.left)
        if not self._better(found, place, give):
            self._caution = max(_FIRST_CAUTION, caution * self._growth)
            self._growth = min(_MOST_GROWTH, self._growth**2)
            return None
        self._active = active
        self._caution = self._caution / _EASING if self._caution > _FIRST_CAUTION else 0.0
        self._growth = _GROWTH
        return found

    def _scales(self, place: _Place) -> Array:
        """(R,) one scale for all rows of a constraint, lest directions in which it cannot move count most."""
        counts = [len(part) for part in place.parts]
        starts = np.cumsum([0, *counts[:-1]])
        return np.repeat(np.maximum.reduceat(self._steps.scales(place.rows), starts), counts)

    def _better(self, found: _Place, place: _Place, give: Array) -> bool:
        """Whether a step is worth taking: it meets constraints better, or all nearly with a smaller change."""
        sizes = [self._size_of_change(each) for each in (found, place)]
        merits = [
            size + float((each.rows.missed**2 / give).sum()) for size, each in zip(sizes, (found, place), strict=True)
        ]
        return merits[0] < merits[1] or (self._is_nearly_met(found) and sizes[0] < sizes[1])

    def _result(self, parts: Sequence[Rows], taken: int, shown: slice | None) -> SpacetimeResult:
        motions, changes = self._problem.edited(self._controls, shown)
        violations = violations_of(self._problem.constraints, parts, _REPORTED * self._size)
        size = self._objective.size_of(self._controls, self._problem.weights)
        return SpacetimeResult(motions, changes, violations, taken, size)


def _is_close(controls: Array, before: Array) -> bool:
    """Whether a step changed so little that another one is not worth taking."""
    return float(np.abs(controls - before).max()) <= _SETTLED * max(1.0, float(np.abs(controls).max()))


def _is_stuck(sizes: list[float]) -> bool:
    """Whether the change has hardly become smaller lately, by its sizes after each step so far."""
    earlier, lately = sizes[:-_PATIENCE], sizes[-_PATIENCE:]
    return bool(earlier) and min(lately) > (1.0 - _WORTH) * min(earlier)


def _smallest(skeletons: Sequence[Skeleton]) -> float:
    """Size of the smallest character: all are met as exactly as that one needs; bare points do not count."""
    return min((size_of(each) for each in skeletons if np.ptp(each.rest_positions, axis=0).any()), default=1.0)


def _refuse_senseless(constraints: Sequence[Constraint], parts: Sequence[Rows], farthest: float) -> None:
    for each, rows in zip(constraints, parts, strict=True):
        name = each.name or type(each).__name__
        if not np.isfinite(rows.values).all():
            raise ConstraintError(f"'{name}' asks for something that is no number: set its target again")
        if rows.missed.max(initial=0.0) > farthest:
            raise ConstraintError(f"'{name}' is held to something too far away: set its target again")

"""The pace of a motion: how long each of its moments takes, between bounds, so that parts get their lengths.

Pace is new seconds for a second of old time: 1 is as it was, 0.5 takes half as long. Among all paces that meet the
lengths, the one is chosen with the least

    sum stiffness width (pace - wanted)^2  +  sum link (pace - next pace)^2

The problem is convex, so this least is the only one, and the unknowns meet their neighbours only, so that finding
it takes a time that grows with the length of the motion. Unknowns at a bound are found by trying: those that want
beyond it are held there, those that pull away are let go, until nothing changes (a primal-dual active set).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array
from .ringed_row import RingedRow

Numbers = NDArray[np.intp]
Flags = NDArray[np.bool_]
# Rounds after which nothing is let go any more: what is left then are swaps between unknowns that hardly matter.
_ROUNDS, _MOST_ROUNDS = 40, 80
_ROUNDING = 1e-10


@dataclass(frozen=True, eq=False)
class PaceProblem:
    """N intervals of old time in a row, each of which belongs to one of K parts.

    Attributes:
        widths: (N,) seconds of old time.
        wanted: (N,) pace that each should have.
        stiffness: (N,) how much that matters, above 0.
        links: (N - 1,) how much neighbours should have the same pace, 0 or more.
        low: (N,) least pace.
        high: (N,) greatest pace; where both are equal the pace is given.
        unknowns: (N,) number of the unknown that is the pace of each interval: those of the same number share it.
            Numbers rise by one where they first appear, and no two parts share any.
        parts: (N,) part of each, rising.
        lengths: (K,) new seconds of every part; NaN where the length does not matter.
        closing: How much the last and the first interval should have the same pace; 0 unless time runs in circles.
    """

    widths: Array
    wanted: Array
    stiffness: Array
    links: Array
    low: Array
    high: Array
    unknowns: Numbers
    parts: Numbers
    lengths: Array
    closing: float = 0.0

    def cost(self, pace: Array) -> float:
        """What is to be least."""
        off = self.stiffness * self.widths * (pace - self.wanted) ** 2
        steps = self.links * np.diff(pace) ** 2
        return float(off.sum() + steps.sum() + self.closing * (pace[-1] - pace[0]) ** 2)


def solve_pace(problem: PaceProblem) -> Array:
    """(N,) the best pace. There must be one: see `PaceProblem.low` and `high`."""
    system = _System.of(problem)
    held = np.where(system.low >= system.high - _ROUNDING, -1, 0)
    always = held != 0
    pace = system.low
    for turn in range(_MOST_ROUNDS):
        held = system.with_free_parts(held, always)
        pace, pull = system.solved(held)
        following = np.where(pace < system.low - _ROUNDING, -1, np.where(pace > system.high + _ROUNDING, 1, held))
        if turn < _ROUNDS:
            # One that is held where it does not want to be is let go.
            following[~always & (held != 0) & (held * pull < -_ROUNDING)] = 0
        if (following == held).all():
            break
        held = following
    found: Array = np.clip(pace, system.low, system.high)[problem.unknowns]
    return found


@dataclass(frozen=True, eq=False)
class _System:
    """The same for U unknowns: what each weighs, wants, and is linked with."""

    weight: Array
    wish: Array
    width: Array
    low: Array
    high: Array
    part: Numbers
    lengths: Array
    ends: Numbers
    strengths: Array

    @classmethod
    def of(cls, problem: PaceProblem) -> "_System":
        unknowns, count = problem.unknowns, int(problem.unknowns.max()) + 1
        weights = problem.stiffness * problem.widths
        low, high = np.full(count, -np.inf), np.full(count, np.inf)
        np.maximum.at(low, unknowns, problem.low)
        np.minimum.at(high, unknowns, problem.high)
        part = np.zeros(count, dtype=np.intp)
        part[unknowns] = problem.parts
        ends, strengths = _links(problem)
        return cls(
            _sums(unknowns, weights, count),
            _sums(unknowns, weights * problem.wanted, count),
            _sums(unknowns, problem.widths, count),
            low, high, part, problem.lengths, ends, strengths,
        )  # fmt: skip

    def with_free_parts(self, held: Numbers, always: Flags) -> Numbers:
        """Let a part go in which every unknown is held: its length could not be met."""
        free = np.bincount(self.part, held == 0, minlength=len(self.lengths))
        stuck = (free == 0)[self.part] & ~always
        return np.where(stuck, 0, held)

    def solved(self, held: Numbers) -> tuple[Array, Array]:
        """(U,) pace where some unknowns are held, and what pulls each upward."""
        free = held == 0
        given = np.where(held < 0, self.low, self.high)
        row, right = self._row(free, given)
        demands = self._demands(free)
        solutions = row.solve(np.concatenate([right[None], demands]))
        plain, answers = solutions[0], solutions[1:]
        multipliers = self._multipliers(plain, answers)
        pace = plain + multipliers[self._chosen] @ answers
        return pace, self._pull(pace, multipliers)

    @property
    def _chosen(self) -> Numbers:
        return np.flatnonzero(~np.isnan(self.lengths))

    def _row(self, free: Flags, given: Array) -> tuple[RingedRow, Array]:
        """The equations of the free unknowns; those that are held are known."""
        first, last = self.ends.T
        both = free[first] & free[last]
        main, right = self.weight.copy(), self.wish.copy()
        for one, other in ((first, last), (last, first)):
            reached = free[one]
            near = self.strengths[reached]
            # A tie of two free unknowns is counted by the row itself.
            own = near * ~(both & ~self._beside)[reached]
            main += _sums(one[reached], own, len(main))
            right += _sums(one[reached], near * np.where(free[other], 0.0, given[other])[reached], len(main))
        beside = np.zeros(len(main) - 1)
        kept = both & self._beside
        np.add.at(beside, np.minimum(first, last)[kept], -self.strengths[kept])
        tied = both & ~self._beside
        row = RingedRow(np.where(free, main, 1.0), beside, self.ends[tied], self.strengths[tied])
        return row, np.where(free, right, given)

    @property
    def _beside(self) -> Flags:
        beside: Flags = np.abs(np.diff(self.ends, axis=1))[:, 0] == 1
        return beside

    def _demands(self, free: Flags) -> Array:
        """(C, U) what an unknown adds to the length of its part, for parts whose length is given."""
        chosen = self._chosen
        demands = np.zeros((len(chosen), len(free)))
        place = np.full(len(self.lengths), -1)
        place[chosen] = np.arange(len(chosen))
        counted = np.flatnonzero(free & (place[self.part] >= 0))
        demands[place[self.part[counted]], counted] = self.width[counted]
        return demands

    def _multipliers(self, plain: Array, answers: Array) -> Array:
        """(K,) how much every part must be pulled to get its length; 0 where it does not matter or nothing is free."""
        multipliers, chosen = np.zeros(len(self.lengths)), self._chosen
        missing = self.lengths - _sums(self.part, self.width * plain, len(self.lengths))
        effect = np.array([_sums(self.part, self.width * answer, len(self.lengths))[chosen] for answer in answers]).T
        usable = np.flatnonzero(np.diag(effect) > 0.0) if len(chosen) else chosen
        if len(usable):
            solved = np.linalg.solve(effect[np.ix_(usable, usable)], missing[chosen[usable]])
            multipliers[chosen[usable]] = solved
        return multipliers

    def _pull(self, pace: Array, multipliers: Array) -> Array:
        """(U,) what pulls every unknown upward: its wish, its neighbours and the length of its part."""
        first, last = self.ends.T
        steps = self.strengths * (pace[last] - pace[first])
        along = _sums(first, steps, len(pace)) - _sums(last, steps, len(pace))
        pull: Array = self.wish - self.weight * pace + along + multipliers[self.part] * self.width
        return pull


def _links(problem: PaceProblem) -> tuple[Numbers, Array]:
    """(L, 2) unknowns that are linked, each pair once, and how strongly."""
    unknowns = problem.unknowns
    ends = np.stack([unknowns[:-1], unknowns[1:]], axis=1)
    strengths = problem.links
    if problem.closing > 0.0:
        ends, strengths = np.append(ends, unknowns[None, [-1, 0]], axis=0), np.append(strengths, problem.closing)
    ends = np.sort(ends, axis=1)
    different = (ends[:, 0] != ends[:, 1]) & (strengths > 0.0)
    count = int(unknowns.max()) + 1
    keys, places = np.unique(ends[different] @ np.array([count, 1]), return_inverse=True)
    pairs: Numbers = np.stack(np.divmod(keys, count), axis=1)
    return pairs, _sums(places, strengths[different], len(keys))


def _sums(places: Numbers, values: Array, count: int) -> Array:
    """(C,) sum of the values at each of so many places."""
    sums: Array = np.bincount(places, values, minlength=count).astype(np.float64)
    return sums

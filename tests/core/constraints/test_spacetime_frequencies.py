"""The frequency limit of changes, also with uneven spacing and in windows; objectives beside plain sums."""

from __future__ import annotations

import numpy as np
import pytest
from made_spacetime import FRAMES, basis, energy_above, made, point
from scipy.optimize import minimize

from core.numerics.responses import butterworth
from core.solve.spacetime import Objective, Position, Spacetime, SplineBasis
from core.solve.spacetime.degrees import Degrees

# Frames of spacing for each frame between knots.
SPACING_OF_GAPS = 0.75
LONG = 1200
RATE = 30.0


def quick_controls(count: int, seed: int) -> list[np.ndarray]:
    """Controls at random, and ones that swing to and fro as quickly as can be."""
    number = np.arange(count)
    swinging = np.cos(np.pi * number) * np.hanning(count)
    return [np.random.default_rng(seed).normal(size=count), swinging]


# The limit


@pytest.mark.parametrize("seed", range(3))
def test_uneven_spacing_is_as_quick_as_its_smallest_gap(seed):
    gaps = 16.0 + 8.0 * np.sin(np.linspace(0.0, 12.0, 90) + seed)
    knots = 100.0 + np.cumsum(gaps[np.cumsum(gaps) < LONG - 200])
    spline = SplineBasis.build(LONG, spacing=knots, start=100, end=int(knots[-1]))
    for controls in quick_controls(spline.matrix().shape[1], seed):
        change = spline.matrix() @ controls
        assert energy_above(change[:, None], SPACING_OF_GAPS * gaps.min()) < 0.01
        # It would not be so of a spacing three times as wide: the measure can tell.
        assert energy_above(change[:, None], 3.0 * SPACING_OF_GAPS * gaps.max()) > 0.01


@pytest.mark.parametrize("seed", range(3))
def test_where_gaps_are_wide_the_change_is_slow(seed):
    """Narrow gaps in the first half, wide ones in the second: each half keeps to its own limit."""
    knots = np.concatenate([np.arange(0, 600, 8), np.arange(600, LONG, 32)])
    spline = SplineBasis.build(LONG, spacing=knots)
    for controls in quick_controls(spline.matrix().shape[1], seed):
        change = spline.matrix() @ controls
        for part, gap in ((slice(0, 560), 8), (slice(680, 1180), 32)):
            faded = change[part] * np.hanning(len(change[part]))
            assert energy_above(faded[:, None], SPACING_OF_GAPS * gap) < 0.01
    fast = np.abs(np.fft.rfft(change[:560] * np.hanning(560)))
    assert np.abs(fast[np.fft.rfftfreq(560) > 0.5 / 24.0]).max() > 0.1 * fast.max()


@pytest.mark.parametrize(
    ("spacing", "window"),
    [(4, {}), (10, {}), (6, {"start": 20, "end": 70}), (np.array([10, 18, 26, 34, 44, 56, 70, 80]), {})],
    ids=["narrow", "wide", "window", "uneven"],
)
def test_solved_changes_keep_to_the_limit(spacing, window):
    motion = made()
    moves = np.random.default_rng(1).normal(scale=0.15, size=(3, 3))
    handles = [
        Position(frames=[frame], joint=5, target=point(motion, 5, frame) + move)
        for frame, move in zip((36, 45, 52), moves, strict=True)
    ]
    result = Spacetime([motion], handles, basis=basis(spacing, **window)).solve(steps=40)
    assert not result.violations
    narrowest = spacing if np.ndim(spacing) == 0 else SPACING_OF_GAPS * np.diff(spacing).min()
    # Free ends are no part of the change's own frequencies: they are faded, as one does before looking at waves.
    change = result.changes[0] * np.hanning(FRAMES)[:, None]
    assert energy_above(change, narrowest) < 0.01


# Objectives


def plain_size(change: np.ndarray, hertz: float, rate: float) -> float:
    """The slow reference: what a low-pass takes away of a curve, by sums over all waves, and a little of all of it."""
    frames = len(change)
    held = np.concatenate([np.full(frames, change[0]), change, np.full(frames, change[-1])])
    number = np.arange(len(held))
    quick = np.zeros(len(held))
    for wave in number:
        turning = np.exp(-2j * np.pi * wave * number / len(held))
        cycles = min(wave, len(held) - wave) * rate / len(held)
        kept = butterworth(hertz).factor(np.array([cycles]))[0]
        quick += ((1.0 - kept) * (held @ turning) * turning.conj()).real / len(held)
    return float((quick[frames : 2 * frames] ** 2).sum() + 1e-3 * (change**2).sum())


@pytest.mark.parametrize("window", [{}, {"start": 15, "end": 75}], ids=["all", "window"])
def test_what_counts_above_a_frequency_is_what_the_filter_takes_away(window):
    spline = basis(6, **window)
    objective = Objective.least_change_above(spline, butterworth(1.0), rate=RATE)
    for seed in range(3):
        controls = np.random.default_rng(seed).normal(size=(len(objective.gram), 1))
        plain = plain_size(spline.values(controls)[:, 0], 1.0, RATE)
        assert objective.size_of(controls, np.ones(1)) == pytest.approx(plain, rel=1e-5)


def test_the_plain_objective_is_the_sum_of_squares():
    spline = basis(6)
    controls = np.random.default_rng(0).normal(size=(len(spline.matrix().T), 2))
    weights = np.array([1.0, 3.0])
    plain = float((spline.values(controls) ** 2 * weights).sum())
    assert Objective.least_change(spline).size_of(controls, weights) == pytest.approx(plain, rel=1e-6)


@pytest.mark.parametrize("window", [{}, {"start": 20, "end": 70}])
def test_a_calm_objective_counts_what_changes_from_frame_to_frame_too(window):
    spline = SplineBasis.build(FRAMES, spacing=6, **window)
    random = np.random.default_rng(4)
    controls, weights = random.normal(size=(spline.matrix().shape[1], 2)), np.array([1.0, 3.0])
    change = spline.values(controls)
    plain = ((change**2).sum(axis=0) + 25.0 * (np.diff(change, axis=0) ** 2).sum(axis=0)) @ weights
    assert Objective.least_change(spline, calm=5.0).size_of(controls, weights) == pytest.approx(plain, rel=1e-6)


def test_a_calm_change_swings_less_to_the_other_side():
    motion, spline = made(), basis(10)
    handle = Position(frames=[45], joint=5, target=point(motion, 5, 45) + np.array([0.3, -0.2, 0.2]))
    swings = []
    for calm in (0.0, 5.0):
        objective = Objective.least_change(spline, calm=calm)
        result = Spacetime([motion], [handle], basis=spline, objective=objective).solve()
        assert not result.violations
        change = result.changes[0] @ result.changes[0][45]
        swings.append(-change.min() / change.max())
    assert swings[1] < 0.5 * swings[0]


def test_no_smaller_change_of_quick_waves_meets_the_handles():
    """The oracle, a general solver that starts from the solution, finds nothing better."""
    motion = made().part(0, 30)
    spline = SplineBasis.build(30, spacing=5)
    objective = Objective.least_change_above(spline, butterworth(1.0), rate=RATE)
    handle = Position(frames=[14], joint=3, target=motion.poses.positions[14, 3] + (0.2, 0.1, 0.1))
    problem = Spacetime([motion], [handle], basis=spline, objective=objective)
    assert not problem.solve(steps=40).violations
    weights = Degrees.of_chains(motion.skeleton, [3]).weights
    shape = problem._controls.shape

    def size(flat: np.ndarray) -> float:
        return objective.size_of(flat.reshape(shape), weights)

    def missed(flat: np.ndarray) -> np.ndarray:
        return problem._problem.rows_at(flat.reshape(shape))[0].values

    oracle = minimize(
        size, problem._controls.reshape(-1), constraints={"type": "eq", "fun": missed}, options={"maxiter": 10}
    )
    plain = Spacetime([motion], [handle], basis=spline)
    plain.solve(steps=40)
    assert size(problem._controls.reshape(-1)) <= 1.001 * oracle.fun
    assert size(problem._controls.reshape(-1)) < 0.9 * size(plain._controls.reshape(-1))

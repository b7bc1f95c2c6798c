"""Steps of spacetime edits: both ways to the least change agree with the plain equations, and rows hold."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import chain, smooth_curves, smooth_rotations
from made_spacetime import FRAMES, basis, made

from core.motion.motion import Motion
from core.numerics.responses import butterworth
from core.solve.spacetime import NoSkid, Objective, Orientation, Position, Spacetime, SplineBasis, keep
from core.solve.spacetime.problem import Problem
from core.solve.spacetime.rows import Rows
from core.solve.spacetime.steps.active_set import least_change
from core.solve.spacetime.steps.banded_step import BandedStep
from core.solve.spacetime.steps.block_banded_matrix import BlockBanded
from core.solve.spacetime.steps.dual_step import DualStep
from core.solve.spacetime.steps.step_choice import StepChoice

GIVE = 1e-3


@pytest.fixture(scope="module")
def parts():
    """Rows of several kinds about a motion that is already changed, with the basis, weights and what is wanted."""
    motion, spline = made(), basis(4)
    kinds = [
        keep(motion, 5, np.arange(0, FRAMES, 3)),
        NoSkid(frames=np.arange(40, 50), joint=3),
        Orientation(frames=[13, 14, 60], joint=2, target=(1.0, 0.0, 0.0, 0.0)),
    ]
    problem = Problem.build([motion], kinds, spline, None)
    size = (spline.matrix().shape[1], len(problem.weights))
    rows = Rows.joined(problem.rows_at(0.1 * np.random.default_rng(0).normal(size=size)))
    return rows, spline.matrix(problem.frames), problem.weights, Objective.least_change(spline)


def plain(rows, basis_rows, weights, objective, wanted, give):
    """The slow reference: all equations of controls and multipliers at once."""
    wide = np.zeros((len(rows), basis_rows.shape[1] * len(weights)))
    for row, frame, slopes in zip(rows.part_rows, rows.part_frames, rows.slopes, strict=True):
        wide[row] += np.kron(basis_rows[frame], slopes)
    system = np.block([[np.kron(objective.gram, np.diag(weights)), -wide.T], [wide, np.diag(give)]])
    solution = np.linalg.solve(system, np.concatenate([np.zeros(wide.shape[1]), wanted]))
    return solution[: wide.shape[1]].reshape(basis_rows.shape[1], -1), solution[wide.shape[1] :]


@pytest.mark.parametrize("way", [DualStep, BandedStep])
def test_both_ways_are_the_plain_equations(way, parts):
    rows, basis_rows, weights, objective = parts
    wanted, give = -rows.values, np.full(len(rows), GIVE)
    controls, multipliers = way(basis_rows, objective, weights)(rows, wanted, give)
    expected, expected_multipliers = plain(rows, basis_rows, weights, objective, wanted, give)
    np.testing.assert_allclose(controls, expected, atol=1e-9 * np.abs(expected).max())
    np.testing.assert_allclose(multipliers, expected_multipliers, atol=1e-8 * np.abs(expected_multipliers).max())


def test_the_banded_way_takes_any_objective(parts):
    rows, basis_rows, weights, _ = parts
    objective = Objective.least_change_above(basis(4), butterworth(0.5), rate=30.0)
    give = np.full(len(rows), GIVE)
    one = DualStep(basis_rows, objective, weights)(rows, -rows.values, give)[0]
    other = BandedStep(basis_rows, objective, weights)(rows, -rows.values, give)[0]
    np.testing.assert_allclose(other, one, atol=1e-7 * np.abs(one).max())


@pytest.mark.parametrize("width", [1, 3])
def test_a_banded_system_is_solved_as_a_full_one(width):
    random, blocks, size = np.random.default_rng(width), 7, 4
    lower = np.tril(random.normal(size=(blocks * size, blocks * size)))
    number = np.arange(blocks * size) // size
    lower[number[:, None] - number > width] = 0.0
    full = lower @ lower.T + np.eye(len(lower))
    band = np.zeros((blocks, size, (width + 1) * size))
    for block in range(blocks):
        row = full[block * size : (block + 1) * size, block * size : (block + width + 1) * size]
        band[block, :, : row.shape[1]] = row
    right = random.normal(size=(blocks, size))
    np.testing.assert_allclose(BlockBanded(band).solved(right).reshape(-1), np.linalg.solve(full, right.reshape(-1)))


@pytest.mark.parametrize("seed", range(5))
def test_inequalities_end_on_the_right_side(seed):
    """Every row is met; a row that is met with room to spare does not push, and none pulls."""
    random = np.random.default_rng(seed)
    slopes, wanted = random.normal(size=(30, 40)), random.normal(size=30)
    rows = Rows.of(np.zeros(30), -wanted[:, None], slopes[:, None], at_least=True)
    pushes = {}

    def step(chosen: Rows, goal: np.ndarray, give: np.ndarray):
        multipliers = np.linalg.solve(chosen.slopes @ chosen.slopes.T + np.diag(give), goal)
        pushes["last"] = multipliers
        return (multipliers @ chosen.slopes)[None], multipliers

    controls, active = least_change(
        step, rows, wanted, np.full(30, 1e-12), active=np.zeros(30, dtype=bool), moved=lambda controls: controls
    )
    room = slopes @ controls[0] - wanted
    assert room.min() > -1e-8
    assert np.abs(room[active]).max() < 1e-8
    assert (pushes["last"] >= 0.0).all()
    assert 0 < active.sum() < 30


# Many constraints


LONG = 180


@pytest.fixture(scope="module")
def many():
    """A point that comes nearer to another one along a path while that is kept, both at many frames."""
    locations = np.zeros((LONG, 6, 3))
    locations[:, 0] = smooth_curves(LONG, 3, 5)
    motion = Motion.build(chain(6), smooth_rotations(LONG, 6, reach=0.7), rate=30.0, locations=locations)
    frames = np.arange(0, LONG, 2)
    places = motion.poses.positions[frames]
    nearer = 0.05 * (1.0 + np.sin(frames / 15.0))[:, None]
    path = places[:, 5] + nearer * (places[:, 1] - places[:, 5])
    kinds = [
        Position(frames=frames, joint=5, target=path, name="path"),
        keep(motion, 1, np.arange(0, LONG, 3), name="kept"),
    ]
    return motion, kinds


def test_many_constraints_are_met(many):
    motion, kinds = many
    problem = Spacetime([motion], kinds, basis=SplineBasis.build(LONG, spacing=2))
    rows = problem._looked_at(problem._controls).rows
    assert problem._steps.banded.cost(rows) < DualStep.cost(rows)
    result = problem.solve(steps=20)
    places, height = result.motions[0].poses.positions, np.ptp(motion.skeleton.rest_positions, axis=0).max()
    assert np.abs(places[::2, 5] - kinds[0].target).max() < 1e-4 * height
    assert np.abs(places[::3, 1] - motion.poses.positions[::3, 1]).max() < 1e-4 * height
    assert not result.violations


def test_few_constraints_go_through_their_multipliers():
    motion = made()
    problem = Spacetime([motion], [keep(motion, 5, [3, 50])], basis=basis(4))
    rows = problem._looked_at(problem._controls).rows
    assert DualStep.cost(rows) < problem._steps.banded.cost(rows)


def test_what_the_controls_cannot_follow_is_reported(many):
    motion, kinds = many
    result = Spacetime([motion], kinds, basis=SplineBasis.build(LONG, spacing=25)).solve(steps=8)
    missed = np.abs(result.motions[0].poses.positions[::2, 5] - kinds[0].target)
    told = next(violation for violation in result.violations if violation.name == "path")
    assert told.amount == pytest.approx(missed.max(), rel=1e-6)
    assert told.frame == 2 * missed.max(axis=1).argmax()


def test_a_system_that_is_not_definite_goes_through_the_multipliers(parts):
    rows, basis_rows, weights, objective = parts
    odd = Objective(objective.gram - 2.0 * np.diag(np.diag(objective.gram)))
    steps, many_rows = StepChoice(basis_rows, odd, weights), Rows.joined([rows] * 5)
    give = np.full(len(many_rows), 1e6)
    assert steps.banded.cost(many_rows) < DualStep.cost(many_rows)
    with pytest.raises(np.linalg.LinAlgError):
        steps.banded(many_rows, many_rows.values, give)
    found = steps(many_rows, many_rows.values, give)[0]
    np.testing.assert_array_equal(found, steps.dual(many_rows, many_rows.values, give)[0])

"""Calm paths: against dense algebra, and what they answer to a single pull."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import solveh_banded

from core.solve.smooth_path import Calm, solve_block_tridiagonal


def dense(calm: Calm, pulls: np.ndarray) -> np.ndarray:
    """The whole system as one matrix, entry by entry."""
    frames, degrees = pulls.shape[:2]
    matrix = np.zeros((frames, degrees, frames, degrees))
    for frame in range(frames):
        matrix[frame, :, frame] += pulls[frame] + calm.middle[frame] * np.eye(degrees)
        for band, step in ((calm.next, 1), (calm.second, 2)):
            if frame + step < frames:
                matrix[frame, :, frame + step] += band[frame] * np.eye(degrees)
                matrix[frame + step, :, frame] += band[frame] * np.eye(degrees)
    return matrix.reshape(frames * degrees, -1)


@pytest.mark.parametrize("frames", [1, 2, 3, 4, 5, 7, 8, 33, 100])
@pytest.mark.parametrize("degrees", [1, 3])
def test_paths_are_those_of_dense_algebra(frames, degrees):
    random = np.random.default_rng(frames)
    calm = Calm.of(frames, 3.0)
    factors = random.normal(size=(frames, degrees, degrees))
    pulls = factors @ factors.swapaxes(1, 2) * random.random(frames)[:, None, None]
    right = random.normal(size=(frames, degrees))
    wanted = np.linalg.solve(dense(calm, pulls), right.reshape(-1)).reshape(frames, degrees)
    np.testing.assert_allclose(calm.path(pulls, right), wanted, atol=1e-10)


def test_many_frames_are_those_of_a_banded_solver():
    calm, random = Calm.of(3000, 12.0), np.random.default_rng(1)
    stiffness, right = 1e4 * (random.random(3000) < 0.1), random.normal(size=3000)
    bands = np.zeros((3, 3000))
    bands[2], bands[1, 1:], bands[0, 2:] = calm.middle + stiffness, calm.next, calm.second
    found = calm.path(stiffness[:, None, None], right[:, None])[:, 0]
    np.testing.assert_allclose(found, solveh_banded(bands, right), atol=1e-8)


def test_what_a_path_costs_is_what_its_matrix_says():
    calm, path = Calm.of(20, 2.5), np.random.default_rng(2).normal(size=(20, 3))
    matrix = dense(calm, np.zeros((20, 3, 3)))
    assert calm.cost(path) == pytest.approx(path.reshape(-1) @ matrix @ path.reshape(-1))
    np.testing.assert_allclose(calm.pull(path).reshape(-1), matrix @ path.reshape(-1))
    # As it is defined: size, slope and bend.
    slopes, bends = np.diff(path, axis=0), np.diff(path, 2, axis=0)
    assert calm.cost(path) == pytest.approx(
        (path**2).sum() + 2 * 2.5**2 * (slopes**2).sum() + 2.5**4 * (bends**2).sum()
    )


def test_one_pull_is_answered_without_a_swing_to_the_other_side():
    reach, pulls = 8.0, np.zeros((401, 1, 1))
    pulls[200] = 1e12
    path = Calm.of(401, reach).path(pulls, pulls[:, :, 0])[:, 0]
    away = np.abs(np.arange(401) - 200) / reach
    np.testing.assert_allclose(path, (1.0 + away) * np.exp(-away), atol=0.01)
    assert path.min() > -1e-3


def test_systems_of_any_blocks_are_solved():
    random = np.random.default_rng(3)
    for count in (1, 2, 3, 6, 17):
        beside = random.normal(size=(count - 1, 4, 4))
        diagonal = 20.0 * np.eye(4) + np.zeros((count, 1, 1))
        right = random.normal(size=(count, 4, 2))
        matrix = np.zeros((count, 4, count, 4))
        for block in range(count):
            matrix[block, :, block] = diagonal[block]
            if block + 1 < count:
                matrix[block, :, block + 1], matrix[block + 1, :, block] = beside[block], beside[block].T
        wanted = np.linalg.solve(matrix.reshape(4 * count, -1), right.reshape(4 * count, 2))
        np.testing.assert_allclose(solve_block_tridiagonal(diagonal, beside, right).reshape(-1, 2), wanted, atol=1e-12)

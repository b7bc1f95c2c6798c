"""Rotations that come from single precision."""

from __future__ import annotations

import numpy as np
import pytest

from core.numerics import quaternion, single_quaternions


def keyed(seed: int = 0, count: int = 5000) -> np.ndarray:
    """Unit quaternions as curves hold them: each number rounded by itself."""
    numbers = np.random.default_rng(seed).normal(size=(count, 4))
    return quaternion.normalize(numbers).astype(np.float32)


def test_normalized_they_are_the_rotations_bit_for_bit():
    rotations = quaternion.normalize(keyed()).reshape(50, 100, 4)
    found = single_quaternions(rotations)
    assert found is not None
    assert (found.dtype, found.shape) == (np.float32, rotations.shape)
    assert quaternion.normalize(found).tobytes() == rotations.tobytes()


@pytest.mark.parametrize("single", [(1, 0, 0, 0), (-1, 0, 0, 0), (0, -0.0, 1, 0), (1, 1e-30, 0, -1e-40)])
def test_signs_and_tiny_numbers_come_back(single):
    rotations = quaternion.normalize(np.array([single], dtype=np.float32))
    found = single_quaternions(rotations)
    assert found is not None
    assert quaternion.normalize(found).tobytes() == rotations.tobytes()


def test_others_are_not_held():
    others = quaternion.normalize(np.random.default_rng(1).normal(size=(20, 4)))
    assert single_quaternions(others) is None
    assert single_quaternions(np.concatenate([quaternion.normalize(keyed()), others[:1]])) is None
    assert single_quaternions(np.zeros((1, 4))) is None
    assert single_quaternions(np.full((1, 4), np.nan)) is None


def test_none_are_held():
    found = single_quaternions(np.empty((0, 4)))
    assert found is not None
    assert found.shape == (0, 4)
